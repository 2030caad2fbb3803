/** DenseNet-121. */
import { builderSpan } from '@baton/base';
import { type Expr, type IRModule, type OpTable, tuple } from '@baton/ir';
import { classifierHead, dataModule, imageStem, type Network, network } from './network.ts';

export interface DenseNet121Options {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** Height and width of the image; at least 32. @defaultValue 224 */
  readonly imageSize?: number;
  /** Channels that every layer adds; the stem has twice that number. @defaultValue 32 */
  readonly growth?: number;
  /** @defaultValue 1000 */
  readonly classes?: number;
  /** @defaultValue `densenet121` */
  readonly seed?: string;
}

/** The number of layers of each dense block: table 1 of the paper. */
const BLOCKS: ReadonlyArray<number> = [6, 12, 24, 16];

/** A layer's 1×1 convolution has this many times the channels that the layer adds. */
const BOTTLENECK = 4;

/** Between blocks the channels are divided by this. */
const COMPRESSION = 2;

/**
 * DenseNet-121 (the paper's DenseNet-BC) with seeded weights: each layer reads the results of all
 * layers before it in its block. Batch normalization precedes the convolutions and is not folded;
 * softmax is at the end.
 *
 * **Shapes** `data: [batch, 3, imageSize, imageSize]` to `[batch, classes]`.
 *
 * **Source** Huang et al., Densely Connected Convolutional Networks, 2017.
 */
export function densenet121(options: DenseNet121Options): IRModule {
  const { ops, batch = 1, imageSize = 224, growth = 32, classes = 1000 } = options;
  const net = network(ops, options.seed ?? 'densenet121');
  return dataModule(ops, [batch, 3, imageSize, imageSize], (data) => {
    let channels = 2 * growth;
    let x = imageStem(net, data, channels);
    BLOCKS.forEach((layers, block) => {
      if (block > 0) {
        x = transition(net, `transition${block}`, x, channels);
        channels = Math.floor(channels / COMPRESSION);
      }
      for (let layer = 0; layer < layers; layer++) {
        x = denseLayer(net, `block${block + 1}.${layer}`, x, channels, growth);
        channels += growth;
      }
    });
    return classifierHead(net, normRelu(net, 'head', x, channels), channels, classes);
  });
}

/** The input, with the `growth` channels appended that a layer computes from it. */
function denseLayer(net: Network, name: string, x: Expr, inChannels: number, growth: number): Expr {
  const hidden = BOTTLENECK * growth;
  const reduced = net.conv(`${name}.reduce.conv`, normRelu(net, `${name}.reduce`, x, inChannels), {
    inChannels,
    outChannels: hidden,
    kernel: 1,
  });
  const added = net.conv(`${name}.grow.conv`, normRelu(net, `${name}.grow`, reduced, hidden), {
    inChannels: hidden,
    outChannels: growth,
    kernel: 3,
  });
  const both = tuple([x, added], builderSpan(`${name}.concat`));
  return net.op(`${name}.concat`, 'concatenate', [both], { axis: 1 });
}

/** Reduces the channels, and halves height and width. */
function transition(net: Network, name: string, x: Expr, inChannels: number): Expr {
  const reduced = net.conv(`${name}.conv`, normRelu(net, name, x, inChannels), {
    inChannels,
    outChannels: Math.floor(inChannels / COMPRESSION),
    kernel: 1,
  });
  return net.op(`${name}.pool`, 'nn.avg_pool2d', [reduced], { pool_size: [2, 2], strides: [2, 2] });
}

const normRelu = (net: Network, name: string, x: Expr, channels: number): Expr =>
  net.op(`${name}.relu`, 'nn.relu', [net.batchNorm(`${name}.bn`, x, channels)]);
