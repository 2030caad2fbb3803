import { type Dim, tensorType } from '@baton/ir';
import { readNumber } from '@baton/tensor';
import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent, dimMismatch } from '../../diagnostics.ts';
import { f32, i8, i32 } from '../../example-types.ts';
import { POINTS, quantizes, SCALES } from '../../families/quantized.ts';
import { concatenate as kernel } from '../../kernels/concatenate.ts';
import { requantize } from '../../kernels/quantized.ts';
import { sumOfDims } from '../../relation/dims.ts';
import { dimAt, normalAxis, report, tupleArg } from '../../relation/known.ts';
import { areParameters, integersArg } from '../../relation/quantized.ts';
import { meetFields } from '../../relation/tuple.ts';

export const qnnConcatenate = defineOp({
  name: 'qnn.concatenate',
  doc: 'The tensors of a tuple, each requantized to the scale and zero point of the output, concatenated along `axis`.',
  source: 'operators §9; Relay v0.16 qnn.concatenate',
  inputs: ['data', 'input_scales', 'input_zero_points', 'output_scale', 'output_zero_point'],
  attrs: attrs({ axis: withDefault(int, 0) }),
  relation: (args, { axis }, context) => {
    const [data, scales, zeros] = [0, 1, 2].map((i) => tupleArg(args, i, context));
    if (data === undefined || scales === undefined || zeros === undefined) return undefined;
    if (data[0] === undefined) {
      return report(context, badExtent('the tuple', 'it has no tensors'));
    }
    for (const [i, given] of [scales, zeros].entries()) {
      if (given.length === data.length) continue;
      const what = i === 0 ? 'the number of `input_scales`' : 'the number of `input_zero_points`';
      return report(context, dimMismatch(what, data.length, given.length, 'fields of `data`'));
    }
    const fields = data.map(({ shape, dtype }) => tensorType(shape, dtype));
    const parameters = [...scales, ...zeros].map(({ shape, dtype }) => tensorType(shape, dtype));
    const all = [...fields, ...parameters];
    const fits =
      areParameters(args, { name: 'output', scale: 3, zero: 4 }, context) &&
      data.every((_, i) => {
        const [scale, zero] = [data.length + i, 2 * data.length + i];
        return (
          integersArg(all, i, context) !== undefined &&
          areParameters(all, { name: `input ${i}`, scale, zero }, context)
        );
      });
    const at = normalAxis(axis, data[0].shape.length, context);
    if (!fits || at === undefined) return undefined;
    const common = meetFields(data, at, context);
    if (common === undefined) return undefined;
    const along = sumOfDims(data.map((field): Dim => dimAt(field, at)));
    return tensorType(
      common.shape.map((dim, i) => (i === at ? along : dim)),
      common.dtype,
    );
  },
  kernel: (args, { axis }, out) => {
    const [scales, zeros] = [args.tuple(1), args.tuple(2)];
    const to = { scale: readNumber(args.tensor(3), 0), zero: readNumber(args.tensor(4), 0) };
    const parts = args.tuple(0).map((x, i) => {
      const [scale, zero] = [scales[i], zeros[i]];
      if (scale === undefined || zero === undefined) return x;
      return requantize(x, { scale, zero, axis: 0 }, to, x.dtype, 'UPWARD', out);
    });
    return kernel(parts, axis < 0 ? axis + (parts[0]?.shape.length ?? 0) : axis, out);
  },
  cost: (_args, result) => 6 * elementCount(result),
  ...quantizes,
  kind: 'movement',
  domain: [undefined, SCALES, POINTS, SCALES, POINTS],
  examples: [
    {
      args: [[i8(2, 3), i8(4, 3)], [f32(), f32()], [i32(), i32()], f32(), i32()],
      result: i8(6, 3),
    },
  ],
});
