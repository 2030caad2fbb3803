/** ResNet-50. */
import type { Expr, IRModule } from '@baton/ir';
import { convNormRelu, type Network } from './network.ts';
import {
  type BranchOptions,
  RESIDUAL_GAIN,
  type ResNetOptions,
  residualNetwork,
} from './residual.ts';

/** Output channels of a bottleneck, in multiples of the input channels of its 3×3 convolution. */
const EXPANSION = 4;

/**
 * ResNet-50 with seeded weights, batch normalization not folded, softmax at the end. As in the
 * paper, the first 1×1 convolution of a stage has the stride, not the 3×3 one.
 *
 * **Shapes** `data: [batch, 3, imageSize, imageSize]` to `[batch, classes]`.
 *
 * **Source** He et al., Deep Residual Learning for Image Recognition, 2015, table 1.
 */
export const resnet50 = (options: ResNetOptions): IRModule =>
  residualNetwork(
    { name: 'resnet50', stages: [3, 4, 6, 3], expansion: EXPANSION, branch: bottleneck },
    options,
  );

function bottleneck(net: Network, name: string, x: Expr, options: BranchOptions): Expr {
  const { inChannels, width, stride } = options;
  const reduced = convNormRelu(net, `${name}.reduce`, x, {
    inChannels,
    outChannels: width,
    kernel: 1,
    stride,
  });
  const filtered = convNormRelu(net, `${name}.filter`, reduced, {
    inChannels: width,
    outChannels: width,
    kernel: 3,
  });
  const outChannels = width * EXPANSION;
  const expanded = net.conv(`${name}.expand.conv`, filtered, {
    inChannels: width,
    outChannels,
    kernel: 1,
  });
  return net.batchNorm(`${name}.expand.bn`, expanded, outChannels, RESIDUAL_GAIN);
}
