/** `QLinearAveragePool`: the mean of each window of a quantized tensor. */
import { channelsFirst } from '../../families/channels-first.ts';
import { throughFloats } from '../../families/through-floats.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';
import { averagePool } from '../average-pool.ts';

export const qLinearAveragePool: OnnxImporter = throughFloats({
  opType: 'QLinearAveragePool',
  inputs: [4, 5],
  attributes: {
    auto_pad: 'string',
    ceil_mode: 'int',
    channels_last: 'int',
    count_include_pad: 'int',
    kernel_shape: 'ints',
    pads: 'ints',
    strides: 'ints',
  },
  data: [0],
  result: 3,
  of: channelsFirst(averagePool.convert),
});
