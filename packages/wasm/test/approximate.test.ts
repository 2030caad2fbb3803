import { describe, expect, it } from 'vitest';
import { type Approximation, erf, exp, log, tanh } from '../src/generate/approximate.ts';
import { largestError, resultsOf, unitAt } from './vector-run.ts';

const COUNT = 65_536;

const resultsFor = (f: Approximation, numbers: Float32Array): Float32Array =>
  resultsOf(([x], b) => f(x as Parameters<Approximation>[0], b), [numbers]);

const between = (low: number, high: number): Float32Array =>
  Float32Array.from({ length: COUNT }, (_, i) => low + ((high - low) * i) / (COUNT - 1));

/** Every magnitude of float32, in steps of the exponent. */
const magnitudes = (): Float32Array =>
  Float32Array.from({ length: COUNT }, (_, i) => 2 ** (-149 + (277 * i) / COUNT));

/** erf in double, by its series. */
function exactErf(x: number): number {
  if (Math.abs(x) > 5) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

const SPECIAL = [Number.NaN, Infinity, -Infinity, 0, -0, 1e-40, -1e-40, 3e38, -3e38, 89, -105];

describe('approximated functions', () => {
  it.each([
    ['exp', exp, Math.exp, between(-87, 88.7), 2],
    ['exp of small results', exp, Math.exp, between(-103, -87), 2],
    ['log', log, Math.log, magnitudes(), 2],
    ['log near 1', log, Math.log, between(0.5, 2), 2],
    ['tanh', tanh, Math.tanh, between(-10, 10), 6],
    ['tanh near 0', tanh, Math.tanh, magnitudes().map((x) => Math.min(x, 20)), 6],
    ['erf', erf, exactErf, between(-4, 4), 6],
    ['erf near 0', erf, exactErf, magnitudes().map((x) => Math.min(x, 4)), 6],
  ] as const)('%s has the error that it states', (_, f, exact, numbers, units) => {
    const error = largestError(resultsFor(f, numbers), (i) => exact(numbers[i] as number));
    expect(error).toBeLessThan(units);
  });

  it('give what the functions give for NaN, infinities, zeros and extremes', () => {
    const numbers = new Float32Array(COUNT).fill(1);
    numbers.set(SPECIAL);
    for (const [f, exact] of [
      [exp, Math.exp],
      [log, Math.log],
      [tanh, Math.tanh],
      [erf, exactErf],
    ] as const) {
      const found = [...resultsFor(f, numbers).slice(0, SPECIAL.length)];
      const wanted = SPECIAL.map((_, i) => Math.fround(exact(numbers[i] as number)));
      expect(found.map((value, i) => [numbers[i], near(value, wanted[i] as number)])).toEqual(
        wanted.map((value, i) => [numbers[i], value]),
      );
    }
  });
});

describe('functions that approach 1', () => {
  it.each([
    ['tanh', tanh],
    ['erf', erf],
  ] as const)('%s reaches it, and never goes beyond', (_, f) => {
    const found = resultsFor(f, between(0, 40));
    expect(found.reduce((most, value) => Math.max(most, value))).toBe(1);
    expect(found.at(-1)).toBe(1);
  });
});

/** The wanted value, if the found one is within two units of it. */
const near = (found: number, wanted: number): number =>
  Object.is(found, wanted) || Math.abs(found - wanted) <= 2 * unitAt(wanted) ? wanted : found;
