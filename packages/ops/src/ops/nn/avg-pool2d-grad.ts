import { bool } from '../../attrs/codecs.ts';
import { withDefault } from '../../attrs/schema.ts';
import { poolGradient } from '../../families/pool-gradient.ts';
import { avgPoolGradient } from '../../kernels/pool-gradient.ts';

export const avgPool2dGrad = poolGradient({
  name: 'nn.avg_pool2d_grad',
  doc: 'The gradient of `nn.avg_pool2d`: each counted element of a window gets its share.',
  numerics: 'smooth',
  more: { count_include_pad: withDefault(bool, false) },
  kernel: avgPoolGradient,
  gradient: ({ op, g, attrs }) => op('nn.avg_pool2d', [g], { ...attrs }),
});
