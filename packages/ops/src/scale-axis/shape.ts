/** Shapes in the equations of scales. */
import { type Dim, type DTypeTerm, dimsEqual, type Type } from '@baton/ir';

/** `undefined` unless the rank is known. */
export const dimsOf = (type: Type | undefined): ReadonlyArray<Dim> | undefined =>
  type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape : undefined;

export const dtypeOf = (type: Type | undefined): DTypeTerm | undefined =>
  type?._tag === 'TensorType' ? type.dtype : undefined;

/** `undefined` unless all these dimensions are numbers. */
export function staticDims(
  type: Type | undefined,
  axes: ReadonlyArray<number>,
): ReadonlyArray<number> | undefined {
  const dims = dimsOf(type);
  const found = axes.map((axis) => dims?.[axis]).filter((dim) => typeof dim === 'number');
  return found.length === axes.length ? found : undefined;
}

/** `undefined` unless all dimensions are numbers. */
export function productOf(dims: ReadonlyArray<Dim>): number | undefined {
  let product = 1;
  for (const dim of dims) {
    if (typeof dim !== 'number') return undefined;
    product *= dim;
  }
  return product;
}

/** Whether all these types are tensors of one floating-point type. */
export function sameFloat(types: ReadonlyArray<Type | undefined>): boolean {
  const dtype = dtypeOf(types[0]);
  return (
    (dtype === 'float32' || dtype === 'float64' || dtype === 'float16' || dtype === 'bfloat16') &&
    types.every((type) => dtypeOf(type) === dtype)
  );
}

/**
 * Whether a tensor of type `small` broadcasts to one of type `large` and varies only on `axes`: it
 * has the full size along each of them, and size 1 along every other axis.
 */
export function variesOnlyAlong(
  large: Type | undefined,
  small: Type | undefined,
  axes: ReadonlyArray<number>,
): boolean {
  const largeDims = dimsOf(large);
  const smallDims = dimsOf(small);
  if (largeDims === undefined || smallDims === undefined) return false;
  const added = largeDims.length - smallDims.length;
  if (added < 0 || axes.some((axis) => axis < added)) return false;
  return smallDims.every((dim, at) => {
    const full = largeDims[at + added];
    return axes.includes(at + added) ? full !== undefined && dimsEqual(dim, full) : dim === 1;
  });
}

/**
 * The images or preimages of `axes` under `map`; `undefined` unless each has one and their order is
 * kept.
 */
export function mappedAxes(
  axes: ReadonlyArray<number>,
  map: (axis: number) => number | undefined,
): ReadonlyArray<number> | undefined {
  const mapped = axes.map(map).filter((axis) => axis !== undefined);
  const ascending = mapped.every((axis, i) => i === 0 || axis > (mapped[i - 1] ?? axis));
  return mapped.length === axes.length && ascending ? mapped : undefined;
}
