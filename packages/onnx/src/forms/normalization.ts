/** The scale and the shift of normalizations. */
import { isStaticDim } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import type { CallContext, Operand } from '../operator-api/exporter.ts';
import { alongAxis } from './reshaping.ts';
import { fromFront } from './types.ts';

/** The scale, or ones if the call leaves it out; `undefined` after a failure. */
export const scaleOf = (context: CallContext, gamma: Operand): Operand | undefined =>
  context.attrs.bool('scale') ? gamma : constantLike(context, gamma, 1);

/** The shift, or zeros if the call leaves it out; `undefined` after a failure. */
export const shiftOf = (context: CallContext, beta: Operand): Operand | undefined =>
  context.attrs.bool('center') ? beta : constantLike(context, beta, 0);

function constantLike(context: CallContext, x: Operand, value: number): Operand | undefined {
  const [size] = context.dims(x);
  return size !== undefined && isStaticDim(size)
    ? vectorOf(context, size, value, x)
    : context.unknown('expected a known number of channels');
}

/** A vector of one number, with the dtype of `like`. */
export const vectorOf = (
  context: CallContext,
  size: number,
  value: number,
  like: Operand,
): Operand => {
  context.room(size);
  return context.constant(
    fromNumbers(new Float64Array(size).fill(value), [size], context.dtype(like)),
  );
};

/** (x − mean) / √(variance + ε) over these axes. */
export function standardized(
  { call }: CallContext,
  x: Operand,
  axes: ReadonlyArray<number>,
  epsilon: number,
): Operand {
  const over = (data: Operand) => call('mean', [data], { axis: axes, keepdims: true });
  const centred = call('subtract', [x, over(x)]);
  const variance = over(call('multiply', [centred, centred]));
  return call('divide', [centred, call('sqrt', [call('add', [variance, epsilon])])]);
}

/** The data scaled and shifted along an axis, as far as the call asks for it. */
export function affine(
  context: CallContext,
  x: Operand,
  [gamma, beta]: readonly [Operand, Operand],
  axis: number,
): Operand {
  const rank = context.dims(x).length;
  const along = (vector: Operand): Operand => alongAxis(context, vector, axis, rank);
  const scaled = context.attrs.bool('scale') ? context.call('multiply', [x, along(gamma)]) : x;
  return context.attrs.bool('center') ? context.call('add', [scaled, along(beta)]) : scaled;
}

/** What is made of the data with two of its axes exchanged, which are exchanged back in it. */
export function withExchanged(
  context: CallContext,
  x: Operand,
  [a, b]: readonly [number, number],
  of: (moved: Operand) => Operand,
): Operand {
  const rank = context.dims(x).length;
  const axes = Array.from({ length: rank }, (_, i) => (i === a ? b : i === b ? a : i));
  const swapped = (data: Operand): Operand => context.call('transpose', [data], { axes });
  return swapped(of(swapped(x)));
}

/**
 * A normalization of each channel by itself with the channels as the second axis, behind a batch;
 * `undefined` if they are there. Channels along the first axis have no batch before them.
 */
export function withChannelsSecond(
  context: CallContext,
  op: string,
  [x, ...vectors]: readonly [Operand, ...ReadonlyArray<Operand>],
): Operand | undefined {
  const { attrs, call } = context;
  const rank = context.dims(x).length;
  const axis = fromFront(attrs.int('axis'), rank);
  if (axis === 1) return undefined;
  const all = { ...attrs.all, axis: 1 };
  if (axis === 0) {
    const single = call('expand_dims', [x], { axis: 0 });
    return call('squeeze', [call(op, [single, ...vectors], all)], { axis: [0] });
  }
  return withExchanged(context, x, [1, axis], (moved) => call(op, [moved, ...vectors], all));
}
