/** Hashes of node keys. A lookup compares nodes of equal hash field by field. */

const finish = (hash: number): number => {
  const h = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
};

/** The key of a node with up to three children; missing ones count as 0. */
export const hash3 = (op: number, a: number, b: number, c: number): number =>
  finish(
    Math.imul(
      Math.imul(Math.imul(Math.imul(op, 0x9e3779b1) + a, 0x85ebca77) + b, 0x9e3779b1) + c,
      0x85ebca77,
    ),
  );

/** The key of a node whose children are stored in `children` from `at` on. */
export function hashN(op: number, children: Int32Array, at: number, count: number): number {
  let hash = Math.imul(op, 0x9e3779b1);
  for (let i = 0; i < count; i++) {
    hash = Math.imul(hash + (children[at + i] as number), 0x85ebca77);
    hash ^= hash >>> 16;
  }
  return finish(hash);
}
