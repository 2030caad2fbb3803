/**
 * Quantize and its passes: operators and results of TVM, which `bench/peers/tvm/quantize.py` wrote;
 * calibration on data; and the error of whole networks.
 */
import { readFileSync } from 'node:fs';
import { isLeft, orThrow, renderDiagnostics } from '@baton/base';
import { checkEquivalent, checkPass, verify } from '@baton/equivalence';
import { evaluate, interpreter } from '@baton/executor';
import {
  bindByName,
  constant,
  type Func,
  type IRModule,
  inferTypes,
  postOrderExprs,
  withFunctions,
} from '@baton/ir';
import { isCallOf, isOpCall, standardOps } from '@baton/ops';
import { passStatistics, runPass } from '@baton/pass-manager';
import { passes, type QuantizeOptions, quantize } from '@baton/passes';
import { type DType, fromNumbers, isTensor, type Tensor, toNumbers } from '@baton/tensor';
import { programOf } from '@baton/testing';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

interface Numbers {
  readonly shape: ReadonlyArray<number>;
  readonly dtype: DType;
  readonly data: ReadonlyArray<number>;
}

interface Known {
  readonly name: string;
  readonly program: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly operators: ReadonlyArray<string>;
  readonly args: Readonly<Record<string, Numbers>>;
  readonly weights: Readonly<Record<string, Numbers>>;
  readonly result: Numbers;
}

const cases: ReadonlyArray<Known> = JSON.parse(
  readFileSync(new URL('quantize-of-tvm.json', import.meta.url), 'utf8'),
);

/** The number of random networks. */
const RUNS = amount(40, { quick: 10 });

const read = (text: string): IRModule =>
  orThrow(inferTypes(orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }))));

const tensorOf = ({ data, shape, dtype }: Numbers): Tensor => fromNumbers(data, shape, dtype);

/** The program with its weights as constants. */
function networkOf({ program, weights }: Known): IRModule {
  const m = read(program);
  const values = Object.entries(weights).map(
    ([name, value]) => [name, constant(tensorOf(value))] as const,
  );
  const main = orThrow(bindByName(m.functions.get('main') as Func, new Map(values)));
  return orThrow(inferTypes(withFunctions(m, new Map([['main', main]]))));
}

/** The options by the names that TVM has for them. */
const optionsOf = ({ config }: Known): QuantizeOptions =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

const operatorsOf = (m: IRModule): ReadonlyArray<string> =>
  postOrderExprs([...m.functions.values()])
    .filter(isOpCall)
    .map(({ op }) => op.name)
    .sort();

const resultOf = (m: IRModule, args: Readonly<Record<string, Tensor>>): Tensor => {
  const found = orThrow(evaluate(m, args));
  if (!isTensor(found)) throw new Error('the result is a tensor');
  return found;
};

const argsOf = (known: Known): Readonly<Record<string, Tensor>> =>
  Object.fromEntries(Object.entries(known.args).map(([name, value]) => [name, tensorOf(value)]));

/** The operators that only pass a value on: TVM writes one for each of its users. */
const isMark = (name: string): boolean => name.startsWith('annotation.');

describe('the operators and the results of TVM', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_name, known) => {
    const { module } = orThrow(runPass(quantize(optionsOf(known)))(networkOf(known)));
    const found = resultOf(module, argsOf(known));
    const expected = tensorOf(known.result);
    expect(found.shape).toEqual(expected.shape);
    expect(Array.from(toNumbers(found))).toEqual(Array.from(toNumbers(expected)));
    const operators = new Set(operatorsOf(module).filter((name) => !isMark(name)));
    // TVM spells a product in fixed point out.
    if (operators.has('qnn.requantize')) return;
    expect(operators).toEqual(new Set(known.operators.filter((name) => !isMark(name))));
  });
});

const [residual] = cases;
if (residual === undefined) throw new Error('there are cases');

const all: QuantizeOptions = { skipConvLayers: [], skipDenseLayer: false };

/** The distance of the quantized network from the network, as a share of its largest number. */
function errorOf(options: QuantizeOptions, known: Known): number {
  const [m, args] = [networkOf(known), argsOf(known)];
  const wanted = toNumbers(resultOf(m, args));
  const { module } = orThrow(runPass(quantize({ ...all, ...options }))(m));
  const found = toNumbers(resultOf(module, args));
  const largest = Math.max(...Array.from(wanted, (x) => Math.abs(Number(x))));
  const distances = Array.from(wanted, (x, i) => Math.abs(Number(x) - Number(found[i])));
  return Math.max(...distances) / largest;
}

