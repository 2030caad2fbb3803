/** The operators that move elements, as functions that importers and exporters share. */
import type { Attrs } from '@baton/ir';
import type { DType } from '@baton/tensor';

/** What makes calls: the context of a node, or of a call. A list is a tuple. */
interface Caller<E> {
  readonly call: (
    name: string,
    args: ReadonlyArray<E | ReadonlyArray<E> | number>,
    attrs?: Attrs,
  ) => E;
}

type Sizes = ReadonlyArray<number>;

/** The elements in another shape, in which 0 copies a size and -1 is the remaining one. */
export const reshape = <E>({ call }: Caller<E>, x: E, newshape: Sizes): E =>
  call('reshape', [x], { newshape });

/** The elements in another shape, in which 0 is a size. */
export const reshapeTo = <E>({ call }: Caller<E>, x: E, newshape: Sizes): E =>
  call('reshape', [x], { newshape, allowzero: 1 });

export const transpose = <E>({ call }: Caller<E>, x: E, axes: Sizes): E =>
  call('transpose', [x], { axes });

/** `count` new axes of size 1, from `axis` of the result on. */
export const expandDims = <E>({ call }: Caller<E>, x: E, axis: number, count = 1): E =>
  call('expand_dims', [x], { axis, num_newaxis: count });

export const broadcastTo = <E>({ call }: Caller<E>, x: E, shape: Sizes): E =>
  call('broadcast_to', [x], { shape });

/** The elements from `begin` up to `end` along one axis. */
export const slice = <E>({ call }: Caller<E>, x: E, axis: number, begin: number, end: number): E =>
  call('strided_slice', [x], { begin: [begin], end: [end], axes: [axis] });

export const take = <E>({ call }: Caller<E>, x: E, indices: E, axis: number): E =>
  call('take', [x, indices], { axis });

export const concatenate = <E>({ call }: Caller<E>, parts: ReadonlyArray<E>, axis: number): E =>
  call('concatenate', [parts], { axis });

/** The tensors along a new axis. */
export const stack = <E>({ call }: Caller<E>, parts: ReadonlyArray<E>, axis: number): E =>
  call('stack', [parts], { axis });

/** Filler before and after each axis. */
export const pad = <E>(
  { call }: Caller<E>,
  x: E,
  filler: E | number,
  pad_width: ReadonlyArray<Sizes>,
): E => call('nn.pad', [x, filler], { pad_width });

export const cast = <E>({ call }: Caller<E>, x: E, dtype: DType): E => call('cast', [x], { dtype });

/** The sum with a summand that may be absent. */
export const plus = <E>({ call }: Caller<E>, x: E, y: E | undefined): E =>
  y === undefined ? x : call('add', [x, y]);

/** The numbers from `begin` up to `end`. */
export const range = (begin: number, end: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(end - begin, 0) }, (_, i) => begin + i);

/** The range of each of consecutive parts: of 2 and 3 places, `[0, 2]` and `[2, 5]`. */
export function rangesOf(sizes: Sizes): ReadonlyArray<readonly [begin: number, end: number]> {
  let end = 0;
  return sizes.map((size) => {
    end += size;
    return [end - size, end];
  });
}

/** The axes of a tensor, of which two are exchanged. */
export const exchanged = (rank: number, a: number, b: number): ReadonlyArray<number> =>
  range(0, rank).map((axis) => (axis === a ? b : axis === b ? a : axis));
