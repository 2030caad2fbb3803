/** The operator `nn.max_pool2d_grad`. */

import { atMaxima } from '../../definition/windows.ts';
import { poolGradient } from '../../families/pool-gradient.ts';
import { maxPoolGradient } from '../../kernels/pool-gradient.ts';

export const maxPool2dGrad = poolGradient({
  name: 'nn.max_pool2d_grad',
  doc: 'The gradient of `nn.max_pool2d`: the maximum of each window gets its gradient, of equal ones the first.',
  numerics: 'discontinuous',
  kernel: maxPoolGradient,
  gradient: atMaxima,
});