describe('calibration on data', () => {
  const byData = { executor: interpreter, dataset: [argsOf(residual)] };

  it('by percentile is nearer than one scale for all', () => {
    const given: QuantizeOptions = { calibrateMode: 'percentile', ...byData };
    const own = errorOf({ ...given, doSimulation: true }, residual);
    expect(own).toBeLessThan(0.03);
    expect(own).toBeLessThan(errorOf({ doSimulation: true }, residual));
    expect(errorOf(given, residual)).toBeLessThan(errorOf({}, residual));
  });

  it('is the same with the places in groups', () => {
    const text = (options: QuantizeOptions): string =>
      printModule(orThrow(runPass(quantize({ ...all, ...options }))(networkOf(residual))).module);
    const given: QuantizeOptions = { calibrateMode: 'percentile', ...byData };
    expect(text({ ...given, calibrateChunkBy: 2 })).toBe(text(given));
  });

  it('needs an executor, and data', () => {
    const given = quantize({ ...all, calibrateMode: 'percentile', executor: interpreter });
    expect(runPass(given)(networkOf(residual))).toMatchObject({
      left: [{ code: 'QUANTIZE_DATA' }],
    });
    const short = quantize({ ...all, calibrateMode: 'percentile', ...byData, dataset: [{}] });
    expect(runPass(short)(networkOf(residual))).toMatchObject({
      left: [{ code: 'EXEC_MISSING_ARGUMENT' }],
    });
  });

  it('takes the numbers that come by, in functions, branches and loops', () => {
    const m = read(`def @main(%x: Tensor[(2), float32], %c: bool) {
      %0 = if (%c) { @times(%x, 3) } else {
        relay.op.annotation.simulated_quantize(%x, 0f, 0f, 0f)
      };
      %0
    }
    def @times(%x: Tensor[(2), float32], %n: int32) -> Tensor[(2), float32] {
      if (equal(%n, 0)) { %x } else {
        let %y = relay.op.annotation.simulated_quantize(%x, 0f, 0f, 0f);
        @times(%y + %y, subtract(%n, 1))
      }
    }`);
    const dataset = [[fromNumbers([1, -2], [2], 'float32'), fromNumbers([1], [], 'bool')]];
    const given = { calibrateMode: 'percentile', executor: interpreter, dataset } as const;
    const { module, report } = orThrow(runPass(passes.quantizeCalibrate(given))(m));
    const scales = postOrderExprs([...module.functions.values()])
      .filter((node) => isCallOf(node, 'relay.op.annotation.simulated_quantize'))
      .map(({ args: [, scale] }) => (scale?._tag === 'Constant' ? toNumbers(scale.data)[0] : 0));
    // The numbers double twice in the function; no run comes by in the other branch.
    expect([...scales].sort()).toEqual([8 / 128, 8 / 128]);
    expect(passStatistics(report).get('QuantizeCalibrate')).toEqual({ 'by data': 1, 'for all': 1 });
  });
});

describe('the range of a few bits', () => {
  const spread = (count: number, power: number, most: number): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => {
      const at = (2 * ((i * 7919) % 10_007)) / 10_007 - 1;
      return Math.sign(at) * Math.abs(at) ** power * most;
    });

  // What `FindScaleByKLMinimization` of TVM 0.16 finds.
  it.each([
    [5000, 3, 4, 3.984002113342285, 3.995603561401367],
    [20000, 5, 1, 0.9865016937255859, 0.9985016584396362],
    [20000, 9, 10, 9.53255844116211, 9.977036476135254],
    [3000, 1, 2, 1.9980002641677856, 1.9966012239456177],
  ])('of %d numbers to the power of %d', (count, power, most, both, above) => {
    const numbers = spread(count, power, most);
    const found = [numbers, numbers.map((x) => Math.max(x, 0))].map((of) => scaleOf(of));
    expect(found[0]).toBeCloseTo(both, 5);
    expect(found[1]).toBeCloseTo(above, 5);
  });

  /** The largest number of the scale that calibration finds for these numbers. */
  function scaleOf(numbers: Float64Array): number {
    const m = read(`def @main(%x: Tensor[(${numbers.length}), float64]) {
      relay.op.annotation.simulated_quantize(cast(%x, dtype="float32"), 0f, 0f, 0f)
    }`);
    const dataset = [[fromNumbers(numbers, [numbers.length], 'float64')]];
    const given = { calibrateMode: 'kl_divergence', executor: interpreter, dataset } as const;
    const { module } = orThrow(runPass(passes.quantizeCalibrate(given))(m));
    const { body } = module.functions.get('main') as Func;
    const scale = body._tag === 'Call' ? body.args[1] : undefined;
    return scale?._tag === 'Constant' ? 128 * Number(toNumbers(scale.data)[0]) : Number.NaN;
  }
});

describe('the error of quantized networks', () => {
  it('is that of the units of their scales, pass by pass, on random networks', () => {
    let compared = 0;
    for (let seed = 0; seed < RUNS; seed++) {
      const { module: m } = programOf(seed, { focus: ['quantizable'], maxCalls: 12 });
      const verified = runPass(quantize(all), { instruments: [verify({ when: 'each' })] })(m);
      expect(isLeft(verified) ? renderDiagnostics(verified.left) : '').toBe('');
      const { equivalence } = orThrow(checkPass(quantize({ ...all, doSimulation: true }), m));
      expect(equivalence.verdict).not.toBe('different');
      if (equivalence.regimes.native._tag === 'Applied') compared++;
    }
    expect(compared).toBeGreaterThan(RUNS / 2);
  });

  it('is found where a scale is wrong', () => {
    const program = (scale: string, most: string): IRModule =>
      read(`def @main(%x: Tensor[(8), float32]) {
        relay.op.annotation.simulated_quantize(%x, ${scale}, -${most}, ${most})
      }`);
    const marked = program('0.25f', '127f');
    const needs = ['quantized'] as const;
    const verdict = (text: string): string =>
      orThrow(checkEquivalent(marked, read(text), { needs })).verdict;
    const whole = (ratio: string): string => `def @main(%x: Tensor[(8), float32]) {
      clip(round(%x * ${ratio}), a_min=-127f, a_max=127f) * 0.25f
    }`;
    expect(verdict(whole('4f'))).toBe('equal');
    expect(verdict(whole('5f'))).toBe('different');
  });
});
