import { anyDim, type Dim, isStaticDim, tensorType } from '@baton/ir';
import { toNumbers } from '@baton/tensor';
import { bool, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { magnitude, ZERO } from '../../bounds/bounds.ts';
import { symmetric } from '../../bounds/rules.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, badExtent, dimMismatch } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { fourier } from '../../kernels/fourier.ts';
import { finish, numberBuffer } from '../../kernels/values.ts';
import { dimAgrees } from '../../relation/dims.ts';
import { dimAt, hasRank, inDomain, report, sameDType, tensorArg } from '../../relation/known.ts';

export const stft = defineOp({
  name: 'stft',
  doc: 'The short-time Fourier transform: frames of `n_fft` elements, `hop_length` apart, times a centred window. Axes: frequencies, frames, real and imaginary part.',
  source: 'operators §4; Relay v0.14 stft; PyTorch stft without centring',
  inputs: ['data', 'window'],
  attrs: attrs({
    n_fft: positiveInt,
    hop_length: positiveInt,
    win_length: positiveInt,
    normalized: withDefault(bool, false),
    onesided: withDefault(bool, true),
  }),
  relation: (args, attrs, context) => {
    const { n_fft: length, hop_length: hop, win_length: width, onesided } = attrs;
    const data = tensorArg(args, 0, context);
    const window = tensorArg(args, 1, context);
    if (data === undefined || window === undefined) return undefined;
    if (!inDomain(data.dtype, 'float', context)) return undefined;
    if (sameDType(data.dtype, window.dtype, '`window`', context) === undefined) return undefined;
    if (!hasRank(data, '`data`', [2], context)) return undefined;
    if (!hasRank(window, '`window`', [1], context)) return undefined;
    if (width > length) return report(context, badAttr('win_length', 'it is at most `n_fft`'));
    if (!dimAgrees(dimAt(window, 0), width)) {
      const found = dimAt(window, 0);
      return report(context, dimMismatch('axis 0 of `window`', width, found, '`win_length`'));
    }
    const size = dimAt(data, 1);
    if (isStaticDim(size) && size < length) {
      return report(context, badExtent('axis 1 of `data`', `it has fewer than ${length} numbers`));
    }
    const frames: Dim = isStaticDim(size) ? Math.floor((size - length) / hop) + 1 : anyDim;
    const bins = onesided ? Math.floor(length / 2) + 1 : length;
    return tensorType([dimAt(data, 0), bins, frames, 2], data.dtype);
  },
  kernel: (args, attrs, out) => {
    const { n_fft: length, hop_length: hop, win_length: width, normalized } = attrs;
    const data = toNumbers(args.tensor(0), out);
    const window = toNumbers(args.tensor(1), out);
    const { shape } = out;
    const [batches = 0, bins = 0, frames = 0] = shape;
    const size = args.tensor(0).shape[1] ?? 0;
    const before = Math.floor((length - width) / 2);
    const scale = normalized ? 1 / Math.sqrt(length) : 1;
    const transform = fourier(length, false);
    const { dtype } = args.tensor(0);
    const result = numberBuffer(dtype, batches * bins * frames * 2, out);
    const silence = new Float64Array(length);
    for (let batch = 0; batch < batches; batch++) {
      for (let frame = 0; frame < frames; frame++) {
        const start = batch * size + frame * hop + before;
        const weighted = new Float64Array(length);
        for (let i = 0; i < width; i++) {
          weighted[before + i] = (data[start + i] as number) * (window[i] as number);
        }
        const { re, im } = transform(weighted, silence);
        for (let bin = 0; bin < bins; bin++) {
          const at = ((batch * bins + bin) * frames + frame) * 2;
          result[at] = (re[bin] as number) * scale;
          result[at + 1] = (im[bin] as number) * scale;
        }
      }
    }
    return finish(result, shape, dtype, out);
  },
  cost: (_args, result) => 10 * elementCount(result),
  kind: 'other',
  numerics: 'smooth',
  bounds: ([data = ZERO, window = ZERO], { attrs: { n_fft: length } }) =>
    symmetric(length * magnitude(data) * magnitude(window)),
  examples: [
    {
      args: [f32(2, 8), f32(4)],
      attrs: { n_fft: 4, hop_length: 2, win_length: 4 },
      result: f32(2, 3, 3, 2),
    },
    {
      args: [f32(1, 7), f32(3)],
      attrs: { n_fft: 5, hop_length: 1, win_length: 3, normalized: true, onesided: false },
      result: f32(1, 5, 3, 2),
    },
  ],
});
