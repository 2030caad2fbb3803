/** `CausalConvWithState`: each channel's sums of its past, which begins with a state. */
import { swishOf } from '../families/swish.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const causalConvWithState: OnnxImporter = {
  opType: 'CausalConvWithState',
  convert: (context) => {
    const { call } = context;
    const [x, weight, bias] = [context.input(0), context.input(1), context.optional(2)];
    const [channels, , width] = context.shapeOf(weight) ?? [];
    if (channels === undefined || width === undefined) {
      return context.unknown('expected a weight of known size');
    }
    const name = context.attributes.string('activation');
    if (!['none', 'silu', 'swish'].includes(name)) {
      return context.fail('ONNX_ATTRIBUTE', `the activation function ${name} is not imported`);
    }
    const past = context.optional(3);
    const zero = context.scalar(0, context.dtypeOf(x));
    const all = past
      ? call('concatenate', [context.tuple([past, x])], { axis: 2 })
      : call('nn.pad', [x, zero], {
          pad_width: [
            [0, 0],
            [0, 0],
            [width - 1, 0],
          ],
        });
    const attrs = { groups: channels, channels, kernel_size: [width], padding: [0, 0] };
    const sums = call('nn.conv1d', [all, weight], attrs);
    const whole = bias ? call('nn.bias_add', [sums, bias], { axis: 1 }) : sums;
    const kept = width - 1;
    const end = Number.MAX_SAFE_INTEGER;
    const present =
      kept === 0
        ? call('strided_slice', [all], { begin: [end], end: [end], axes: [2] })
        : call('strided_slice', [all], { begin: [-kept], end: [end], axes: [2] });
    return [name === 'none' ? whole : swishOf(call, whole, 1), present];
  },
};
