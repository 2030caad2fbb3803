/** `MaxUnpool`: values at the places that a pool took them from, in zeros. */
import { shapeSize } from '@baton/tensor';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const maxUnpool: OnnxImporter = {
  opType: 'MaxUnpool',
  convert: (context) => {
    const { attributes, call } = context;
    const [x, places] = [context.input(0), context.input(1)];
    const shape = context.shapeOf(x);
    const wanted = context.ints(2);
    const kernel = attributes.ints('kernel_shape');
    if (context.hasFailed()) return undefined;
    if (shape === undefined) return context.unknown('expected data of known size');
    if (kernel === undefined)
      return context.fail('ONNX_ATTRIBUTE', 'expected attribute kernel_shape');
    const strides = attributes.ints('strides') ?? kernel.map(() => 1);
    const pads = attributes.ints('pads') ?? [...kernel, ...kernel].map(() => 0);
    const own = shape.map((size, axis) => {
      const i = axis - 2;
      if (i < 0) return size;
      const padding = (pads[i] ?? 0) + (pads[kernel.length + i] ?? 0);
      return (size - 1) * (strides[i] ?? 1) + (kernel[i] ?? 1) - padding;
    });
    const flat = (data: typeof x) => call('reshape', [data], { newshape: [-1] });
    const dtype = context.dtypeOf(x);
    const blank = call('zeros', [], { shape: [shapeSize(own)], dtype });
    const args = [blank, flat(places), flat(x)];
    const set = call('scatter_elements', args, { axis: 0, reduction: 'update' });
    const whole = call('reshape', [set], { newshape: own });
    if (wanted === undefined) return whole;
    const pad_width = own.map((size, axis) => [0, (wanted[axis] ?? size) - size]);
    return call('nn.pad', [whole, context.scalar(0, dtype)], { pad_width });
  },
};
