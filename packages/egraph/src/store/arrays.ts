/** Whether a field of a table is one of its flat arrays. */
export const isArray = (value: unknown): value is Int32Array | Uint8Array =>
  ArrayBuffer.isView(value);

/** The bytes in the flat arrays that a table has as fields. */
export const bytesOf = (table: object): number =>
  Object.values(table).reduce<number>((sum, v) => sum + (isArray(v) ? v.byteLength : 0), 0);

/** A copy of an array, with room for `length` numbers. */
export function grown(old: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const next = new Int32Array(length);
  next.set(old);
  return next;
}

/** Gives arrays of a table room for `length` numbers each. */
export function widen<K extends string>(
  table: Record<K, Int32Array>,
  names: ReadonlyArray<K>,
  length: number,
): void {
  for (const name of names) table[name] = grown(table[name], length);
}
