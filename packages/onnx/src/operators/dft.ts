/** `DFT`: the discrete Fourier transform along an axis, or its inverse. */
import { fourier } from '../families/fourier.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const dft: OnnxImporter = {
  opType: 'DFT',
  convert: (context) => {
    const { attributes, call } = context;
    const x = context.input(0);
    const rank = context.dimsOf(x).length;
    const [length] = context.ints(1) ?? [];
    const [place = -2] = context.version < 20 ? [attributes.int('axis')] : (context.ints(2) ?? []);
    const axis = context.axis(place, rank);
    const size = context.dimsOf(x)[axis];
    if (context.hasFailed()) return undefined;
    if (typeof size !== 'number') return context.unknown('expected a known length of the signal');
    const [inverse, onesided] = [attributes.int('inverse') !== 0, attributes.int('onesided') !== 0];
    const last = rank - 2;
    const axes = Array.from({ length: rank }, (_, i) =>
      i === axis ? last : i === last ? axis : i,
    );
    const whole = inverse && onesided ? 2 * (size - 1) : size;
    const turned = call('transpose', [x], { axes });
    const found = fourier(context, turned, { length: length ?? whole, inverse, onesided });
    return found && call('transpose', [found], { axes });
  },
};
