/** `DynamicQuantizeLinear`: bytes, with scale and zero point from the least and greatest value. */
import { saturated } from '../families/quantization.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** The greatest byte. */
const MOST = 255;

export const dynamicQuantizeLinear: OnnxOperator = {
  opType: 'DynamicQuantizeLinear',
  versions: [11],
  inputs: [1, 1],
  kernelSince: 11,
  convert: (context) => {
    const { call } = context;
    const x = context.input(0);
    const low = call('minimum', [call('min', [x]), 0]);
    const high = call('maximum', [call('max', [x]), 0]);
    const range = call('subtract', [high, low]);
    // Data that are all 0 have the scale 1.
    const isFlat = call('equal', [range, 0]);
    const scale = call('where', [isFlat, 1, call('divide', [range, MOST])]);
    const point = saturated(
      context,
      call('divide', [call('negative', [low]), scale]),
      undefined,
      'uint8',
    );
    const bytes = point && saturated(context, call('divide', [x, scale]), point, 'uint8');
    return bytes && point && [bytes, scale, point];
  },
};
