/** Moves: ways to look at a tensor, as data. A list of them is an index map. */
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

/** A way to look at a tensor, whose sizes are of type `D`. */
export type Move<D = number> =
  /** Axis i of the result is axis `axes[i]`. */
  | { readonly _tag: 'Transpose'; readonly axes: ReadonlyArray<number> }
  /** The same elements in row-major order. */
  | { readonly _tag: 'Reshape'; readonly shape: ReadonlyArray<D> }
  /** Axes of size 1, and missing ones in front, repeat. */
  | { readonly _tag: 'Broadcast'; readonly shape: ReadonlyArray<D> }
  /** Along axis i the places `begin[i] + k * strides[i]` for k below `size[i]`. */
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

/** A box of elements, in steps. Default: steps of 1. */
export const sliced = <D>(
  begin: ReadonlyArray<number>,
  size: ReadonlyArray<number>,
  strides: ReadonlyArray<number> = begin.map(() => 1),
): Move<D> => ({ _tag: 'Slice', begin, size, strides });

/** A tensor looked at in ways, one after another. A reshape copies where strides cannot say it. */
export const moved = (t: Tensor, moves: ReadonlyArray<Move>, memory: Memory = heap): Tensor =>
  moves.reduce(
    (now, move) =>
      viewed(now, move) ?? reshapeView(now, move._tag === 'Reshape' ? move.shape : [], memory),
    t,
  );

/** What a move views in strided storage; `undefined` for a reshape that strides cannot say. */
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
