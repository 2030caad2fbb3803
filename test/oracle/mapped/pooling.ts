/** Pools. */
import type { Draw } from '../draw.ts';
import { IMAGE_LAYOUTS, inLayout, relaid } from '../layouts.ts';
import type { Mapping, Mappings } from '../mapping.ts';
import type { OnnxGraph } from '../onnx-graph.ts';

/** The windows of a pool, sizes by axis. */
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
const everyWindowStartsInside = (w: Window): boolean =>
  w.image.every((size, i) => {
    const [before, after] = [w.padding[i] ?? 0, w.padding[i + w.image.length] ?? 0];
    const [stride, extent] = [w.strides[i] ?? 1, ((w.kernel[i] ?? 1) - 1) * (w.dilation[i] ?? 1)];
    const last = Math.ceil((size + before + after - extent - 1) / stride);
    return last * stride < size + before;
  });

/** An image in some layout, and the value of it in ONNX's. */
function imageIn(d: Draw, g: OnnxGraph, sizes: ReadonlyArray<number>) {
  const layouts = IMAGE_LAYOUTS[sizes.length - 3] ?? [];
  const [plain = ''] = layouts;
  const layout = d.pick(layouts);
  const x = d.tensor(inLayout(sizes, plain, layout), 'float32');
  return { x, value: relaid(g, g.input(x), layout, plain), layout, plain };
}

const pool =
  (opType: 'MaxPool' | 'AveragePool', spatial: number): Mapping =>
  (d, g) => {
    const w = window(d, spatial);
    const { image, kernel, strides, dilation, padding } = w;
    const { x, value, layout, plain } = imageIn(d, g, [d.int(1, 2), d.int(1, 3), ...image]);
    const isAverage = opType === 'AveragePool';
    const include = d.chance(0.5);
    const ceil = d.chance(0.5) && everyWindowStartsInside(w);
    const common = { kernel_shape: kernel, strides, dilations: dilation, pads: padding };
    const result = g.node(opType, [value], {
      ...common,
      ceil_mode: Number(ceil),
      ...(isAverage ? { count_include_pad: Number(include) } : {}),
    });
    const attrs = {
      pool_size: kernel,
      strides,
      dilation,
      padding,
      layout,
      ceil_mode: ceil,
      ...(isAverage ? { count_include_pad: include } : {}),
    };
    return { args: [x], attrs, result: relaid(g, result, plain, layout), ulps: isAverage ? 1 : 0 };
  };

/** An adaptive pool, axis by axis: each cell is a reduction of a slice. */
const adaptive =
  (opType: 'ReduceMax' | 'ReduceMean', spatial: number): Mapping =>
  (d, g) => {
    const output = Array.from({ length: spatial }, () => d.int(1, 3));
    const sizes = output.map((size) => d.int(size, size + 4));
    const { x, value, layout, plain } = imageIn(d, g, [d.int(1, 2), d.int(1, 2), ...sizes]);
    const result = output.reduce((whole, cells, i) => {
      const [axis, size] = [i + 2, sizes[i] ?? 1];
      const parts = Array.from({ length: cells }, (_, cell) => {
        const start = Math.floor((cell * size) / cells);
        const end = Math.ceil(((cell + 1) * size) / cells);
        const lists = [[start], [end], [axis]].map((list) => g.ints(list));
        return g.node(opType, [g.node('Slice', [whole, ...lists]), g.ints([axis])]);
      });
      return g.node('Concat', parts, { axis });
    }, value);
    const attrs = { output_size: output, layout };
    // A mean of means is rounded more often.
    const ulps = opType === 'ReduceMean' ? 4 : 0;
    return { args: [x], attrs, result: relaid(g, result, plain, layout), ulps, scale: 8 };
  };

const global =
  (opType: string): Mapping =>
  (d, g) => {
    const { x, value, layout, plain } = imageIn(d, g, d.shape(4, 4));
    const result = relaid(g, g.node(opType, [value]), plain, layout);
    return { args: [x], attrs: { layout }, result, ulps: 1 };
  };

/** Pools. */
export const pooling: Mappings = {
  'nn.max_pool1d': pool('MaxPool', 1),
  'nn.max_pool2d': pool('MaxPool', 2),
  'nn.max_pool3d': pool('MaxPool', 3),
  'nn.avg_pool1d': pool('AveragePool', 1),
  'nn.avg_pool2d': pool('AveragePool', 2),
  'nn.avg_pool3d': pool('AveragePool', 3),
  'nn.adaptive_max_pool1d': adaptive('ReduceMax', 1),
  'nn.adaptive_max_pool2d': adaptive('ReduceMax', 2),
  'nn.adaptive_max_pool3d': adaptive('ReduceMax', 3),
  'nn.adaptive_avg_pool1d': adaptive('ReduceMean', 1),
  'nn.adaptive_avg_pool2d': adaptive('ReduceMean', 2),
  'nn.adaptive_avg_pool3d': adaptive('ReduceMean', 3),
  'nn.global_avg_pool2d': global('GlobalAveragePool'),
  'nn.global_max_pool2d': global('GlobalMaxPool'),
};
