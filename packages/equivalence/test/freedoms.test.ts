/** The freedoms that a pass may declare: each excuses its own differences, and no others. */
import { orThrow } from '@baton/base';
import { checkEquivalent } from '@baton/equivalence';
import { FAST_MATH, type FastMath } from '@baton/pass-manager';
import { describe, expect, test } from 'vitest';
import { onEvery, read } from './support.ts';

const verdict = (a: string, b: string, needs: ReadonlyArray<FastMath>): string =>
  orThrow(onEvery((executor) => checkEquivalent(read(a), read(b), { needs, executor }))).verdict;

/** A program of two tensors `%x` and `%y` of a dtype, which texts call `DTYPE`. */
const of = (body: string, dtype: string): string =>
  `def @main(%x: Tensor[(24), ${dtype}], %y: Tensor[(24), ${dtype}]) { ${body.replaceAll('DTYPE', dtype)} }`;

const like = (n: number): string => `full_like(%x, cast(${n}f, dtype="DTYPE"))`;

/** All freedoms with floats that keep the dtype. */
const ALL = FAST_MATH.filter((word) => !['narrow', 'quantized', 'scaled'].includes(word));

describe.each(['float16', 'bfloat16', 'float32', 'float64'] as const)('%s', (dtype) => {
  const compare = (a: string, b: string, needs: ReadonlyArray<FastMath>): string =>
    verdict(of(a, dtype), of(b, dtype), needs);

  test.each<[string, string, string, ReadonlyArray<FastMath>]>([
    ['the sign of a zero', '%x', '%x + zeros_like(%x)', ['nsz']],
    ['NaN and infinities', '%x - %x', 'zeros_like(%x)', ['nnan']],
    ['infinities that another turns to NaN', '%x', '%x + (%x - %x)', ['ninf', 'nsz']],
    ['a reciprocal', `%x / ${like(3)}`, `%x * (${like(1)} / ${like(3)})`, ['arcp']],
    ['an approximation', '%x / sqrt(abs(%y))', '%x * rsqrt(abs(%y))', ['afn']],
  ])('a freedom excuses %s', (_, a, b, needs) => {
    expect(compare(a, b, needs)).toBe('equal');
    expect(compare(a, b, ALL)).toBe('equal');
    expect(compare(a, b, [])).toBe('different');
    for (const missing of needs) {
      expect(
        compare(
          a,
          b,
          needs.filter((word) => word !== missing),
        ),
      ).toBe('different');
    }
  });

  test.each([
    ['a sign', '%x + %y', '%x - %y'],
    ['a number that is a little larger', '%x', `%x * ${like(1.0625)}`],
    ['a bound', 'clip(%x, a_min=-6f, a_max=6f)', '%x'],
    ['one bound of two', 'clip(%x, a_min=0f, a_max=6f)', 'nn.relu(%x)'],
    ['a number in place of NaN', 'where(isnan(%x), zeros_like(%x), %x)', 'ones_like(%x)'],
  ])('no freedom excuses %s', (_, a, b) => {
    expect(compare(a, b, ALL)).toBe('different');
    for (const word of ALL) expect(compare(a, b, [word])).toBe('different');
  });
});

test.each(['int8', 'uint8', 'int32', 'int64', 'uint64', 'bool'] as const)(
  'no freedom of floats excuses a difference of one in %s',
  (dtype) => {
    const other = dtype === 'bool' ? 'logical_not(%x)' : '%x + ones_like(%x)';
    expect(verdict(of('%x', dtype), of(other, dtype), ALL)).toBe('different');
    expect(verdict(of('%x', dtype), of('%x', dtype), [])).toBe('equal');
  },
);

test('results of another shape differ', () => {
  const free = (body: string): string =>
    `def @main(%x: Tensor[(?, ?), float32]) -> Tensor[(?, ?), float32] { ${body} }`;
  expect(verdict(free('%x'), free('transpose(%x)'), ALL)).toBe('different');
  const parts = (body: string): string =>
    `def @main(%x: Tensor[(?), float32], %y: Tensor[(?), float32]) { ${body} }`;
  expect(verdict(parts('concatenate((%x, %y))'), parts('concatenate((%y, %x))'), [])).toBe(
    'different',
  );
});

test('arguments of tuples in tuples are compared', () => {
  const of = (body: string): string =>
    `def @main(%p: ((Tensor[(4), float32], int32), Tensor[(2), int64])) { ${body} }`;
  expect(verdict(of('(%p.0.0, %p.0.1)'), of('%p.0'), [])).toBe('equal');
  expect(verdict(of('(%p.0.0, %p.0.1)'), of('(%p.0.0, %p.0.1 + 1)'), [])).toBe('different');
  expect(verdict(of('%p.1'), of('%p.1 + 1i64'), [])).toBe('different');
});

describe('W4: infinities that only the second program has', () => {
  // The product of a moderate number and the largest ones overflows.
  const LARGE = { float16: 6e4, bfloat16: 3e38, float32: 3e38 } as const;
  type Float = keyof typeof LARGE;
  const before = (dtype: Float): string =>
    of(`(%x * ${like(1 / 64)}) * ${like(LARGE[dtype])}`, dtype);
  const after = (dtype: Float): string =>
    of(`(%x * ${like(LARGE[dtype])}) * ${like(1 / 64)}`, dtype);
  const LAW = ['nsz', 'nnan', 'ninf', 'reassoc'] as const;

  test.each(['float16', 'bfloat16', 'float32'] as const)('are no freedom in %s', (dtype) => {
    expect(verdict(before(dtype), after(dtype), LAW)).toBe('different');
    expect(verdict(after(dtype), before(dtype), LAW)).toBe('equal');
  });

  test.each([
    ['float16', 'different'],
    ['bfloat16', 'different'],
    ['float32', 'equal'],
  ] as const)('are what the freedom range says in %s: %s', (dtype, expected) => {
    expect(verdict(before(dtype), after(dtype), [...LAW, 'range'])).toBe(expected);
  });
});
