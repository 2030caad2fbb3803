/** `Compress` by a constant condition: the slices along an axis at which it holds. */
import { shapeSize, tensor, toNumbers } from '@baton/tensor';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const compress: OnnxImporter = {
  opType: 'Compress',
  convert: (context) => {
    const x = context.input(0);
    const condition = context.valueOf(context.input(1));
    if (condition === undefined) {
      return context.unknown('expected a constant condition as input 1');
    }
    const isFlat = !context.attributes.has('axis');
    const dims = context.dimsOf(x);
    const axis = isFlat ? 0 : context.axis(context.attributes.int('axis', 0), dims.length);
    if (context.hasFailed()) return undefined;
    const shape = isFlat ? context.shapeOf(x) : undefined;
    const size = isFlat ? shape && shapeSize(shape) : dims[axis];
    const places = Array.from(toNumbers(condition)).flatMap((holds, i) => (holds ? [i] : []));
    if (typeof size === 'number' && places.some((place) => place >= size)) {
      return context.fail('ONNX_INDEX', `expected a condition of at most ${size} elements`);
    }
    const data = isFlat ? context.call('reshape', [x], { newshape: [-1] }) : x;
    const indices = context.constant(tensor(places, [places.length], 'int64'));
    return context.call('take', [data, indices], { axis });
  },
};
