/** ToMixedPrecision: its options, and what the comparison allows a narrower type. */
import { orThrow } from '@baton/base';
import { checkEquivalent, checkPass } from '@baton/equivalence';
import { type IRModule, inferTypes } from '@baton/ir';
import { precisionColumn, standardOps } from '@baton/ops';
import { passStatistics, runPass, sequential } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { testPass } from '@baton/testing';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';

const read = (body: string, ops = standardOps): IRModule => {
  const text = `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) { ${body} }`;
  return orThrow(inferTypes(orThrow(parseModule(text, { ops }))));
};

const dense = read('nn.dense(%x, %w)');

test('C334 the configuration keeps the dtype of the result', () => {
  const config = { 'relay.ToMixedPrecision.keep_orig_output_dtype': true };
  const kept = orThrow(runPass(passes.toMixedPrecision, { config })(dense)).module;
  expect(printModule(kept)).toContain('-> Tensor[(2, 4), float32]');
  // The option of the pass stands above the configuration.
  const own = passes.toMixedPrecision({ keepOrigOutputDtype: false });
  const narrow = orThrow(runPass(own, { config })(dense)).module;
  expect(printModule(narrow)).toContain('-> Tensor[(2, 4), float16]');
});

test('bfloat16 keeps the results of random programs, too', () => {
  const pass = passes.toMixedPrecision({ dtype: 'bfloat16' });
  expect(orThrow(testPass(pass, { count: 40, seed: 24 })).changed).toBeGreaterThan(20);
});

describe('an operator without a precision', () => {
  const relu = standardOps.get('nn.relu');
  if (relu === undefined) throw new Error('there is a relu');
  const facets = new Map([...relu.facets].filter(([column]) => column !== precisionColumn.name));
  const m = read(
    'my.relu(nn.dense(%x, %w))',
    standardOps.with({ ...relu, name: 'my.relu', facets }),
  );
  const run = (missingOpMode: 'error' | 'warn' | 'ignore') =>
    runPass(passes.toMixedPrecision({ missingOpMode }))(m);

  test('is an error', () => {
    expect(run('error')).toMatchObject({
      left: [
        { code: 'MIXED_PRECISION_MISSING', message: 'expected a precision of my.relu, found none' },
      ],
    });
  });

  test.each([['warn', 1] as const, ['ignore', 0] as const])(
    'follows its arguments in the mode %s, and is reported %i times',
    (mode, times) => {
      const { module, report } = orThrow(run(mode));
      expect(printModule(module)).toContain('-> Tensor[(2, 4), float16]');
      expect(passStatistics(report).get('ToMixedPrecision')?.['no precision stated'] ?? 0).toBe(
        times,
      );
    },
  );
});

describe('the comparison with a narrower program', () => {
  const narrow = (body: string): IRModule => read(`%0 = cast(%x, dtype="float16"); ${body}`);
  const right = narrow('nn.dense(%0, cast(%w, dtype="float16"))');
  const needs = ['nnan', 'ninf', 'narrow'] as const;

  test('finds a right one equal wherever it applies', () => {
    const { verdict, regimes } = orThrow(checkEquivalent(dense, right, { needs }));
    expect(verdict).toBe('equal');
    expect(regimes).toMatchObject({
      shadow: { _tag: 'Applied', equal: true },
      native: { _tag: 'Applied', equal: true },
      special: { _tag: 'NotApplied' },
    });
  });

  test('needs the permission', () => {
    const found = checkEquivalent(dense, right);
    expect(found).toMatchObject({ left: [{ code: 'EQUIV_SIGNATURE' }] });
  });

  test.each(['shadow', 'native'] as const)(
    'finds an error of 1 in 8 in the regime %s',
    (regime) => {
      const larger = read('nn.dense(%x, %w) * 1.125f');
      const options = { needs, regimes: [regime] };
      expect(orThrow(checkEquivalent(larger, right, options)).verdict).toBe('different');
    },
  );

  test('finds in the grid that integers were rounded', () => {
    const wrong = narrow(
      'cast(nn.dense(%0, cast(%w, dtype="float16")) + cast(0.125f, dtype="float16"), dtype="float32")',
    );
    const options = { needs, regimes: ['grid'] as const };
    expect(orThrow(checkEquivalent(dense, wrong, options)).verdict).toBe('different');
  });

  test('knows the error of what was computed before the program runs', () => {
    const constant = read('tanh(Constant(1f, (1), float32))');
    const pipeline = sequential([passes.toMixedPrecision, passes.foldConstant]);
    const { module } = orThrow(runPass(pipeline)(constant));
    const found = orThrow(checkEquivalent(constant, module, { needs }));
    expect(found.regimes.native).toMatchObject({ _tag: 'Applied', equal: true });
    const wrong = read('cast(Constant(0.8f, (1), float16), dtype="float16")');
    expect(orThrow(checkEquivalent(constant, wrong, { needs })).verdict).toBe('different');
  });

  test('says nothing of numbers that leave the range', () => {
    const large = read('nn.dense(%x, %w) * 100000f + 100000f');
    const { equivalence } = orThrow(
      checkPass(passes.toMixedPrecision({ dtype: 'bfloat16' }), large),
    );
    expect(equivalence.verdict).toBe('equal');
    const out = read(
      '(cast(nn.dense(%x, %w), dtype="float16") * cast(60000f, dtype="float16")) * cast(60000f, dtype="float16")',
    );
    const wide = read('nn.dense(%x, %w) * 60000f * 60000f');
    const found = orThrow(checkEquivalent(wide, out, { needs })).regimes.native;
    expect(found).toEqual({
      _tag: 'NotApplied',
      reason: 'a number left the range of a narrower type',
    });
  });
});
