/** Flat arrays of numbers, and buffers that grow. */

/** Whether a field of a table is one of its flat arrays. */
export const isArray = (value: unknown): value is Int32Array | Uint8Array =>
  ArrayBuffer.isView(value);

export const bytesOf = (table: object): number =>
  Object.values(table).reduce<number>((sum, v) => sum + (isArray(v) ? v.byteLength : 0), 0);

/** A copy of an array, with room for `length` numbers. */
export function grown<A extends Int32Array | Uint8Array>(old: A, length: number): A {
  // The constructor of an array makes such arrays.
  const next = new (old.constructor as new (length: number) => A)(length);
  next.set(old);
  return next;
}

/** Grows arrays of a table to hold `length` numbers each. */
export function widen<K extends string>(
  table: Record<K, Int32Array | Uint8Array>,
  names: ReadonlyArray<K>,
  length: number,
): void {
  for (const name of names) table[name] = grown(table[name], length);
}

/** Numbers in one reused array: matches as runs of `stride` numbers, or the entries of a log. */
export class MatchBuffer {
  data: Int32Array = new Int32Array(1024);
  /** How many numbers are in use. */
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
