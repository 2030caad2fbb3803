import { isLeft, orThrow } from '@baton/base';
import { checkEquivalent, type EquivalenceOptions, numericsOf } from '@baton/equivalence';
import { standardOps } from '@baton/ops';
import { FAST_MATH } from '@baton/pass-manager';
import { describe, expect, test } from 'vitest';
import { onEvery, read, words } from './support.ts';

const T = 'Tensor[(2, 3), float32]';

const compare = (a: string, b: string, options: EquivalenceOptions = {}) =>
  orThrow(onEvery((executor) => checkEquivalent(read(a), read(b), { ...options, executor })));

const unary = (body: string): string => `def @main(%x: ${T}) { ${body} }`;
const binary = (body: string): string => `def @main(%x: ${T}, %y: ${T}) { ${body} }`;

describe('programs that compute the same', () => {
  test.each([
    ['the same text', unary('nn.relu(%x)'), unary('nn.relu(%x)')],
    ['a sum in the other order', binary('%x + %y'), binary('%y + %x')],
    ['a transposition there and back', unary('%x'), unary('transpose(transpose(%x))')],
    ['a tuple taken apart', binary('(%x, %y).1'), binary('%y')],
  ])('%s', (_name, a, b) => {
    const found = compare(a, b);
    expect(words(found)).toEqual({
      grid: 'equal',
      shadow: 'equal',
      native: 'equal',
      special: 'equal',
    });
    expect(found.equivalent).toBe(true);
  });

  test('sums in another order agree but on special values, unless these may differ', () => {
    const left =
      'def @main(%x: Tensor[(60), float32], %y: Tensor[(60), float32], %z: Tensor[(60), float32]) { (%x + %y) + %z }';
    const other = left.replace('(%x + %y) + %z', '%x + (%y + %z)');
    expect(words(compare(left, other))).toEqual({
      grid: 'equal',
      shadow: 'equal',
      native: 'equal',
      special: 'different',
    });
    expect(compare(left, other, { needs: FAST_MATH }).equivalent).toBe(true);
  });
});

describe('programs on integers that stand for real numbers', () => {
  const of = (type: string, body: string): string => `def @main(%x: Tensor[(2, 30), ${type}]) {
    ${body} }`;
  const dequantized = (x: string): string => `qnn.dequantize(${x}, 0.5f, 0)`;
  const quantized = (x: string): string =>
    dequantized(`qnn.quantize(${x}, 0.5f, 0, out_dtype="int8")`);
  const clip = (x: string, most: string): string => `clip(${x}, a_min=-${most}, a_max=${most})`;
  const within = (least: string, most: string): string =>
    dequantized(`clip(%x, a_min=${least}, a_max=${most})`);

  test.each([
    ['integers', of('int8', dequantized('%x')), of('int8', dequantized(clip('%x', '20')))],
    ['floats', of('float32', quantized('%x')), of('float32', quantized(clip('%x', '9')))],
    ['positive integers', of('int8', dequantized('%x')), of('int8', within('-128', '20'))],
    ['negative integers', of('int8', dequantized('%x')), of('int8', within('-20', '127'))],
    ['small bytes', of('uint8', dequantized('%x')), of('uint8', within('40', '255'))],
    ['large bytes', of('uint8', dequantized('%x')), of('uint8', within('0', '20'))],
  ])('are compared on numbers of all magnitudes: %s', (_name, a, b) => {
    const needs = ['quantized'] as const;
    const found = compare(a, b, { needs });
    expect(words(found)).toEqual({
      grid: 'not applied',
      shadow: 'not applied',
      native: 'different',
      special: 'not applied',
    });
    expect(compare(a, a, { needs }).equivalent).toBe(true);
  });
});

describe('programs that compute something else', () => {
  test.each([
    ['another operator', binary('%x + %y'), binary('%x - %y')],
    [
      'a wrong axis',
      unary('sum(%x, axis=[0], keepdims=True) + %x'),
      unary('sum(%x, axis=[1], keepdims=True) + %x'),
    ],
    ['a lost sign', unary('%x'), unary('abs(%x)')],
    ['the fields of a tuple exchanged', binary('(%x, %y)'), binary('(%y, %x)')],
    ['a rounding that is missing', unary('round(%x * 3f)'), unary('%x * 3f')],
  ])('%s', (_name, a, b) => {
    const found = compare(a, b);
    expect(found.verdict).toBe('different');
    const failed = Object.values(found.regimes).find((v) => v._tag === 'Applied' && !v.equal);
    expect(failed).toHaveProperty('counterexample.inputs');
  });

  test('a missing epsilon of 1e-5 shows in the shadow alone', () => {
    const norm = (epsilon: string) =>
      `def @main(%x: ${T}, %v: Tensor[(3), float32]) { %x * rsqrt(%v * %v + ${epsilon}) }`;
    const found = words(compare(norm('0.5f'), norm('0.50000001f')));
    expect(found.native).toBe('equal');
    const larger = words(compare(norm('4f'), norm('4.00001f')));
    expect(larger.native).toBe('equal');
    expect(larger.shadow).toBe('not applied');
    const wide = (epsilon: string) =>
      norm(epsilon).replaceAll('float32', 'float64').replace(/f\) }/, 'f64) }');
    expect(words(compare(wide('4.0'), wide('4.00001'))).shadow).toBe('different');
  });

  test('a stateful operator that is dropped, or evaluated twice', () => {
    const effect = unary('let %y = test.effect(%x); %y + %y');
    expect(compare(effect, unary('%x + %x')).verdict).toBe('different');
    expect(compare(effect, unary('test.effect(%x) + test.effect(%x)')).verdict).toBe('different');
    expect(compare(effect, unary('let %y = test.effect(%x); 2f * %y')).verdict).toBe('equal');
  });

  test('a program that fails where the other does not', () => {
    const of = (indices: string) =>
      `def @main(%x: Tensor[(4), float32]) { reshape(%x, newshape=[${indices}]) }`;
    const free = 'def @main(%x: Tensor[(?), float32], %y: Tensor[(?), float32]) { ';
    expect(isLeft(checkEquivalent(read(of('2, 2')), read(of('4, 1'))))).toBe(true);
    const found = compare(
      `${free} concatenate((%x, %y)) }`,
      `${free} let %z = stack((%x, %y)); concatenate((%x, %y)) }`,
      { seed: 1 },
    );
    expect(found.verdict).toBe('different');
  });
});

