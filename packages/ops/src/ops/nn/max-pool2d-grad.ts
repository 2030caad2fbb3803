import { atMaxima } from '../../definition/windows.ts';
import { poolGradient } from '../../families/pool-gradient.ts';
import { maxPoolGradient } from '../../kernels/pool-gradient.ts';

export const maxPool2dGrad = poolGradient({
  name: 'nn.max_pool2d_grad',
  doc: 'The gradient of `nn.max_pool2d`: the largest element of each window, the first of equal ones, gets the gradient of the window.',
  numerics: 'discontinuous',
  kernel: maxPoolGradient,
  gradient: atMaxima,
});
