/** Whether a field of a table is one of its flat arrays. */
export const isArray = (value: unknown): value is Int32Array | Uint8Array =>
  ArrayBuffer.isView(value);

/** The bytes in the flat arrays of a table. */
export const bytesOf = (table: object): number =>
  Object.values(table).reduce<number>((sum, v) => sum + (isArray(v) ? v.byteLength : 0), 0);

/** A copy of an array, with room for `length` numbers. */
export function grown<A extends Int32Array | Uint8Array>(old: A, length: number): A {
  // The constructor of an array makes such arrays.
  const next = new (old.constructor as new (length: number) => A)(length);
  next.set(old);
  return next;
}

/** Gives arrays of a table room for `length` numbers each. */
export function widen<K extends string>(
  table: Record<K, Int32Array | Uint8Array>,
  names: ReadonlyArray<K>,
  length: number,
): void {
  for (const name of names) table[name] = grown(table[name], length);
}
