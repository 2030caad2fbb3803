/** Pools. */
import type { CaseDraw, CaseDraws } from '../case.ts';
import type { Draw } from '../draw.ts';
import { IMAGE_LAYOUTS, inLayout } from '../layouts.ts';

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

/** ONNX leaves out a last window that starts in the padding after the image; Relay has it. */
const everyWindowStartsInside = (w: Window): boolean =>
  w.image.every((size, i) => {
    const [before, after] = [w.padding[i] ?? 0, w.padding[i + w.image.length] ?? 0];
    const [stride, extent] = [w.strides[i] ?? 1, ((w.kernel[i] ?? 1) - 1) * (w.dilation[i] ?? 1)];
    const last = Math.ceil((size + before + after - extent - 1) / stride);
    return last * stride < size + before;
  });

/** An image in some layout. */
function imageIn(d: Draw, sizes: ReadonlyArray<number>) {
  const layouts = IMAGE_LAYOUTS[sizes.length - 3] ?? [];
  const [plain = ''] = layouts;
  const layout = d.pick(layouts);
  return { x: d.tensor(inLayout(sizes, plain, layout), 'float32'), layout };
}

const pool =
  (kind: 'max' | 'average', spatial: number): CaseDraw =>
  (d) => {
    const w = window(d, spatial);
    const { image, kernel, strides, dilation, padding } = w;
    const { x, layout } = imageIn(d, [d.int(1, 2), d.int(1, 3), ...image]);
    const include = d.chance(0.5);
    const ceil = d.chance(0.5) && everyWindowStartsInside(w);
    const attrs = { pool_size: kernel, strides, dilation, padding, layout, ceil_mode: ceil };
    return kind === 'max'
      ? { args: [x], attrs }
      : { args: [x], attrs: { ...attrs, count_include_pad: include }, ulps: 1 };
  };

/** A mean of means is rounded more often. */
const MEAN_ULPS = 4;

const adaptive =
  (spatial: number, ulps: number): CaseDraw =>
  (d) => {
    const output = Array.from({ length: spatial }, () => d.int(1, 3));
    const sizes = output.map((size) => d.int(size, size + 4));
    const { x, layout } = imageIn(d, [d.int(1, 2), d.int(1, 2), ...sizes]);
    return { args: [x], attrs: { output_size: output, layout }, ulps, scale: 8 };
  };

const global: CaseDraw = (d) => {
  const { x, layout } = imageIn(d, d.shape(4, 4));
  return { args: [x], attrs: { layout }, ulps: 1 };
};

/** Pools. */
export const pooling: CaseDraws = {
  'nn.max_pool1d': pool('max', 1),
  'nn.max_pool2d': pool('max', 2),
  'nn.max_pool3d': pool('max', 3),
  'nn.avg_pool1d': pool('average', 1),
  'nn.avg_pool2d': pool('average', 2),
  'nn.avg_pool3d': pool('average', 3),
  'nn.adaptive_max_pool1d': adaptive(1, 0),
  'nn.adaptive_max_pool2d': adaptive(2, 0),
  'nn.adaptive_max_pool3d': adaptive(3, 0),
  'nn.adaptive_avg_pool1d': adaptive(1, MEAN_ULPS),
  'nn.adaptive_avg_pool2d': adaptive(2, MEAN_ULPS),
  'nn.adaptive_avg_pool3d': adaptive(3, MEAN_ULPS),
  'nn.global_avg_pool2d': global,
  'nn.global_max_pool2d': global,
};
