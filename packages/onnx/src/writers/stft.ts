/** `stft`: the product with cosines and sines, since `STFT` has no windows inside its frames. */
import { fromNumbers } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const stft: OnnxExporter = formula('stft', (context, data, window) => {
  const { attrs } = context;
  const shape = context.shape(data);
  if (shape === undefined) return undefined;
  const [length, hop, width] = [
    attrs.int('n_fft'),
    attrs.int('hop_length'),
    attrs.int('win_length'),
  ];
  const bins = attrs.bool('onesided') ? Math.floor(length / 2) + 1 : length;
  const frames = Math.floor(((shape[1] ?? 0) - length) / hop) + 1;
  const before = Math.floor((length - width) / 2);
  context.room(frames, width);
  context.room(width, bins, 2);
  const places = Float64Array.from(
    { length: frames * width },
    (_, i) => Math.floor(i / width) * hop + before + (i % width),
  );
  const indices = context.constant(fromNumbers(places, [frames, width], 'int64'));
  const framed = context.call('multiply', [
    context.call('take', [data, indices], { axis: 1 }),
    window,
  ]);
  const scale = attrs.bool('normalized') ? 1 / Math.sqrt(length) : 1;
  // exp(−2πi·k·n/N), the two parts beside each other.
  const waves = Float64Array.from({ length: width * bins * 2 }, (_, i) => {
    const [at, bin] = [Math.floor(i / (2 * bins)) + before, Math.floor(i / 2) % bins];
    const angle = (-2 * Math.PI * ((at * bin) % length)) / length;
    return scale * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
  });
  const weights = context.constant(fromNumbers(waves, [width, bins * 2], context.dtype(data)));
  const product = context.call('nn.matmul', [framed, weights]);
  const parts = [shape[0] ?? 1, frames, bins, 2];
  const whole = context.call('reshape', [product], { newshape: parts });
  return context.call('transpose', [whole], { axes: [0, 2, 1, 3] });
});
