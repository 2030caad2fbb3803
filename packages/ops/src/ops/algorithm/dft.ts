import { tupleType } from '@baton/ir';
import { type Tensor, toNumbers } from '@baton/tensor';
import { bool } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { magnitude, ZERO } from '../../bounds/bounds.ts';
import { symmetric } from '../../bounds/rules.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { fourier } from '../../kernels/fourier.ts';
import { finish, numberBuffer } from '../../kernels/values.ts';
import { dimsAgree, inDomain, report, sameDType, tensorArg } from '../../relation/known.ts';

export const dft = defineOp({
  name: 'dft',
  doc: 'The discrete Fourier transform, or its inverse, along the last axis, of real and imaginary parts.',
  source: 'operators §4; Relay v0.14 dft',
  inputs: ['re_data', 'im_data'],
  attrs: attrs({ inverse: withDefault(bool, false) }),
  relation: (args, _attrs, context) => {
    const re = tensorArg(args, 0, context);
    const im = tensorArg(args, 1, context);
    if (re === undefined || im === undefined) return undefined;
    if (!inDomain(re.dtype, 'float', context)) return undefined;
    if (sameDType(re.dtype, im.dtype, '`im_data`', context) === undefined) return undefined;
    if (re.shape.length === 0 || !dimsAgree(re.shape, im.shape)) {
      return report(context, badExtent('the parts', 'both have one shape, of rank 1 or more'));
    }
    return tupleType([re.type, im.type]);
  },
  kernel: (args, { inverse }, out) => {
    const [re, im] = [args.tensor(0), args.tensor(1)];
    const parts = [re, im].map((part) => Float64Array.from(toNumbers(part, out)));
    const results = [re, im].map(({ dtype }) => numberBuffer(dtype, parts[0]?.length ?? 0, out));
    const length = re.shape.at(-1) ?? 1;
    const transform = fourier(length, inverse);
    const [real = new Float64Array(), imaginary = real] = parts;
    for (let start = 0; start < real.length; start += length) {
      const end = start + length;
      const row = transform(real.subarray(start, end), imaginary.subarray(start, end));
      results[0]?.set(row.re, start);
      results[1]?.set(row.im, start);
    }
    return results.map((result) =>
      finish(result, re.shape, re.dtype, out),
    ) as ReadonlyArray<Tensor>;
  },
  cost: (args) => 10 * (args[0] === undefined ? 0 : elementCount(args[0])),
  kind: 'other',
  numerics: 'smooth',
  bounds: ([re = ZERO, im = ZERO], { result }) => {
    const dims = '_tag' in result.shape ? [] : result.shape;
    const length = dims.at(-1);
    return symmetric(
      2 * (typeof length === 'number' ? length : 1) * (magnitude(re) + magnitude(im)),
    );
  },
  examples: [
    { args: [f32(2, 4), f32(2, 4)], result: [f32(2, 4), f32(2, 4)] },
    { args: [f32(6), f32(6)], attrs: { inverse: true }, result: [f32(6), f32(6)] },
  ],
});
