/** `RotaryEmbedding`: pairs of features turned by the angles of their places. */
import type { Expr } from '@baton/ir';
import { withHeads, withoutHeads } from '../families/attention.ts';
import { asInt64, placesUpTo, sizeOfAxis } from '../families/sized.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const rotaryEmbedding: OnnxImporter = {
  opType: 'RotaryEmbedding',
  convert: (context) => {
    const { attributes, call } = context;
    const x = context.input(0);
    const isFlat = context.dimsOf(x).length === 3;
    const data = isFlat ? withHeads(context, x, attributes.int('num_heads', 0)) : x;
    const size = sizeOfAxis(context, data, 3);
    if (context.hasFailed()) return undefined;
    const width = attributes.int('rotary_embedding_dim') || size;
    const places = context.optional(3);
    const angles = (index: number): Expr => {
      const cache = context.input(index);
      const chosen = places ? call('take', [cache, places], { axis: 0 }) : cache;
      return call('expand_dims', [chosen], { axis: 1 });
    };
    const turned = rotated(context, part(context, data, 0, width), angles(1), angles(2), width);
    const rest = part(context, data, width, size);
    const joined = width === size ? turned : joinedAt(context, [turned, rest], 3);
    return isFlat ? withoutHeads(context, joined) : joined;
  },
};

type Size = Expr | number;

/** The features of a range. */
function part(context: NodeContext, x: Expr, from: Size, to: Size): Expr {
  const { call } = context;
  if (typeof from === 'number' && typeof to === 'number') {
    return call('strided_slice', [x], { begin: [from], end: [to], strides: [1], axes: [3] });
  }
  const start = asInt64(context, from);
  const count = call('subtract', [asInt64(context, to), start]);
  return call('take', [x, call('add', [placesUpTo(context, count), start])], { axis: 3 });
}

/** Every second feature. */
const everySecond = (context: NodeContext, x: Expr, from: number, width: Size): Expr =>
  context.call('strided_slice', [x], {
    begin: [from],
    end: typeof width === 'number' ? [width] : [2 ** 31 - 1],
    strides: [2],
    axes: [3],
  });

const joinedAt = (context: NodeContext, parts: ReadonlyArray<Expr>, axis: number): Expr =>
  context.call('concatenate', [context.tuple(parts)], { axis });

/** The pairs of features turned: neighbours, or those of both halves. */
function rotated(context: NodeContext, x: Expr, cos: Expr, sin: Expr, width: Size): Expr {
  const { call } = context;
  const isNext = context.attributes.int('interleaved') !== 0;
  const half = typeof width === 'number' ? width / 2 : call('floor_divide', [width, 2]);
  const a = isNext ? everySecond(context, x, 0, width) : part(context, x, 0, half);
  const b = isNext ? everySecond(context, x, 1, width) : part(context, x, half, width);
  const product = (p: Expr, q: Expr): Expr => call('multiply', [p, q]);
  const real = call('subtract', [product(cos, a), product(sin, b)]);
  const imaginary = call('add', [product(sin, a), product(cos, b)]);
  if (!isNext) return joinedAt(context, [real, imaginary], 3);
  const pairs = call('stack', [context.tuple([real, imaginary])], { axis: 4 });
  return call('reshape', [pairs], { newshape: [0, 0, 0, typeof width === 'number' ? width : -1] });
}
