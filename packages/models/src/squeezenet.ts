/** SqueezeNet. */
import { builderSpan } from '@baton/base';
import { type Expr, type IRModule, type OpTable, tuple, tupleGetItem } from '@baton/ir';
import { type ConvOptions, dataModule, type Network, network } from './network.ts';

export interface SqueezeNetOptions {
  readonly ops: OpTable;
  /** `1.0` is the paper's version; `1.1`, by the same authors, has 2.4 times fewer operations. */
  readonly version?: '1.0' | '1.1';
  /** @defaultValue 1 */
  readonly batch?: number;
  /** Height and width of the image; at least 31. @defaultValue 224 */
  readonly imageSize?: number;
  /** Multiplies every channel count, rounded to multiples of 4. @defaultValue 1 */
  readonly widthMultiplier?: number;
  /** @defaultValue 1000 */
  readonly classes?: number;
  /** @defaultValue `squeezenet` */
  readonly seed?: string;
}

/** The first convolution, and the numbers of the fire modules that follow a pooling. */
interface Design {
  readonly stemChannels: number;
  readonly stemKernel: number;
  readonly pooledBefore: ReadonlyArray<number>;
}

const DESIGNS: Readonly<Record<'1.0' | '1.1', Design>> = {
  '1.0': { stemChannels: 96, stemKernel: 7, pooledBefore: [2, 5, 9] },
  '1.1': { stemChannels: 64, stemKernel: 3, pooledBefore: [2, 4, 6] },
};

/** The squeezed channels of the modules fire2 to fire9: table 1 of the paper. */
const SQUEEZED: ReadonlyArray<number> = [16, 16, 32, 32, 48, 48, 64, 64];

/** Each expansion of a fire module has this many times the squeezed channels. */
const EXPANSION = 4;

const DROPOUT_RATE = 0.5;

/**
 * SqueezeNet with seeded weights: a fire module squeezes the channels, expands them by two parallel
 * convolutions, and concatenates the results; softmax is at the end.
 *
 * **Shapes** `data: [batch, 3, imageSize, imageSize]` to `[batch, classes]`.
 *
 * **Source** Iandola et al., SqueezeNet: AlexNet-level accuracy with 50x fewer parameters, 2016.
 */
export function squeezenet(options: SqueezeNetOptions): IRModule {
  const { ops, batch = 1, imageSize = 224, widthMultiplier = 1, classes = 1000 } = options;
  const { stemChannels, stemKernel, pooledBefore } = DESIGNS[options.version ?? '1.0'];
  const net = network(ops, options.seed ?? 'squeezenet');
  const scaled = (channels: number): number =>
    Math.max(4, Math.round((channels * widthMultiplier) / 4) * 4);
  return dataModule(ops, [batch, 3, imageSize, imageSize], (data) => {
    let channels = scaled(stemChannels);
    let x = convRelu(net, 'stem', data, {
      inChannels: 3,
      outChannels: channels,
      kernel: stemKernel,
      stride: 2,
      padding: 0,
    });
    SQUEEZED.forEach((squeezedChannels, index) => {
      const module = index + 2;
      if (pooledBefore.includes(module)) {
        x = net.op(`pool${module}`, 'nn.max_pool2d', [x], {
          pool_size: [3, 3],
          strides: [2, 2],
          ceil_mode: true,
        });
      }
      const squeezed = scaled(squeezedChannels);
      x = fire(net, `fire${module}`, x, channels, squeezed);
      channels = 2 * EXPANSION * squeezed;
    });
    const dropped = net.op('head.dropout', 'nn.dropout', [x], { rate: DROPOUT_RATE });
    const kept = tupleGetItem(dropped, 0, builderSpan('head.dropout'));
    const scores = convRelu(net, 'head', kept, {
      inChannels: channels,
      outChannels: classes,
      kernel: 1,
    });
    const pooled = net.op('head.pool', 'nn.global_avg_pool2d', [scores]);
    const logits = net.op('head.flatten', 'nn.batch_flatten', [pooled]);
    return net.op('head.softmax', 'nn.softmax', [logits]);
  });
}

/** Squeezes the channels, and expands them by a 1×1 and a 3×3 convolution. */
function fire(net: Network, name: string, x: Expr, inChannels: number, squeezed: number): Expr {
  const small = convRelu(net, `${name}.squeeze`, x, {
    inChannels,
    outChannels: squeezed,
    kernel: 1,
  });
  const expanded = [1, 3].map((kernel) =>
    convRelu(net, `${name}.expand${kernel}`, small, {
      inChannels: squeezed,
      outChannels: EXPANSION * squeezed,
      kernel,
    }),
  );
  const both = tuple(expanded, builderSpan(`${name}.concat`));
  return net.op(`${name}.concat`, 'concatenate', [both], { axis: 1 });
}

function convRelu(net: Network, name: string, x: Expr, options: ConvOptions): Expr {
  const conv = net.conv(`${name}.conv`, x, { ...options, bias: true });
  return net.op(`${name}.relu`, 'nn.relu', [conv]);
}
