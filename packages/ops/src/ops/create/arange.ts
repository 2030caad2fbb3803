import { anyDim, tensorType } from '@baton/ir';
import {
  bigsToStorage,
  fromNumbers,
  isBig,
  readBigInt,
  readNumber,
  scalar,
  tensor,
} from '@baton/tensor';
import { dtype } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { within } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32, i64 } from '../../example-types.ts';
import { hasRank, report, tensorArg } from '../../relation/known.ts';
import { toldAsIs } from '../../relay-text.ts';

export const arange = defineOp({
  name: 'arange',
  doc: 'Evenly spaced numbers from `start` to `stop` (exclusive), in steps of `step`.',
  source: 'operators §4; NumPy arange',
  inputs: ['start', 'stop', 'step'],
  attrs: attrs({ dtype: withDefault(dtype, 'float32') }),
  relation: (args, attrs, context) => {
    for (const [i, name] of ['start', 'stop', 'step'].entries()) {
      const bound = tensorArg(args, i, context);
      if (bound === undefined || !hasRank(bound, `\`${name}\``, [0], context)) return undefined;
      // A literal bound takes the dtype of the result if its value is in range.
      if (typeof bound.dtype !== 'string') context.unifyDTypes(bound.dtype, attrs.dtype);
    }
    const values = [0, 1, 2].map((i) => context.constant(i));
    const [start, stop, step] = values.map((v) => (v === undefined ? undefined : readNumber(v, 0)));
    if (start === undefined || stop === undefined || step === undefined) {
      return tensorType([anyDim], attrs.dtype);
    }
    const count = Math.ceil((stop - start) / step);
    if (!Number.isFinite(count)) {
      return report(context, badExtent('the range', `no number of steps of ${step} spans it`));
    }
    return tensorType([Math.max(0, count)], attrs.dtype);
  },
  kernel: (args, attrs, out) => {
    const shape = out.shape;
    const count = shape[0] ?? 0;
    const [start, step] = [args.tensor(0), args.tensor(2)];
    if (isBig(start.dtype) && isBig(step.dtype)) {
      const [first, by] = [readBigInt(start, 0), readBigInt(step, 0)];
      const values = Array.from({ length: count }, (_, i) => first + BigInt(i) * by);
      return tensor(bigsToStorage(values, attrs.dtype, out), shape, attrs.dtype);
    }
    const [first, by] = [readNumber(start, 0), readNumber(step, 0)];
    const values = out.take('float64', count);
    for (let i = 0; i < count; i++) values[i] = first + i * by;
    return fromNumbers(values, shape, attrs.dtype, out);
  },
  kind: 'other',
  numerics: 'exact',
  precision: 'never',
  bounds: within(-32, 32, 3),
  gradient: 'zero',
  relayText: { told: toldAsIs('dtype'), unset: { start: null, stop: null, step: null } },
  examples: [
    {
      args: [scalar(1, 'float32'), scalar(4, 'float32'), scalar(0.5, 'float32')],
      result: f32(6),
    },
    {
      args: [scalar(5, 'int64'), scalar(0, 'int64'), scalar(-2, 'int64')],
      attrs: { dtype: 'int64' },
      result: i64(3),
    },
  ],
});
