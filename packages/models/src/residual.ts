/** The common parts of residual networks: stem, four stages of blocks, head. */
import type { Expr, IRModule, OpTable } from '@baton/ir';
import { classifierHead, dataModule, imageStem, type Network, network } from './network.ts';

export interface ResNetOptions {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** Height and width of the image. @defaultValue 224 */
  readonly imageSize?: number;
  /** Channels of the first stage; each later stage doubles them. @defaultValue 64 */
  readonly width?: number;
  /** @defaultValue 1000 */
  readonly classes?: number;
  /** Default: the network's name. */
  readonly seed?: string;
}

export interface ResNetDesign {
  readonly name: string;
  readonly stages: ReadonlyArray<number>;
  /** Output channels of a block, in multiples of its stage's width. */
  readonly expansion: number;
  readonly branch: (net: Network, name: string, x: Expr, options: BranchOptions) => Expr;
}

export interface BranchOptions {
  readonly inChannels: number;
  readonly width: number;
  readonly stride: number;
}

/** The scale of gamma at the end of each residual branch. */
export const RESIDUAL_GAIN = 0.25;

/** A residual network with seeded weights, as in table 1 of He et al., 2015; softmax at the end. */
export function residualNetwork(design: ResNetDesign, options: ResNetOptions): IRModule {
  const { ops, batch = 1, imageSize = 224, width = 64, classes = 1000 } = options;
  const net = network(ops, options.seed ?? design.name);
  return dataModule(ops, [batch, 3, imageSize, imageSize], (data) => {
    let x = imageStem(net, data, width);
    let inChannels = width;
    design.stages.forEach((blocks, stage) => {
      for (let block = 0; block < blocks; block++) {
        const stride = stage > 0 && block === 0 ? 2 : 1;
        const sizes = { inChannels, width: width << stage, stride };
        x = residualBlock(net, design, `stage${stage + 1}.${block}`, x, sizes);
        inChannels = sizes.width * design.expansion;
      }
    });
    return classifierHead(net, x, inChannels, classes);
  });
}

/** A branch with a shortcut, which is projected if the shape changes. */
function residualBlock(
  net: Network,
  design: ResNetDesign,
  name: string,
  x: Expr,
  options: BranchOptions,
): Expr {
  const { inChannels, width, stride } = options;
  const outChannels = width * design.expansion;
  const main = design.branch(net, name, x, options);
  const shortcut =
    stride === 1 && inChannels === outChannels
      ? x
      : net.batchNorm(
          `${name}.shortcut.bn`,
          net.conv(`${name}.shortcut.conv`, x, { inChannels, outChannels, kernel: 1, stride }),
          outChannels,
        );
  return net.op(`${name}.relu`, 'nn.relu', [net.op(`${name}.add`, 'add', [main, shortcut])]);
}
