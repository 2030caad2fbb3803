import { mulberry32 } from '@baton/base';
import { describe, expect, it } from 'vitest';
import type { Value } from '../src/emit/index.ts';
import { power, quarterPower } from '../src/generate/power.ts';
import { largestError, resultsOf } from './vector-run.ts';

type Vector = Value<'v128'>;

const COUNT = 65_536;

const powersOf = (x: Float32Array, y: Float32Array): Float32Array =>
  resultsOf(([base, exponent], f) => power(base as Vector, exponent as Vector, f), [x, y]);

/** Unlike JavaScript's, IEEE 754's power of 1 is 1 for NaN too, and an infinite power of ±1 is 1. */
const ieee = (x: number, y: number): number =>
  x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y;

const exactly = (x: Float32Array, y: Float32Array) => (i: number) =>
  ieee(x[i] as number, y[i] as number);

const random = mulberry32(16);
const floats = (number: () => number): Float32Array => Float32Array.from({ length: COUNT }, number);

/** Positive floats of every magnitude. */
const magnitudes = floats(() => 2 ** (-149 + 276.9 * random()));

const SPECIAL = [
  NaN,
  Infinity,
  -Infinity,
  0,
  -0,
  1,
  -1,
  2,
  -2,
  3,
  -3,
  0.5,
  -0.5,
  0.75,
  1e-45,
  3e38,
];

describe('powers', () => {
  it.each([
    [
      'results of every magnitude',
      magnitudes,
      magnitudes.map((x) => (300 * random() - 150) / Math.log2(x)),
    ],
    ['bases near 1', floats(() => 0.9 + 0.2 * random()), floats(() => 800 * random() - 400)],
    [
      'whole powers of negative bases',
      floats(() => -4 * random()),
      floats(() => Math.floor(40 * random()) - 20),
    ],
  ] as const)('have the error that they state: %s', (_, x, y) => {
    expect(largestError(powersOf(x, y), exactly(x, y))).toBeLessThan(1);
  });

  it('give what IEEE 754 says of NaN, infinities, zeros and negative bases', () => {
    const pairs = SPECIAL.flatMap((x) => SPECIAL.map((y) => [x, y] as const));
    const x = Float32Array.from(pairs, ([base]) => base);
    const y = Float32Array.from(pairs, ([, exponent]) => exponent);
    const found = powersOf(x, y);
    const problems = pairs.filter((_, i) => {
      const wanted = Math.fround(exactly(x, y)(i));
      return !(
        Object.is(found[i], wanted) ||
        Math.abs((found[i] as number) - wanted) < 1e-6 * Math.abs(wanted)
      );
    });
    expect(problems).toEqual([]);
  });
});

describe('powers of quarters', () => {
  const quarters = Array.from({ length: 21 }, (_, i) => i / 4 - 1).filter((y) => y !== 0);

  it('have the error that they state', () => {
    for (const y of quarters) {
      const x = Float32Array.from([
        ...SPECIAL,
        ...magnitudes,
        ...magnitudes.map((value) => -value),
      ]);
      const found = resultsOf(([base], f) => quarterPower(base as Vector, y, f) as Vector, [x]);
      const error = largestError(found, exactly(x, new Float32Array(x.length).fill(y)));
      expect(error, `to the power of ${y}`).toBeLessThan(4);
    }
  });

  it('are only those between -1 and 4', () => {
    for (const y of [-1.25, 4.25, 0.3, 0, NaN, Infinity]) {
      const f = undefined as never;
      expect(quarterPower({} as Vector, y, f)).toBeUndefined();
    }
  });
});
