/** The calls that `pnpm bench:compiled` times. */
import type { Attrs } from '@baton/ir';
import { layerFlops, outputSize, RESNET50_LAYERS } from '../kernels/conv-layers.ts';

/** A call to time. */
export interface KernelSubject {
  readonly name: string;
  readonly op: string;
  readonly data: ReadonlyArray<number>;
  readonly weight: ReadonlyArray<number>;
  readonly out: ReadonlyArray<number>;
  readonly attrs: Attrs;
  readonly flops: number;
  /** How often the call occurs in its model. */
  readonly count: number;
}

/** ResNet-50's convolutions. */
export const convolutions: ReadonlyArray<KernelSubject> = RESNET50_LAYERS.map((layer) => {
  const { channels, size, filters, kernel, stride, count } = layer;
  const after = outputSize(layer);
  const pad = (kernel - 1) >> 1;
  return {
    name: `${channels}×${size}² → ${filters}×${after}², ${kernel}×${kernel}/${stride}`,
    op: 'nn.conv2d',
    data: [1, channels, size, size],
    weight: [filters, channels, kernel, kernel],
    out: [1, filters, after, after],
    attrs: { strides: [stride, stride], padding: [pad, pad, pad, pad] },
    flops: layerFlops(layer),
    count,
  };
});

/**
 * Depthwise convolutions of MobileNet v2: channels, size and stride.
 *
 * **Source** Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, 2018, table 2.
 */
const DEPTHWISE: ReadonlyArray<readonly [channels: number, size: number, stride: number]> = [
  [32, 112, 1],
  [96, 112, 2],
  [144, 56, 1],
  [192, 28, 1],
  [384, 14, 1],
  [576, 14, 2],
  [960, 7, 1],
];

export const depthwise: ReadonlyArray<KernelSubject> = DEPTHWISE.map(([channels, size, stride]) => {
  const after = Math.ceil(size / stride);
  return {
    name: `${channels}×${size}² → ${after}², 3×3/${stride}`,
    op: 'nn.conv2d',
    data: [1, channels, size, size],
    weight: [channels, 1, 3, 3],
    out: [1, channels, after, after],
    attrs: { strides: [stride, stride], padding: [1, 1, 1, 1], groups: channels },
    flops: 2 * channels * after ** 2 * 9,
    count: 1,
  };
});

/** Products of a matrix and a constant weight: rows, depth, columns. */
const SIZES: ReadonlyArray<readonly [rows: number, depth: number, columns: number]> = [
  [256, 256, 256],
  [1024, 1024, 1024],
  [128, 128, 512],
  [16, 768, 3072],
  [1, 2048, 1000],
  [1, 9216, 4096],
];

export const products: ReadonlyArray<KernelSubject> = SIZES.map(([rows, depth, columns]) => ({
  name: `${rows} × ${depth} × ${columns}`,
  op: 'nn.dense',
  data: [rows, depth],
  weight: [columns, depth],
  out: [rows, columns],
  attrs: {},
  flops: 2 * rows * depth * columns,
  count: 1,
}));
