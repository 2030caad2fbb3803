/** The distinct convolutions of ResNet-50 at batch 1, 224 × 224, and how often each occurs. */

/** One convolution: `[1, channels, size, size]` by `[filters, channels, kernel, kernel]`. */
export interface ConvLayer {
  readonly channels: number;
  readonly size: number;
  readonly filters: number;
  readonly kernel: number;
  readonly stride: number;
  readonly count: number;
}

const layer = (
  channels: number,
  size: number,
  filters: number,
  kernel: number,
  stride: number,
  count: number,
): ConvLayer => ({ channels, size, filters, kernel, stride, count });

/** **Source** He et al., Deep Residual Learning for Image Recognition, 2015, table 1. */
export const RESNET50_LAYERS: ReadonlyArray<ConvLayer> = [
  layer(3, 224, 64, 7, 2, 1),
  layer(64, 56, 64, 1, 1, 1),
  layer(64, 56, 64, 3, 1, 3),
  layer(64, 56, 256, 1, 1, 4),
  layer(256, 56, 64, 1, 1, 2),
  layer(256, 56, 128, 1, 2, 1),
  layer(256, 56, 512, 1, 2, 1),
  layer(128, 28, 128, 3, 1, 4),
  layer(128, 28, 512, 1, 1, 4),
  layer(512, 28, 128, 1, 1, 3),
  layer(512, 28, 256, 1, 2, 1),
  layer(512, 28, 1024, 1, 2, 1),
  layer(256, 14, 256, 3, 1, 6),
  layer(256, 14, 1024, 1, 1, 6),
  layer(1024, 14, 256, 1, 1, 5),
  layer(1024, 14, 512, 1, 2, 1),
  layer(1024, 14, 2048, 1, 2, 1),
  layer(512, 7, 512, 3, 1, 3),
  layer(512, 7, 2048, 1, 1, 3),
  layer(2048, 7, 512, 1, 1, 2),
];

/** Height and width of the result. */
export const outputSize = ({ size, kernel, stride }: ConvLayer): number =>
  Math.floor((size + 2 * ((kernel - 1) >> 1) - kernel) / stride) + 1;

/** Floating-point operations of one call: a multiplication and an addition count as two. */
export const layerFlops = (l: ConvLayer): number =>
  2 * l.filters * outputSize(l) ** 2 * l.channels * l.kernel ** 2;
