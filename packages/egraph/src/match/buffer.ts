/** Matches as runs of `stride` numbers in one reused array. */
export class MatchBuffer {
  data: Int32Array = new Int32Array(16_384);
  /** How many numbers are in use. */
  length = 0;

  /** Makes room for `extra` more numbers and returns the array to write to. */
  reserve(extra: number): Int32Array {
    if (this.length + extra > this.data.length) {
      const data = new Int32Array(Math.max(this.data.length * 2, this.length + extra));
      data.set(this.data);
      this.data = data;
    }
    return this.data;
  }
}
