import { isLeft, mulberry32, orThrow } from '@baton/base';
import type { Func } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { full, type Tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { type Fill, makeInputs } from '../src/inputs.ts';

function entryOf(params: string): Func {
  const text = `#[version = "0.0.5"]\ntype L[A] { N, C(A) }\ndef @main${params.startsWith('[') ? params : `(${params})`} { () }`;
  const main = orThrow(parseModule(text, { ops: standardOps })).functions.get('main');
  return main ?? expect.fail('main');
}

const ones: Fill = (dtype, shape) => full(shape, dtype, 1);

const shapesOf = (params: string, seed: number): ReadonlyArray<ReadonlyArray<number>> =>
  orThrow(makeInputs(entryOf(params), mulberry32(seed), () => ones)).map(
    (value) => (value as Tensor).shape,
  );

const seeds = Array.from({ length: 40 }, (_, i) => i);

describe('inputs', () => {
  it('have open sizes of four kinds, none of which is 1', () => {
    const [any, named] = ['%x: Tensor[(?), float32]', '%x: Tensor[(n), float32]'].map((params) =>
      seeds.flatMap((seed) => shapesOf(params, seed).flat()),
    );
    expect([...new Set(any)].sort()).toEqual([2, 3, 5, 7]);
    expect([...new Set(named)].sort()).toEqual([2, 3, 5, 7]);
  });

  it('have one size for one name, and sizes of their own for each `?`', () => {
    const found = seeds.map((seed) =>
      shapesOf('%x: Tensor[(n, m, 4), float32], %y: Tensor[(m, 2 * n + 1, ?, ?), int8]', seed),
    );
    for (const [x, y] of found) {
      const [n, m, four] = x as [number, number, number];
      expect([four, y?.[0], y?.[1]]).toEqual([4, m, 2 * n + 1]);
    }
    const differ = (f: (x: ReadonlyArray<number>, y: ReadonlyArray<number>) => boolean): number =>
      found.filter(([x = [], y = []]) => f(x, y)).length;
    expect(differ(([n], [m]) => n !== m)).toBeGreaterThan(10);
    expect(differ((_, [, , a, b]) => a !== b)).toBeGreaterThan(10);
  });

  it('have the types of the parameters, in tuples too', () => {
    const entry = entryOf('%x: (Tensor[(2), bool], (int64, ())), %y: float16');
    const of = (value: unknown): unknown => {
      const { _tag, dtype, fields } = value as Tensor & { fields: ReadonlyArray<unknown> };
      return (_tag as string) === 'Tuple' ? fields.map(of) : dtype;
    };
    const values = orThrow(makeInputs(entry, mulberry32(1), () => ones));
    expect(values.map(of)).toEqual([['bool', ['int64', []]], 'float16']);
  });

  it.each([
    ['%x: L[float32]', 'EQUIV_PARAMETER'],
    ['%x: fn (float32) -> float32', 'EQUIV_PARAMETER'],
    ['%x: (float32, ref(float32))', 'EQUIV_PARAMETER'],
    ['[s: Shape](%x: Tensor[s, float32])', 'EQUIV_PARAMETER'],
    ['%x', 'EQUIV_PARAMETER'],
    ['%x: Tensor[(5000, 5000), float32]', 'EQUIV_TOO_LARGE'],
    ['%x: Tensor[(4000, 1000), int8], %y: Tensor[(1000, 1000), int8]', 'EQUIV_TOO_LARGE'],
  ])('are refused for %s', (params, code) => {
    const found = makeInputs(entryOf(params), mulberry32(1), () => ones);
    expect(isLeft(found) && found.left.map((d) => d.code)).toEqual([code]);
  });
});