describe('the reason is given if programs cannot be compared', () => {
  test('a program whose results are never finite', () => {
    const found = compare(unary('log(abs(%x) - 100f)'), unary('log(abs(%x) - 200f)'));
    expect(found.regimes.native).toEqual({
      _tag: 'NotApplied',
      reason: 'no finite result was found',
    });
  });

  test('a smooth operator on the grid', () => {
    const found = compare(unary('exp(%x)'), unary('exp(%x)'));
    expect(found.regimes.grid).toEqual({ _tag: 'NotApplied', reason: 'exp rounds' });
  });

  test('programs of different types', () => {
    const found = checkEquivalent(read(unary('%x')), read(binary('%x')));
    expect(isLeft(found) && found.left[0].code).toBe('EQUIV_SIGNATURE');
  });

  // A program that states `?` for a size keeps it.
  const sized = (shape: string, result = shape, body = 'exp(%x)'): string =>
    `def @main[n: ShapeVar, m: ShapeVar](%x: Tensor[(${shape}), float32]) -> Tensor[(${result}), float32] { ${body} }`;
  const pair = (result: string): string =>
    `def @main[n: ShapeVar](%x: Tensor[(n, 4), float32]) -> (Tensor[(${result}), float32], Tensor[(n), float32]) { (exp(%x), sum(%x, axis=[1])) }`;

  test.each([
    ['a size', sized('n, m', '?, m'), sized('n, m')],
    ['all sizes', sized('n, m', '?, ?'), sized('n, m')],
    ['a number', sized('n, 4', 'n, ?'), sized('n, 4')],
    ['under other names', sized('n, m', '?, m').replace(/\bn\b/g, 'k'), sized('n, m')],
    ['of one field', pair('?, 4'), pair('n, 4')],
    ['of one field, some', pair('?, ?'), pair('?, 4')],
  ])('O: a result type that tells %s more is compared', (_, before, now) => {
    expect(compare(before, now).verdict).toBe('equal');
  });

  test.each([
    ['less', sized('n, m'), sized('n, m', '?, m')],
    ['of arguments', sized('?, m', '?, m'), sized('n, m')],
    ['another size beside it', sized('n, n', '?, n'), sized('n, m', 'n, m')],
    ['another rank', sized('n, m', '?, ?'), sized('n, m', 'n', 'sum(%x, axis=[1])')],
    ['fewer fields', pair('?, 4'), sized('n, 4', 'n, 4')],
  ])('a type that tells %s is another', (_, before, now) => {
    const found = checkEquivalent(read(before), read(now));
    expect(isLeft(found) && found.left[0].code).toBe('EQUIV_SIGNATURE');
  });

  test('O: a result of another value under a type that tells more differs', () => {
    const found = compare(sized('n, m', '?, m'), sized('n, m', 'n, m', 'tanh(%x)'));
    expect(found.verdict).toBe('different');
  });

  test('a module without the entry', () => {
    const found = checkEquivalent(read(unary('%x')), read(unary('%x')), { entry: 'other' });
    expect(isLeft(found) && found.left[0].code).toBe('EQUIV_NO_ENTRY');
  });

  test('parameters that are functions', () => {
    const text = 'def @main(%f: fn (float32) -> float32) { %f(1f) }';
    const found = compare(text, text);
    expect(found.verdict).toBe('unknown');
  });
});

test('the same seed finds the same inputs', () => {
  const of = (seed: number) => compare(unary('%x'), unary('abs(%x)'), { seed });
  expect(of(5)).toEqual(of(5));
  expect(of(5)).not.toEqual(of(6));
});

test('every standard operator says how exactly it computes', () => {
  const missing = standardOps.names.filter((name) => numericsOf(standardOps, name) === undefined);
  expect(missing).toEqual([]);
});

test.each<[string, object, string, string | undefined]>([
  [
    'a regime that there is not',
    { regimes: ['exact'] },
    'expected a list of some of grid, shadow, native, special for option `regimes` of ' +
      'checkEquivalent, found "exact" in it',
    undefined,
  ],
  [
    'an option that is misspelled',
    { regime: ['grid'] },
    'checkEquivalent has no option `regime`',
    'did you mean `regimes`? there is seed, entry, regimes, needs, inputs, executor, shouldStop, onRegime',
  ],
  [
    'a seed that is no number',
    { seed: 'seven' },
    'expected a whole number of at least 0 for option `seed` of checkEquivalent, found "seven"',
    undefined,
  ],
  [
    'a function that is misspelled',
    { entry: 'man' },
    'expected a function @man to compare, found none',
    'did you mean `@main`? there is @main',
  ],
])('U.4 %s is refused', (_title, options, message, hint) => {
  const found = checkEquivalent(read(unary('%x')), read(unary('%x')), options);
  expect(isLeft(found) && found.left[0]).toMatchObject({ message });
  expect(isLeft(found) && found.left[0].hint).toBe(hint);
});
