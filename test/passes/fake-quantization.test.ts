/**
 * FakeQuantizationToInteger: operators and results of TVM, which
 * `bench/peers/tvm/fake_quantization.py` wrote; its options, and the error that it may make.
 */
import { readFileSync } from 'node:fs';
import { orThrow } from '@baton/base';
import { checkEquivalent } from '@baton/equivalence';
import { evaluate } from '@baton/executor';
import { type IRModule, inferTypes, postOrderExprs } from '@baton/ir';
import { isOpCall, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { type DType, fromNumbers, isTensor, type Tensor, toNumbers } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

interface Numbers {
  readonly shape: ReadonlyArray<number>;
  readonly dtype: DType;
  readonly data: ReadonlyArray<number>;
}

interface Known {
  readonly name: string;
  readonly program: string;
  readonly operators: ReadonlyArray<string>;
  readonly args: ReadonlyArray<Numbers>;
  readonly result: Numbers;
}

const cases: ReadonlyArray<Known> = JSON.parse(
  readFileSync(new URL('fake-quantization-of-tvm.json', import.meta.url), 'utf8'),
);

const read = (text: string): IRModule =>
  orThrow(inferTypes(orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }))));

const tensorOf = ({ data, shape, dtype }: Numbers): Tensor => fromNumbers(data, shape, dtype);

const operatorsOf = (m: IRModule): ReadonlyArray<string> =>
  postOrderExprs([...m.functions.values()])
    .filter(isOpCall)
    .map(({ op }) => op.name)
    .sort();

const resultOf = (m: IRModule, args: ReadonlyArray<Numbers>): Tensor => {
  const found = orThrow(evaluate(m, args.map(tensorOf)));
  if (!isTensor(found)) throw new Error('the result is a tensor');
  return found;
};

const distance = (a: Tensor, b: Tensor): number => {
  const [left, right] = [toNumbers(a), toNumbers(b)];
  return Math.max(...Array.from(left, (x, i) => Math.abs(Number(x) - Number(right[i]))));
};

/** TVM divides means in whole steps of the argument, and Baton in finer ones. */
const MEANS = ['a mean', 'a pool of means'];

describe('the operators and the results of TVM', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (name, { program, ...known }) => {
    const m = read(program);
    const { module } = orThrow(runPass(passes.fakeQuantizationToInteger)(m));
    const expected = tensorOf(known.result);
    const found = resultOf(module, known.args);
    expect([found.dtype, found.shape]).toEqual([expected.dtype, expected.shape]);
    if (MEANS.includes(name)) {
      const exact = resultOf(m, known.args);
      expect(distance(found, exact)).toBeLessThanOrEqual(distance(expected, exact));
      expect(operatorsOf(module)).not.toContain('qnn.quantize');
      return;
    }
    expect(operatorsOf(module)).toEqual([...known.operators].sort());
    expect(Array.from(toNumbers(found))).toEqual(Array.from(toNumbers(expected)));
  });
});

const DENSE = `def @main(%x: Tensor[(8, 3), uint8], %w: Tensor[(4, 3), int8]) {
  %0 = nn.dense(qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%w, 0.25f, 0));
  qnn.quantize(nn.relu(%0), 2f, -100)
}`;

describe('a region that has to stay', () => {
  const sine = read(`def @main(%x: Tensor[(2, 3), int8]) {
    qnn.quantize(sin(qnn.dequantize(%x, 0.5f, 3)), 0.01f, 3)
  }`);

  it('is an error where it must not', () => {
    const pass = passes.fakeQuantizationToInteger({ hardFail: true });
    expect(runPass(pass)(sine)).toMatchObject({
      left: [
        {
          code: 'QUANTIZATION_RULE',
          message: 'expected a call of sin that integers can stand for, found another',
          span: { _tag: 'TextSpan' },
        },
      ],
    });
    expect(orThrow(runPass(pass)(read(DENSE))).module).not.toBe(sine);
  });

  it('is none by default', () => {
    expect(orThrow(runPass(passes.fakeQuantizationToInteger)(sine)).module).toBe(sine);
  });
});

describe('the comparison with a program on integers', () => {
  const [before, needs] = [read(DENSE), ['quantized'] as const];
  const after = (scale: string, zero: string): IRModule =>
    read(`def @main(%x: Tensor[(8, 3), uint8], %w: Tensor[(4, 3), int8]) {
      %0 = qnn.dense(%x, %w, ${zero}, 0, 0.5f, 0.25f);
      qnn.requantize(maximum(%0, 0), ${scale}, 0, 2f, -100)
    }`);

  it('allows the rounding of the last step, with the permission', () => {
    const { verdict, regimes } = orThrow(checkEquivalent(before, after('0.125f', '3'), { needs }));
    expect(verdict).toBe('equal');
    expect(regimes.shadow).toMatchObject({ _tag: 'NotApplied' });
  });

  it.each([
    ['a scale', '0.15f', '3'],
    ['a zero point', '0.125f', '30'],
  ])('finds %s that is wrong', (_, scale, zero) => {
    const found = checkEquivalent(before, after(scale, zero), { needs });
    expect(orThrow(found).verdict).toBe('different');
  });
});
