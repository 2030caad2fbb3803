/** Moves: views of a tensor, as data. A list of moves is an index map. */
import {
  broadcastView,
  heap,
  laid,
  type Memory,
  reshapeView,
  type Strided,
  sameShape,
  sliceView,
  stridesInShape,
  type Tensor,
  transposeView,
} from '@baton/tensor';

/** A view of a tensor; `D` is the type of sizes. */
export type Move<D = number> =
  /** Axis i of the result is axis `axes[i]`. */
  | { readonly _tag: 'Transpose'; readonly axes: ReadonlyArray<number> }
  /** The same elements in row-major order. */
  | { readonly _tag: 'Reshape'; readonly shape: ReadonlyArray<D> }
  /** Repeats axes of size 1, and missing leading ones. */
  | { readonly _tag: 'Broadcast'; readonly shape: ReadonlyArray<D> }
  /** Along axis i, the indices `begin[i] + k * strides[i]` for k below `size[i]`. */
  | {
      readonly _tag: 'Slice';
      readonly begin: ReadonlyArray<number>;
      readonly size: ReadonlyArray<number>;
      readonly strides: ReadonlyArray<number>;
    };

export const transposed = <D>(axes: ReadonlyArray<number>): Move<D> => ({
  _tag: 'Transpose',
  axes,
});
export const reshaped = <D>(shape: ReadonlyArray<D>): Move<D> => ({ _tag: 'Reshape', shape });
export const broadcast = <D>(shape: ReadonlyArray<D>): Move<D> => ({ _tag: 'Broadcast', shape });

/** A slice with strides. Default: strides of 1. */
export const sliced = <D>(
  begin: ReadonlyArray<number>,
  size: ReadonlyArray<number>,
  strides: ReadonlyArray<number> = begin.map(() => 1),
): Move<D> => ({ _tag: 'Slice', begin, size, strides });

/** Applies moves one after another. A reshape copies if strides cannot express it. */
export const moved = (t: Tensor, moves: ReadonlyArray<Move>, memory: Memory = heap): Tensor =>
  moves.reduce(
    (now, move) =>
      viewed(now, move) ?? reshapeView(now, move._tag === 'Reshape' ? move.shape : [], memory),
    t,
  );

/** A view of strided storage; `undefined` for a reshape that strides cannot express. */
export function viewed<T extends Strided>(t: T, move: Move): T | undefined {
  switch (move._tag) {
    case 'Transpose':
      return transposeView(t, move.axes);
    case 'Reshape': {
      if (sameShape(t.shape, move.shape)) return t;
      const strides = stridesInShape(t, move.shape);
      return strides && laid(t, move.shape, strides);
    }
    case 'Broadcast':
      return broadcastView(t, move.shape);
    case 'Slice':
      return sliceView(t, move.begin, move.size, move.strides);
  }
}
