/** Shapes: plain lists of sizes. A shape of rank 0 is `[]`, with one element. */

export type Shape = ReadonlyArray<number>;

/** The highest rank of a tensor made from external data. */
export const MAX_RANK = 16;

/** The most elements of a tensor made from external data. */
export const MAX_ELEMENTS: number = 2 ** 31;

export function shapeSize(shape: Shape): number {
  let size = 1;
  for (const dim of shape) size *= dim;
  return size;
}

/** The strides, in elements, of a dense row-major tensor of this shape. */
export function rowMajorStrides(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis] as number;
  }
  return strides;
}

/** The shape that both broadcast to, as in NumPy, or `undefined`. */
export function broadcastShapes(a: Shape, b: Shape): number[] | undefined {
  const rank = Math.max(a.length, b.length);
  const shape = new Array<number>(rank);
  for (let i = 1; i <= rank; i++) {
    const left = a[a.length - i] ?? 1;
    const right = b[b.length - i] ?? 1;
    if (left !== right && left !== 1 && right !== 1) return undefined;
    shape[rank - i] = left === 1 ? right : left;
  }
  return shape;
}

/** The axis in `0 .. rank - 1`, for a negative `axis` from the end; `undefined` if out of range. */
export function normalizeAxis(axis: number, rank: number): number | undefined {
  const normal = axis < 0 ? axis + rank : axis;
  return Number.isInteger(normal) && normal >= 0 && normal < rank ? normal : undefined;
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dim, axis) => dim === b[axis]);
}

export const printShape = (shape: Shape): string => `(${shape.join(', ')})`;
