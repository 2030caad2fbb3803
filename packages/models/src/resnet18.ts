/** ResNet-18. */
import type { Expr, IRModule } from '@baton/ir';
import { convNormRelu, type Network } from './network.ts';
import {
  type BranchOptions,
  RESIDUAL_GAIN,
  type ResNetOptions,
  residualNetwork,
} from './residual.ts';

/**
 * ResNet-18 with seeded weights, batch normalization not folded, softmax at the end.
 *
 * **Shapes** `data: [batch, 3, imageSize, imageSize]` to `[batch, classes]`.
 *
 * **Source** He et al., Deep Residual Learning for Image Recognition, 2015, table 1.
 */
export const resnet18 = (options: ResNetOptions): IRModule =>
  residualNetwork(
    { name: 'resnet18', stages: [2, 2, 2, 2], expansion: 1, branch: basicBranch },
    options,
  );

function basicBranch(net: Network, name: string, x: Expr, options: BranchOptions): Expr {
  const { inChannels, width, stride } = options;
  const first = convNormRelu(net, `${name}.first`, x, {
    inChannels,
    outChannels: width,
    kernel: 3,
    stride,
  });
  const second = net.conv(`${name}.last.conv`, first, {
    inChannels: width,
    outChannels: width,
    kernel: 3,
  });
  return net.batchNorm(`${name}.last.bn`, second, width, RESIDUAL_GAIN);
}
