/** Pools. */
import type { Draw } from '../draw.ts';
import type { Mapping, Mappings } from '../mapping.ts';

const LAYOUTS = ['NCW', 'NCHW', 'NCDHW'] as const;

interface Window {
  readonly image: ReadonlyArray<number>;
  readonly kernel: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
}

/** A window whose padding is narrower than it. */
function window(d: Draw, spatial: number): Window {
  const each = <A>(make: () => A): ReadonlyArray<A> => Array.from({ length: spatial }, make);
  const kernel = each(() => d.int(1, 3));
  const dilation = each(() => d.int(1, 2));
  const pad = (): ReadonlyArray<number> => kernel.map((k) => d.int(0, k - 1));
  return {
    image: kernel.map((k, i) => (k - 1) * (dilation[i] ?? 1) + d.int(1, 5)),
    kernel,
    strides: each(() => d.int(1, 3)),
    dilation,
    padding: [...pad(), ...pad()],
  };
}

/** ONNX leaves out a last window that starts in the padding behind the image; Relay has it. */
const everyWindowStartsInside = (image: ReadonlyArray<number>, w: Window): boolean =>
  image.every((size, i) => {
    const [before, after] = [w.padding[i] ?? 0, w.padding[i + image.length] ?? 0];
    const [stride, extent] = [w.strides[i] ?? 1, ((w.kernel[i] ?? 1) - 1) * (w.dilation[i] ?? 1)];
    const last = Math.ceil((size + before + after - extent - 1) / stride);
    return last * stride < size + before;
  });

const pool =
  (opType: 'MaxPool' | 'AveragePool', spatial: number): Mapping =>
  (d, g) => {
    const w = window(d, spatial);
    const { image, kernel, strides, dilation, padding } = w;
    const x = d.tensor([d.int(1, 2), d.int(1, 3), ...image], 'float32');
    const isAverage = opType === 'AveragePool';
    const ceil = !isAverage && d.chance(0.5) && everyWindowStartsInside(image, w);
    const include = d.chance(0.5);
    const common = { kernel_shape: kernel, strides, dilations: dilation, pads: padding };
    const result = g.node(opType, [g.input(x)], {
      ...common,
      ceil_mode: Number(ceil),
      ...(isAverage ? { count_include_pad: Number(include) } : {}),
    });
    const attrs = {
      pool_size: kernel,
      strides,
      dilation,
      padding,
      layout: LAYOUTS[spatial - 1] ?? '',
      ceil_mode: ceil,
      ...(isAverage ? { count_include_pad: include } : {}),
    };
    return { args: [x], attrs, result, ulps: isAverage ? 1 : 0 };
  };

/** ONNX has adaptive pools where every window has the same size: then they are pools. */
const adaptive =
  (opType: 'MaxPool' | 'AveragePool', spatial: number): Mapping =>
  (d, g) => {
    const output = Array.from({ length: spatial }, () => d.int(1, 3));
    const kernel = output.map(() => d.int(1, 3));
    const image = output.map((size, i) => size * (kernel[i] ?? 1));
    const x = d.tensor([d.int(1, 2), d.int(1, 3), ...image], 'float32');
    const result = g.node(opType, [g.input(x)], { kernel_shape: kernel, strides: kernel });
    return { args: [x], attrs: { output_size: output }, result, ulps: 1 };
  };

const global =
  (opType: string): Mapping =>
  (d, g) => {
    const x = d.tensor(d.shape(4, 4), 'float32');
    return { args: [x], result: g.node(opType, [g.input(x)]), ulps: 1 };
  };

/** Pools. */
export const pooling: Mappings = {
  'nn.max_pool1d': pool('MaxPool', 1),
  'nn.max_pool2d': pool('MaxPool', 2),
  'nn.max_pool3d': pool('MaxPool', 3),
  'nn.avg_pool1d': pool('AveragePool', 1),
  'nn.avg_pool2d': pool('AveragePool', 2),
  'nn.avg_pool3d': pool('AveragePool', 3),
  'nn.adaptive_max_pool1d': adaptive('MaxPool', 1),
  'nn.adaptive_max_pool2d': adaptive('MaxPool', 2),
  'nn.adaptive_max_pool3d': adaptive('MaxPool', 3),
  'nn.adaptive_avg_pool1d': adaptive('AveragePool', 1),
  'nn.adaptive_avg_pool2d': adaptive('AveragePool', 2),
  'nn.adaptive_avg_pool3d': adaptive('AveragePool', 3),
  'nn.global_avg_pool2d': global('GlobalAveragePool'),
  'nn.global_max_pool2d': global('GlobalMaxPool'),
};
