/** Special cases of the left sides of rules whose conditions hold for few others. */
import type { Rule } from '@baton/rewrites';
import type { RuleTrialOptions } from '@baton/testing';

/** The least float32. */
const LEAST = '-3.4028234663852886e38';

const PAD = 'pad_width=[[0, 0], [0, 0], [1, 1], [0, 1]]';

/** Special cases of left sides: the conditions of these rules hold for few others. */
const LIKE: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ['clip of nothing', ['clip(clip(?x, a_min=-1.0, a_max=1.0), a_min=-1.0, a_max=2.0)']],
  ['masked where', [`where(?c, ?x, ${LEAST})`]],
  ['masked where not', [`where(?c, ${LEAST}, ?x)`]],
  ...['argmax', 'argmin', 'argsort'].map((op): readonly [string, ReadonlyArray<string>] => [
    `${op} of dequantize`,
    [`${op}(qnn.dequantize(?x, 0.5, 3, axis=?a), attrs=?r)`],
  ]),
  ...['nn.dense', 'nn.matmul'].map((op): readonly [string, ReadonlyArray<string>] => [
    `${op} of one`,
    [`${op}(take(?x, 0, axis=0, batch_dims=0, attrs=?t), ?w, attrs=?a)`],
  ]),
  ['relu of nothing', ['nn.relu(nn.relu(?x))']],
  [
    'quadratic form',
    ['?x * ?x + 3 * ?x * ?y + ?y * ?y * 2', '2 * ?y * ?y + ?x * (?x + ?x) + 5 * ?x * ?y'],
  ],
  [
    'pad of a convolution',
    [`nn.conv2d(nn.pad(?x, 0, ${PAD}), ?w, padding=?q, data_layout="NCHW", attrs=?a)`],
  ],
  [
    'dilated convolution',
    [
      'nn.batch_to_space_nd(nn.conv2d(nn.space_to_batch_nd(?x, block_shape=[2, 1], paddings=[[2, 2], [1, 0]], pad_value=0), ?k, strides=[1, 1], padding=?q, dilation=?d, data_layout="NHWC", out_layout="", attrs=?a), block_shape=[2, 1], crops=[[0, 1], [0, 0]])',
    ],
  ],
  [
    'pad of a maximum',
    [
      `nn.max_pool2d(nn.pad(?x, ${LEAST}, ${PAD}), padding=?q, layout="NCHW", ceil_mode=False, attrs=?a)`,
    ],
  ],
  [
    'pad of a mean',
    [
      `nn.avg_pool2d(nn.pad(?x, 0, ${PAD}), layout="NCHW", ceil_mode=False, count_include_pad=True, attrs=?a)`,
    ],
  ],
  [
    'mean that now counts padding',
    [
      `nn.avg_pool2d(nn.pad(?x, 0, ${PAD}), layout="NCHW", padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=False, attrs=?a)`,
    ],
  ],
]);

/** The options of trying a rule on its special cases, if it has any. */
export const specialCases = ({ name }: Rule): RuleTrialOptions => {
  const like = LIKE.get(name);
  return like === undefined ? {} : { like };
};
