/** `RotaryEmbedding`: pairs of features turned by the angles of their places. */
import type { Expr } from '@baton/ir';
import { withHeads, withoutHeads } from '../families/attention.ts';
import type { NodeContext, OnnxOperator } from '../node/operator.ts';

export const rotaryEmbedding: OnnxOperator = {
  opType: 'RotaryEmbedding',
  versions: [23],
  inputs: [3, 4],
  attributes: { interleaved: 'int', num_heads: 'int', rotary_embedding_dim: 'int' },
  convert: (context) => {
    const { attributes, call } = context;
    const x = context.input(0);
    const isFlat = context.dimsOf(x).length === 3;
    const data = isFlat ? withHeads(context, x, attributes.int('num_heads', 0)) : x;
    const size = context.dimsOf(data)[3];
    if (context.hasFailed()) return undefined;
    if (typeof size !== 'number') return context.unknown('expected a known size of a head');
    const width = attributes.int('rotary_embedding_dim', 0) || size;
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

/** Some features: every `step`-th of a range. */
const part = (context: NodeContext, x: Expr, from: number, to: number, step = 1): Expr =>
  context.call('strided_slice', [x], { begin: [from], end: [to], strides: [step], axes: [3] });

const joinedAt = (context: NodeContext, parts: ReadonlyArray<Expr>, axis: number): Expr =>
  context.call('concatenate', [context.tuple(parts)], { axis });

/** The pairs of features turned: neighbours, or those of both halves. */
function rotated(context: NodeContext, x: Expr, cos: Expr, sin: Expr, width: number): Expr {
  const { call } = context;
  const isNext = context.attributes.int('interleaved', 0) !== 0;
  const half = width / 2;
  const a = isNext ? part(context, x, 0, width, 2) : part(context, x, 0, half);
  const b = isNext ? part(context, x, 1, width, 2) : part(context, x, half, width);
  const product = (p: Expr, q: Expr): Expr => call('multiply', [p, q]);
  const real = call('subtract', [product(cos, a), product(sin, b)]);
  const imaginary = call('add', [product(sin, a), product(cos, b)]);
  if (!isNext) return joinedAt(context, [real, imaginary], 3);
  const pairs = call('stack', [context.tuple([real, imaginary])], { axis: 4 });
  return call('reshape', [pairs], { newshape: [0, 0, 0, width] });
}
