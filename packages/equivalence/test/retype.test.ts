import { orThrow } from '@baton/base';
import { type IRModule, mappedTypes } from '@baton/ir';
import { printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { retype } from '../src/retype.ts';
import { widen } from '../src/widen.ts';
import { read } from './support.ts';

const T = 'Tensor[(6), float32]';
const m = read(`def @id[A](%p: A) -> A { %p }
def @main(%x: ${T}) {
  let %a: ${T} = @id(%x);
  let %f = fn [B](%q: B, Note="kept") -> B { %q };
  %0 = fn (%q: ${T}, Primitive=1) -> ${T} { cast(%q + 0.1f, dtype="float32") };
  concatenate((%0(%a), full(2f, shape=[6], dtype="float32"), %f(%a)), axis=0) }`);

const linesOf = (of: IRModule): ReadonlyArray<string> =>
  printModule(of, { showTypes: false })
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^def|^let|fn |dtype/.test(line));

describe('a program of other types', () => {
  const shorter = (forgetDerived: boolean): ReadonlyArray<string> =>
    linesOf(
      retype(m, {
        types: mappedTypes({
          shape: (shape) => ('_tag' in shape ? shape : shape.map((d) => (d === 6 ? 4 : d))),
        }),
        tensor: (t) => t,
        attr: (value) => (Array.isArray(value) && value.includes(6) ? [4] : value),
        forgetDerived,
      }),
    );

  it('forgets what inference finds again, and nothing else', () => {
    expect(shorter(true)).toEqual([
      'def @id[A](%p: A) {',
      'def @main(%x: Tensor[(4), float32]) {',
      'let %a = @id(%x);',
      'let %f = fn [B](%q: B, Note="kept") {',
      '%1 = fn (%q1: Tensor[(4), float32], Primitive=1) {',
      'cast(%0, dtype="float32")',
      '%3 = full(2f, shape=[4], dtype="float32");',
    ]);
  });

  it('keeps all with the new types', () => {
    expect(shorter(false)).toEqual([
      'def @id[A](%p: A) -> A {',
      'def @main(%x: Tensor[(4), float32]) -> Tensor[(18), float32] {',
      'let %a: Tensor[(4), float32] = @id(%x);',
      'let %f: fn [B](B) -> B = fn [B](%q: B, Note="kept") -> B {',
      '%1 = fn (%q1: Tensor[(4), float32], Primitive=1) -> Tensor[(4), float32] {',
      'cast(%0, dtype="float32")',
      '%3 = full(2f, shape=[4], dtype="float32");',
    ]);
  });

  it('is the same where nothing changes', () => {
    const types = mappedTypes({});
    const change = { types, tensor: <A>(t: A) => t, attr: <A>(value: A) => value };
    expect(retype(m, { ...change, forgetDerived: false })).toBe(m);
  });

  it('computes in float64', () => {
    expect(linesOf(orThrow(widen(m)))).toEqual([
      'def @id[A](%p: A) -> A {',
      'def @main(%x: Tensor[(6), float64]) -> Tensor[(18), float64] {',
      'let %a: Tensor[(6), float64] = @id(%x);',
      'let %f: fn [B](B) -> B = fn [B](%q: B, Note="kept") -> B {',
      '%1 = fn (%q1: Tensor[(6), float64], Primitive=1) -> Tensor[(6), float64] {',
      'cast(%0, dtype="float64")',
      '%3 = full(2f64, shape=[6], dtype="float64");',
    ]);
  });
});
