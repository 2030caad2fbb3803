/** The cost of a call: arithmetic and bytes moved. */
import type { Attrs, Type } from '@baton/ir';
import { dtypeInfo, isDType } from '@baton/tensor';

/** Floating-point operations; a multiply-add counts as two. */
export type Flops = number & { readonly Flops: true };

export type Bytes = number & { readonly Bytes: true };

export interface Cost {
  readonly flops: Flops;
  readonly bytesRead: Bytes;
  readonly bytesWritten: Bytes;
}

export type CostModel = (args: ReadonlyArray<Type>, result: Type, attrs: Attrs) => Cost;

/** The arithmetic of a call; the bytes follow from the types. */
export type TypedFlops<A> = (args: ReadonlyArray<Type>, result: Type, attrs: A) => number;

export const flops = (count: number): Flops => count as Flops;

export const bytes = (count: number): Bytes => count as Bytes;

/** Assumed for unknown dimensions: a lower bound that keeps costs comparable. */
const UNKNOWN_DIM = 1;

/**
 * The number of elements of a type: for a tuple, of all its tensors. An unknown dimension counts as
 * 1, a type of unknown rank as one element.
 */
export const elementCount = (type: Type): number => sumTensors(type, (count) => count);

export const byteCount = (type: Type): Bytes =>
  bytes(sumTensors(type, (count, width) => count * width));

export const costOf = (args: ReadonlyArray<Type>, result: Type, operations: number): Cost => ({
  flops: flops(operations),
  bytesRead: bytes(args.reduce((sum, arg) => sum + byteCount(arg), 0)),
  bytesWritten: byteCount(result),
});

export const noFlops = (): number => 0;

export const perResultElement = (_args: ReadonlyArray<Type>, result: Type): number =>
  elementCount(result);

/** One operation for each element of an argument. */
const perElementOf =
  (index: number) =>
  (args: ReadonlyArray<Type>): number =>
    args[index] === undefined ? 0 : elementCount(args[index]);

export const perInputElement = perElementOf(0);

/** For scatters, whose updates are the third argument. */
export const perUpdate = perElementOf(2);

export const timesResult =
  (count: number) =>
  (_args: ReadonlyArray<Type>, result: Type): number =>
    count * elementCount(result);

export const timesInput =
  (count: number) =>
  (args: ReadonlyArray<Type>): number =>
    count * perInputElement(args);

function sumTensors(type: Type, measure: (count: number, width: number) => number): number {
  let sum = 0;
  const pending: Type[] = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next._tag === 'TupleType') pending.push(...next.fields);
    if (next._tag !== 'TensorType') continue;
    const dims = '_tag' in next.shape ? [] : next.shape;
    const count = dims.reduce<number>(
      (n, dim) => n * (typeof dim === 'number' ? dim : UNKNOWN_DIM),
      1,
    );
    const dtype = next.dtype;
    const width = isDType(dtype) ? dtypeInfo(dtype).bytes : 4;
    sum += measure(count, width);
  }
  return sum;
}
