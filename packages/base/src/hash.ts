/** 32-bit hashing. Equal hashes prove nothing: a lookup compares as well. */

export function mixHash(hash: number, value: number): number {
  let h = Math.imul(hash ^ value, 0x9e3779b1);
  h ^= h >>> 15;
  return Math.imul(h, 0x85ebca77) ^ (h >>> 13);
}

export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}

const scratch = new DataView(new ArrayBuffer(8));

/** The hash of a number's bits, so that 0 and −0 differ and every NaN is alike. */
export function hashNumber(value: number): number {
  if ((value | 0) === value && !Object.is(value, -0)) return mixHash(0x51ed270b, value);
  // The bits of a NaN depend on the operation that made it: `Math.log(-1)` gives -NaN.
  if (Number.isNaN(value)) return mixHash(0x2545f491, 0x7ff80000);
  scratch.setFloat64(0, value);
  return mixHash(mixHash(0x2545f491, scratch.getInt32(0)), scratch.getInt32(4));
}
