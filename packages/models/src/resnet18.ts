import type { Expr, IRModule, OpTable } from '@baton/ir';
import { imageModule, type Network, network } from './network.ts';

/** Sizes of {@link resnet18}. */
export interface ResNet18Options {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** Height and width of the image. @defaultValue 224 */
  readonly imageSize?: number;
  /** Channels of the first stage; each later stage doubles them. @defaultValue 64 */
  readonly width?: number;
  /** @defaultValue 1000 */
  readonly classes?: number;
  /** @defaultValue `resnet18` */
  readonly seed?: string;
}

/** Gamma's scale at the end of each residual branch. */
const RESIDUAL_GAIN = 0.25;

const STAGES = 4;
const BLOCKS_PER_STAGE = 2;

/**
 * ResNet-18 with seeded weights, batch normalization not folded, softmax at the end.
 *
 * **Shapes** `data: [batch, 3, imageSize, imageSize]` to `[batch, classes]`.
 * **Source** He et al., Deep Residual Learning for Image Recognition, 2015, table 1.
 */
export function resnet18(options: ResNet18Options): IRModule {
  const { ops, batch = 1, imageSize = 224, width = 64, classes = 1000 } = options;
  const net = network(ops, options.seed ?? 'resnet18');
  return imageModule(ops, [batch, 3, imageSize, imageSize], (data) => {
    const stem = net.conv('stem.conv', data, {
      inChannels: 3,
      outChannels: width,
      kernel: 7,
      stride: 2,
    });
    const active = net.op('stem.relu', 'nn.relu', [net.batchNorm('stem.bn', stem, width)]);
    let x = net.op('stem.pool', 'nn.max_pool2d', [active], {
      pool_size: [3, 3],
      strides: [2, 2],
      padding: [1, 1, 1, 1],
    });
    let channels = width;
    for (let stage = 0; stage < STAGES; stage++) {
      const outChannels = width << stage;
      for (let block = 0; block < BLOCKS_PER_STAGE; block++) {
        const stride = stage > 0 && block === 0 ? 2 : 1;
        x = basicBlock(net, `stage${stage + 1}.${block}`, x, channels, outChannels, stride);
        channels = outChannels;
      }
    }
    const pooled = net.op('head.pool', 'nn.global_avg_pool2d', [x]);
    const flat = net.op('head.flatten', 'nn.batch_flatten', [pooled]);
    const logits = net.dense('head.dense', flat, channels, classes);
    return net.op('head.softmax', 'nn.softmax', [logits]);
  });
}

/** Two 3×3 convolutions around a shortcut, which is projected where the shape changes. */
function basicBlock(
  net: Network,
  name: string,
  x: Expr,
  inChannels: number,
  outChannels: number,
  stride: number,
): Expr {
  const first = net.conv(`${name}.conv1`, x, { inChannels, outChannels, kernel: 3, stride });
  const active = net.op(`${name}.relu1`, 'nn.relu', [
    net.batchNorm(`${name}.bn1`, first, outChannels),
  ]);
  const second = net.conv(`${name}.conv2`, active, {
    inChannels: outChannels,
    outChannels,
    kernel: 3,
  });
  const main = net.batchNorm(`${name}.bn2`, second, outChannels, RESIDUAL_GAIN);
  const shortcut =
    stride === 1 && inChannels === outChannels
      ? x
      : net.batchNorm(
          `${name}.shortcut.bn`,
          net.conv(`${name}.shortcut.conv`, x, { inChannels, outChannels, kernel: 1, stride }),
          outChannels,
        );
  return net.op(`${name}.relu2`, 'nn.relu', [net.op(`${name}.add`, 'add', [main, shortcut])]);
}
