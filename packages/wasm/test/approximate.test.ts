import { describe, expect, it } from 'vitest';
import { makeModule, v128 } from '../src/emit/index.ts';
import { type Approximation, erf, exp, log, tanh } from '../src/generate/approximate.ts';
import { hostWebAssembly } from '../src/web-assembly.ts';

type Host = NonNullable<ReturnType<typeof hostWebAssembly>>;
const host = hostWebAssembly() as Host;

const COUNT = 65_536;

/** The results of an approximation for as many numbers as a memory holds. */
function resultsOf(f: Approximation, numbers: Float32Array): Float32Array {
  const module = makeModule();
  module.importMemory('env', 'memory', { minimum: 1 });
  const run = module.procedure([], (b) => {
    b.for(0, 4 * COUNT, 16, (at) => b.do(v128.store(at, f(v128.load(at), b))));
  });
  module.exportFunction('run', run);
  const memory = new host.Memory({ initial: 4 });
  const values = new Float32Array(memory.buffer);
  values.set(numbers);
  const { exports } = new host.Instance(new host.Module(module.finish()), { env: { memory } });
  exports.run?.();
  return values.slice();
}

/** The distance of neighbouring floats at a number. */
const unitAt = (value: number): number =>
  2 ** Math.max(Math.floor(Math.log2(Math.abs(value))) - 23, -149);

/** The largest error in units in the last place of the exact value. */
function largestError(
  f: Approximation,
  exact: (x: number) => number,
  numbers: Float32Array,
): number {
  const found = resultsOf(f, numbers);
  return found.reduce((most, value, i) => {
    const wanted = exact(numbers[i] as number);
    if (Object.is(value, Math.fround(wanted))) return most;
    return Math.max(most, Math.abs(value - wanted) / unitAt(wanted));
  }, 0);
}

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
    ['tanh', tanh, Math.tanh, between(-10, 10), 3],
    ['erf', erf, exactErf, between(-4, 4), 6],
  ] as const)('%s has the error that it states', (_, f, exact, numbers, units) => {
    expect(largestError(f, exact, numbers)).toBeLessThan(units);
  });

  it('give what the functions give for NaN, infinities, zeros and extremes', () => {
    const numbers = new Float32Array(COUNT).fill(1);
    numbers.set(SPECIAL);
    for (const [f, exact] of [
      [exp, Math.exp],
      [log, Math.log],
      [tanh, Math.tanh],
    ] as const) {
      const found = [...resultsOf(f, numbers).slice(0, SPECIAL.length)];
      const wanted = SPECIAL.map((_, i) => Math.fround(exact(numbers[i] as number)));
      expect(found.map((value, i) => [numbers[i], near(value, wanted[i] as number)])).toEqual(
        wanted.map((value, i) => [numbers[i], value]),
      );
    }
  });
});

/** The wanted value, if the found one is within two units of it. */
const near = (found: number, wanted: number): number =>
  Object.is(found, wanted) || Math.abs(found - wanted) <= 2 * unitAt(wanted) ? wanted : found;
