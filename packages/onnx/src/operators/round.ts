import { ROUND_NEEDS, roundedEven } from '../families/rounding.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Round` to the nearest whole number, halves to the even one. */
export const round: OnnxOperator = {
  domain: '',
  opType: 'Round',
  versions: [11, 22],
  inputs: [1, 1],
  attributes: {},
  needs: ROUND_NEEDS,
  convert: (context) => roundedEven(context, context.input(0)),
};
