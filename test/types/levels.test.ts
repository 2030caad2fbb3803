/**
 * A hole that meets one from outside a function belongs to the outside: the function is not
 * polymorphic in it, for any kind of hole and either order.
 */
import { isLeft } from '@baton/base';
import { inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

function codes(body: string): ReadonlyArray<string> {
  const parsed = parseModule(`#[version = "0.0.5"] def @main${body}`, { ops: standardOps });
  const found = isLeft(parsed) ? parsed : inferTypes(parsed.right);
  return isLeft(found) ? found.left.map((d) => d.code) : [];
}

/** Kind of hole, a type with one, and two arguments that fill it differently. */
const kinds = [
  ['dtype', 'Tensor[(2), _]', '[1f, 2f]', '[1i32, 2i32]'],
  ['dimension', 'Tensor[(_), float32]', '[1f, 2f]', '[1f]'],
  ['part of a dimension', 'Tensor[(_, 1), float32]', '[[1f], [2f]]', '[[1f]]'],
  ['shape', 'Tensor[_, float32]', '[1f, 2f]', '1f'],
  ['type', '_', '1f', '(1f, 2f)'],
  ['type in a tuple', '(int32, _)', '(1, 1f)', '(1, 2i32)'],
  ['type of a function', 'fn (_) -> int32', 'fn (%a: int32) { 1 }', 'fn (%a: float32) { 1 }'],
] as const;

describe.each(kinds)('a hole of %s', (_kind, type, a, b) => {
  const calls = `(%f(${a}), %f(${b}))`;

  it('that nothing outside knows is generalized', () => {
    expect(codes(`(%x: ${type}) { let %f = fn (%y: ${type}) { %y }; ${calls} }`)).toEqual([]);
  });

  it.each([
    ['%x', '%y'],
    ['%y', '%x'],
  ])('that is the one outside is not, where %s comes before %s', (first, second) => {
    const branches = `if (%c) { ${first} } else { ${second} }`;
    const found = codes(
      `(%x: ${type}, %c: bool) { let %f = fn (%y: ${type}) { ${branches} }; ${calls} }`,
    );
    expect(found.length).toBeGreaterThan(0);
    const once = `let %f = fn (%y: ${type}) { ${branches} }; (%f(${a}), %f(${a}))`;
    expect(codes(`(%x: ${type}, %c: bool) { ${once} }`)).toEqual([]);
  });

  it.each([
    ['%x', '%y'],
    ['%y', '%x'],
  ])('that meets it two functions inside is not, where %s comes before %s', (first, second) => {
    const inner = `let %g = fn (%z: ${type}) { if (%c) { ${first} } else { ${second} } }; %g(%y)`;
    const body = `let %f = fn (%y: ${type}) { ${inner} }; ${calls}`;
    expect(codes(`(%x: ${type}, %c: bool) { ${body} }`).length).toBeGreaterThan(0);
  });
});
