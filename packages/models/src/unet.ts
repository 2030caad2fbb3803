/** U-Net. */
import type { Expr, IRModule, OpTable } from '@baton/ir';
import { joined } from './exported.ts';
import { convNormRelu, dataModule, type Network, network } from './network.ts';
import { heBound } from './weights.ts';

export interface UnetOptions {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** Height and width of the image, at least 2 to the depth. @defaultValue 96 */
  readonly imageSize?: number;
  /** Channels of the first level; each deeper one doubles them. @defaultValue 16 */
  readonly width?: number;
  /** The number of times that the image is halved. @defaultValue 4 */
  readonly depth?: number;
  /** @defaultValue 2 */
  readonly classes?: number;
  /** @defaultValue `unet` */
  readonly seed?: string;
}

/** An image of one size, with its channels. */
interface Level {
  readonly x: Expr;
  readonly channels: number;
  readonly size: number;
}

/**
 * U-Net with seeded weights, as PyTorch's exporter writes it: an image is halved several times,
 * then enlarged by transposed convolutions, each concatenated with the image before halving, padded
 * to its size. Convolutions keep the size and are normalized.
 *
 * **Shapes** `data: [batch, 3, imageSize, imageSize]` to logits
 * `[batch, classes, imageSize, imageSize]`.
 *
 * **Source** Ronneberger et al., U-Net, 2015, figure 1.
 */
export function unet(options: UnetOptions): IRModule {
  const { ops, batch = 1, imageSize = 96, width = 16, depth = 4, classes = 2 } = options;
  const net = network(ops, options.seed ?? 'unet');
  return dataModule(ops, [batch, 3, imageSize, imageSize], (data) => {
    const start = { x: twice(net, 'down0', data, 3, width), channels: width, size: imageSize };
    const levels: Level[] = [start];
    let level: Level = start;
    for (let step = 1; step <= depth; step++) {
      level = halved(net, `down${step}`, level);
      levels.push(level);
    }
    for (const skip of levels.slice(0, -1).reverse()) {
      level = grown(net, `up${Math.log2(skip.channels / width)}`, level, skip);
    }
    const last = { inChannels: width, outChannels: classes, kernel: 1, bias: true };
    return net.conv('head.conv', level.x, last);
  });
}

/** Two 3×3 convolutions. */
function twice(net: Network, name: string, x: Expr, inChannels: number, outChannels: number): Expr {
  const first = convNormRelu(net, `${name}.first`, x, { inChannels, outChannels, kernel: 3 });
  return convNormRelu(net, `${name}.last`, first, {
    inChannels: outChannels,
    outChannels,
    kernel: 3,
  });
}

function halved(net: Network, name: string, { x, channels, size }: Level): Level {
  const pooled = net.op(`${name}.pool`, 'nn.max_pool2d', [x], {
    pool_size: [2, 2],
    strides: [2, 2],
  });
  const wide = 2 * channels;
  return { x: twice(net, name, pooled, channels, wide), channels: wide, size: size >> 1 };
}

/** Restores the image to the size before it was halved, and appends that image. */
function grown(net: Network, name: string, { x, channels, size }: Level, skip: Level): Level {
  const half = channels / 2;
  const weight = net.weight(`${name}.conv`, [channels, half, 2, 2], heBound(channels));
  const product = net.op(`${name}.conv`, 'nn.conv2d_transpose', [x, weight], {
    channels: half,
    kernel_size: [2, 2],
    strides: [2, 2],
  });
  const large = net.op(`${name}.conv`, 'nn.bias_add', [product, net.bias(`${name}.conv`, half)], {
    axis: 1,
  });
  const missing = skip.size - 2 * size;
  const widths = [missing >> 1, missing - (missing >> 1)];
  const padded = net.op(`${name}.pad`, 'nn.pad', [large, net.number(`${name}.pad`, 0)], {
    pad_width: [[0, 0], [0, 0], widths, widths],
  });
  const both = joined(net, `${name}.join`, [skip.x, padded], 1);
  return { ...skip, x: twice(net, name, both, channels, half) };
}
