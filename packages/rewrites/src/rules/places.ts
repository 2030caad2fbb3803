/** The places of elements in an order. */
import type { DType } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { numberOf } from './facts.ts';

/** Integers whose differences from a zero point a float32 tells apart. */
const SHORT: ReadonlyArray<DType | undefined> = ['int8', 'uint8', 'int16', 'uint16'];
const POINTS = 2 ** 22;

/** Scales that take none of these differences out of the range of a float32. */
const [LEAST, MOST] = [2 ** -100, 2 ** 100];

interface Dequantized {
  readonly x: MatchedValue;
  readonly s: MatchedValue;
  readonly z: MatchedValue;
}

/** What integers stand for has their order: the scale is above 0, and no two become one number. */
const IN_ORDER = {
  when: ({ x, s, z }: Dequantized) => {
    const [scale, point] = [numberOf(s) ?? 0, numberOf(z) ?? Number.POSITIVE_INFINITY];
    return SHORT.includes(x.dtype) && scale > LEAST && scale < MOST && Math.abs(point) < POINTS;
  },
  // Others may use what they stand for.
  orient: 'canonical',
} as const;

/** Places of what integers stand for. */
export const places = ruleSet(
  'places',

  // argmax((x - z) * s) = argmax(x)
  rule(
    'argmax of dequantize',
    'argmax(qnn.dequantize(?x, ?s, ?z, axis=?a), attrs=?r)',
    'argmax(?x, attrs=?r)',
    IN_ORDER,
  ),
  rule(
    'argmin of dequantize',
    'argmin(qnn.dequantize(?x, ?s, ?z, axis=?a), attrs=?r)',
    'argmin(?x, attrs=?r)',
    IN_ORDER,
  ),
  rule(
    'argsort of dequantize',
    'argsort(qnn.dequantize(?x, ?s, ?z, axis=?a), attrs=?r)',
    'argsort(?x, attrs=?r)',
    IN_ORDER,
  ),
);
