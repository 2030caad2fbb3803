/** `ConvTranspose` over one to three spatial axes, with a bias per channel. */
import type { Dim } from '@baton/ir';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const convTranspose: OnnxImporter = {
  opType: 'ConvTranspose',
  convert: (context) => {
    const [x, weight, bias] = [context.input(0), context.input(1), context.optional(2)];
    const dims = context.dimsOf(x);
    const weightShape = context.shapeOf(weight);
    const rank = dims.length - 2;
    if (weightShape === undefined) return context.unknown('expected a weight of known size');
    if (rank < 1 || rank > 3 || weightShape.length !== dims.length) {
      return context.fail('ONNX_RANK', 'expected data and a weight of one to three spatial axes');
    }
    const w = window(context, dims.slice(2), weightShape.slice(2));
    if (w === undefined) return undefined;
    const groups = context.attributes.int('group');
    const result = context.call(`nn.conv${rank}d_transpose`, [x, weight], { ...w, groups });
    return bias === undefined ? result : context.call('nn.bias_add', [result, bias], { axis: 1 });
  },
};

interface Window {
  readonly kernel_size: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly output_padding: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
}

/** The attributes of the moving window; `undefined` after a failure. */
function window(
  context: NodeContext,
  dims: ReadonlyArray<Dim>,
  kernel: ReadonlyArray<number>,
): Window | undefined {
  const { attributes } = context;
  const list = (name: string, value: number, count: number): ReadonlyArray<number> => {
    const given = attributes.ints(name) ?? new Array<number>(count).fill(value);
    if (given.length !== count) {
      context.fail('ONNX_ATTRIBUTE', `expected attribute ${name} of ${count} numbers`);
    }
    return given;
  };
  const rank = dims.length;
  const strides = list('strides', 1, rank);
  const dilation = list('dilations', 1, rank);
  const extra = list('output_padding', 0, rank);
  const given = list('pads', 0, 2 * rank);
  if (list('kernel_shape', 0, rank).some((k, i) => k !== 0 && k !== kernel[i])) {
    context.fail('ONNX_ATTRIBUTE', 'expected a kernel_shape that is the shape of the weight');
  }
  if (context.hasFailed()) return undefined;
  const fixed = { kernel_size: kernel, strides, dilation };
  const autoPad = attributes.string('auto_pad');
  const isSame = autoPad === 'SAME_UPPER' || autoPad === 'SAME_LOWER';
  const sizes = attributes.ints('output_shape')?.slice(-rank);
  if (sizes === undefined && !isSame) {
    const padding = autoPad === 'VALID' ? given.map(() => 0) : given;
    return { ...fixed, padding, output_padding: extra };
  }
  // The size of the result is given: the excess is padding.
  const known = dims.filter((dim) => typeof dim === 'number');
  if (sizes !== undefined && (known.length < rank || sizes.length !== rank)) {
    return context.unknown('expected known spatial sizes');
  }
  const excess = dims.map((_, i) => {
    const stride = strides[i] ?? 1;
    const reach = ((kernel[i] ?? 1) - 1) * (dilation[i] ?? 1) + 1 + (extra[i] ?? 0);
    // A size times the stride needs the same padding for any size.
    const rest = sizes === undefined ? 0 : stride * (known[i] ?? 0) - (sizes[i] ?? 0);
    return reach - stride + rest;
  });
  const [small, large] = [
    excess.map((n) => Math.floor(Math.max(n, 0) / 2)),
    excess.map((n) => Math.ceil(Math.max(n, 0) / 2)),
  ];
  const padding = autoPad === 'SAME_UPPER' ? [...small, ...large] : [...large, ...small];
  const output_padding = extra.map((n, i) => n + Math.max(-(excess[i] ?? 0), 0));
  return { ...fixed, padding, output_padding };
}
