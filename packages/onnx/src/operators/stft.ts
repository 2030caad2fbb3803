/** `STFT`: the Fourier transforms of the windows that move along a signal. */
import { fromNumbers } from '@baton/tensor';
import { fourier } from '../families/fourier.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const stft: OnnxImporter = {
  opType: 'STFT',
  convert: (context) => {
    const { attributes, call } = context;
    const [signal, window] = [context.input(0), context.optional(2)];
    const size = context.dimsOf(signal)[1];
    const [step = 0] = context.ints(1) ?? [];
    const [given] = context.ints(3) ?? [];
    const width = window && context.dimsOf(window)[0];
    const length = given ?? (typeof width === 'number' ? width : undefined);
    if (context.hasFailed()) return undefined;
    if (typeof size !== 'number' || length === undefined) {
      return context.unknown('expected known lengths of the signal and of the windows');
    }
    if (step < 1 || size < length) {
      return context.fail('ONNX_VALUE', 'expected steps, and a signal as long as a window');
    }
    const count = 1 + Math.floor((size - length) / step);
    context.room(count, length);
    const places = Float64Array.from(
      { length: count * length },
      (_, i) => Math.floor(i / length) * step + (i % length),
    );
    const indices = context.constant(fromNumbers(places, [count, length], 'int64'));
    const frames = call('take', [signal, indices], { axis: 1 });
    const weights = window && call('expand_dims', [window], { axis: 1 });
    const weighted = weights ? call('multiply', [frames, weights]) : frames;
    const onesided = attributes.int('onesided') !== 0;
    return fourier(context, weighted, { length, inverse: false, onesided });
  },
};
