import { tensorType } from '@baton/ir';
import { readNumber } from '@baton/tensor';
import { codec, oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { magnitude, ZERO } from '../../bounds/bounds.ts';
import { symmetric } from '../../bounds/rules.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32n } from '../../example-types.ts';
import { quantizes, SCALES } from '../../families/quantized.ts';
import { simulated } from '../../kernels/quantized.ts';
import { hasRank, inDomain, tensorArg, tensorOrFilled } from '../../relation/known.ts';

/** The quantized value: nothing, an input, a weight, or a sum of products. */
type Kind = 0 | 1 | 2 | 3;

const aKind = codec('0, 1, 2 or 3', (u): u is Kind => [0, 1, 2, 3].some((kind) => kind === u), {
  typeText: '0 | 1 | 2 | 3',
});

const PARAMETERS = ['dom_scale', 'clip_min', 'clip_max'] as const;

export const simulatedQuantize = defineOp({
  name: 'relay.op.annotation.simulated_quantize',
  doc: 'The nearest multiples of `dom_scale`, from `clip_min` to `clip_max` times it; with a scale of 0 (none), the data.',
  source: 'Relay v0.14 relay.op.annotation.simulated_quantize',
  inputs: ['data', ...PARAMETERS],
  attrs: attrs({
    kind: withDefault(aKind, 1),
    rounding: withDefault(oneOf('round'), 'round'),
  }),
  relation: (args, _attrs, context) => {
    const data = tensorArg(args, 0, context);
    if (data === undefined || !inDomain(data.dtype, 'float', context)) return undefined;
    for (const [i, name] of PARAMETERS.entries()) {
      const found = tensorOrFilled(args, i + 1, name, [], data.dtype, context);
      if (found === undefined || !hasRank(found, `\`${name}\``, [0], context)) return undefined;
    }
    return tensorType(data.shape, data.dtype);
  },
  kernel: (args, { kind }, out) => {
    const numberAt = (index: number): number => readNumber(args.tensor(index), 0);
    const [scale, least, most] = [numberAt(1), numberAt(2), numberAt(3)];
    return kind === 0 || scale === 0
      ? args.tensor(0)
      : simulated(args.tensor(0), { scale, least, most }, out);
  },
  cost: (_args, result) => 5 * elementCount(result),
  ...quantizes,
  quantizing: 'mark',
  domain: [undefined, SCALES, [-128, -1], [1, 127]],
  bounds: (facts, { attrs: { kind } }) => {
    const [data = ZERO, scale = ZERO, least = ZERO, most = ZERO] = facts;
    const multiple = magnitude(scale) * Math.max(magnitude(least), magnitude(most));
    return kind === 0 ? data : symmetric(Math.max(multiple, magnitude(data)));
  },
  examples: [
    { args: [f32(2, 3), f32(), f32(), f32()], result: f32(2, 3) },
    { args: [f32(4), f32n(0.25), f32n(-3), f32n(3)], attrs: { kind: 2 }, result: f32(4) },
    { args: [f32(4), f32n(0), f32n(0), f32n(0)], result: f32(4) },
  ],
});
