/**
 * L.4, L.6, L.7: each pass on aliases of functions, and on bindings whose annotation says less than
 * their value. The result is well-typed, prints, computes the same, and a second run keeps it.
 */
import { evaluate, printValue } from '@baton/executor';
import { type IRModule, inferTypes, orThrow } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const COUNT_DOWN = 'let %f = fn (%n: int32) -> int32 { if (%n == 0) { 0 } else { %f(%n - 1) } };';
const SQUARE = 'let %f = fn (%y: float32) { %y * %y };';

/** Programs with some of the parameters `%x`, `%z` and `%c`. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'a local function': `def @main(%x: float32) { ${SQUARE} let %g = %f; %g(%f(%x)) }`,
  'a polymorphic function':
    'def @main(%x: float32) { let %f = fn (%y) { %y }; let %g = %f; (%g(%x), %g(1)) }',
  'a recursive function': `def @main() { ${COUNT_DOWN} let %g = %f; %g(3) + %f(2) }`,
  'a recursive function, by its other name alone': `def @main() { ${COUNT_DOWN} let %g = %f; %g(3) }`,
  'a recursive function, in another function': `def @main() { ${COUNT_DOWN} let %g = %f;
    let %h = fn (%k: int32) { %g(%k) }; %h(3) }`,
  'a recursive function, in itself': `def @main() { let %f = fn (%n: int32) -> int32 {
    let %g = %f; if (%n == 0) { 0 } else { %g(%n - 1) } }; %f(3) }`,
  'a recursive function, in itself and after': `def @main() { let %f = fn (%n: int32) -> int32 {
    let %g = %f; if (%n == 0) { 0 } else { %g(%n - 1) } }; let %h = %f; %h(3) }`,
  'a recursive function, never used': `def @main() { ${COUNT_DOWN} let %g = %f; 3 }`,
  'two names of a recursive function': `def @main() { ${COUNT_DOWN} let %g = %f; let %h = %f; %g(3) + %h(2) }`,
  'a chain of names': `def @main() { ${COUNT_DOWN} let %g = %f; let %h = %g; let %i = %h; %i(3) + %g(1) }`,
  'a global function':
    'def @sq(%y: float32) { %y * %y } def @main(%x: float32) { let %g = @sq; %g(%x) }',
  'a recursive global function':
    'def @r(%n: int32) -> int32 { if (%n == 0) { 0 } else { @r(%n - 1) } } def @main() { let %g = @r; %g(3) }',
  'a constructor':
    'type Opt[A] { S(A), N } def @main(%x: float32) { let %g = S; match (%g(%x)) { S(%y) => %y, N => 0f } }',
  'a constructor without fields':
    'type Opt[A] { S(A), N } def @main(%x: float32) { let %g: Opt[float32] = N; let %h = %g; match (%h) { S(%y) => %y, N => %x } }',
  'an operator': 'def @main(%x: float32) { let %g = add; let %h = %g; %h(%x, %g(%x, %x)) }',
  'a field of a tuple': `def @main(%x: float32) { ${SQUARE} let %t = (%f, exp); let %g = %t.0; let %h = %t.1; %g(%h(%x)) }`,
  'a field of a tuple that is a recursive function': `def @main() { ${COUNT_DOWN} let %t = (%f, 1); let %g = %t.0; %g(3) }`,
  'a choice': `def @main(%x: float32, %c: bool) { ${SQUARE} let %g = if (%c) { %f } else { exp }; %g(%x) }`,
  'a choice that is known': `def @main(%x: float32) { ${SQUARE} let %g = if (True) { %f } else { exp }; %g(%x) }`,
  'a choice between a recursive function and itself': `def @main(%c: bool) { ${COUNT_DOWN} let %g = if (%c) { %f } else { %f }; %g(3) }`,
  'an argument': `def @ap(%f: fn (float32) -> float32, %x: float32) { %f(%x) } def @main(%x: float32) { ${SQUARE} let %g = %f; @ap(%g, %x) }`,
  'a reference': `def @main(%x: float32) { ${SQUARE} let %r = ref(%f); let %g = ref_read(%r); %g(%x) }`,
  'a type that says less of a function': `def @main(%c: bool, %x: Tensor[(3), float32]) {
    let %f = fn (%a: Tensor[(n), float32], %b: Tensor[(n), float32]) { %a + %b };
    let %g: fn (Tensor[(?), float32], Tensor[(?), float32]) -> Tensor[(?), float32] = %f;
    if (%c) { %x } else { %g([1f, 2f], [1f]) } }`,
  'a type that says less of a tensor': `def @main(%c: bool, %x: Tensor[(3), float32], %z: Tensor[(2), float32]) {
    let %a: Tensor[(?), float32] = %z; if (%c) { %x } else { %a + %x } }`,
  'a type that says less of a constant': `def @main(%c: bool, %x: Tensor[(3), float32]) {
    let %a: Tensor[(?), float32] = [1f, 2f]; let %b = exp(%a); if (%c) { %x } else { %b + %x } }`,
  'a type that says less of a constant that fits': `def @main(%x: Tensor[(3), float32]) {
    let %a: Tensor[(?), float32] = [1f, 2f, 3f]; let %b = exp(%a); %b + %x }`,
  'a type that says less of a field': `def @main(%c: bool, %x: Tensor[(3), float32], %z: Tensor[(2), float32]) {
    let %t: (Tensor[(?), float32], int32) = (%z, 1); if (%c) { %x } else { %t.0 + %x } }`,
  'a branch that says more than its if': `def @main(%z: Tensor[(2), float32], %w: Tensor[(?), float32]) {
    shape_of(exp(if (True) { %z } else { %w })) }`,
  'a branch that does not fit': `def @main(%c: bool, %x: Tensor[(3), float32], %w: Tensor[(?), float32]) {
    if (%c) { %x } else { (if (True) { [1f, 2f] } else { %w }) + %x } }`,
};

const PASSES = {
  ...passes,
  'deadCodeElimination(inlineOnce)': passes.deadCodeElimination({ inlineOnce: true }),
  'optimize(3)': optimize({ level: 3 }),
};

const INPUTS: Readonly<Record<string, number | boolean | ReadonlyArray<number>>> = {
  c: true,
  w: [1, 2],
  z: [4, 5],
};

const read = (text: string): IRModule => orThrow(inferTypes(orThrow(parseModule(text, { ops }))));

function resultOf(m: IRModule): string {
  const params = m.functions.get('main')?.params ?? [];
  const args = params.map(({ nameHint, typeAnnotation: type }) => {
    const isVector =
      type?._tag === 'TensorType' && !('_tag' in type.shape) && type.shape.length > 0;
    return INPUTS[nameHint] ?? (isVector ? [1, 2, 3] : 2);
  });
  return printValue(orThrow(evaluate(m, args)));
}

/** Two roundings to float16 in each number. */
const NEAR = 2 ** -10;

const NUMBER = /-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?/g;

/** Expects the same text, but for the last digits of numbers. */
function expectNear(found: string, wanted: string): void {
  const numbers = (text: string): ReadonlyArray<number> => (text.match(NUMBER) ?? []).map(Number);
  expect(found.replace(NUMBER, '#')).toBe(wanted.replace(NUMBER, '#'));
  for (const [i, number] of numbers(wanted).entries()) {
    const error = Math.abs((numbers(found)[i] ?? Number.NaN) - number);
    expect(error).toBeLessThanOrEqual(NEAR * Math.abs(number));
  }
}

describe.each(Object.entries(PROGRAMS))('each pass on %s', (_, text) => {
  const m = read(`#[version = "0.0.5"]\n${text}`);
  const value = resultOf(m);

  it.each(Object.entries(PASSES))('%s', (_name, pass) => {
    const { module } = orThrow(runPass(pass)(m));
    const printed = printModule(module);
    expect(printModule(read(printed))).toBe(printed);
    if (pass.needs.includes('narrow')) expectNear(resultOf(module), value);
    else expect(resultOf(module)).toBe(value);
    expect(orThrow(runPass(pass)(module)).module === module).toBe(true);
  });
});
