/** A growing array of numbers. */
import { grown } from './arrays.ts';

/** Numbers in one reused array: matches as runs of `stride` numbers, or the entries of a log. */
export class MatchBuffer {
  data: Int32Array = new Int32Array(1024);
  /** The number of used elements. */
  length = 0;

  push(a: number, b: number, c: number): void {
    const data = this.reserve(3);
    data[this.length++] = a;
    data[this.length++] = b;
    data[this.length++] = c;
  }

  /** Makes room for `extra` more numbers and returns the array to write to. */
  reserve(extra: number): Int32Array {
    const { data, length } = this;
    const needed = length + extra;
    if (needed > data.length) this.data = grown(data, Math.max(data.length * 2, needed));
    return this.data;
  }
}
