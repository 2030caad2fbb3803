import {
  call,
  constant,
  type Expr,
  func,
  type IRModule,
  irModule,
  structuralEqual,
  structuralHash,
} from '@baton/ir';
import { scalar } from '@baton/tensor';
import { decodeModule, encodeModule, parseModule, printModule } from '@baton/text';
import { beforeAll, describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { mod, shownModule } from './text-support.ts';

const types = mod('type L[A] { Cons(A, L[A]), Nil }');

/** `Cons(length - 1, .. Cons(0, Nil))`, one call in the other, as programs build lists. */
function listOf(length: number, last = 0): IRModule {
  const { Cons: cons, Nil: nil } = Object.fromEntries(types.constructors);
  if (cons === undefined || nil === undefined) throw new Error('lists have two constructors');
  let list: Expr = call(nil, []);
  for (let i = 0; i < length; i++) {
    list = call(cons, [constant(scalar(i === 0 ? last : i, 'int32')), list]);
  }
  return irModule({ ...types, functions: new Map([['main', func([], list)]]) });
}

describe.each([3, 20_000])('a list literal of %i cells', (length) => {
  let list: IRModule;
  let text: string;
  beforeAll(() => {
    list = listOf(length);
    text = shownModule(list);
  });

  it('prints a line for each cell', () => {
    const lines = text.split('\n');
    expect(lines.slice(0, 8)).toEqual([
      'type L[A] {',
      '  Cons(A, L[A]),',
      '  Nil,',
      '}',
      '',
      'def @main() {',
      '  %0 = Nil;',
      '  %1 = Cons(0i32, %0);',
    ]);
    expect(lines.at(-3)).toBe(`  Cons(${length - 1}i32, %${length - 1})`);
    expect(lines).toHaveLength(6 + length + 3);
  });

  it('parses back, and is equal with an equal hash', () => {
    const back = mod(text);
    expect(structuralEqual(back, list)).toBe(true);
    expect(structuralHash(back)).toBe(structuralHash(list));
    expect(shownModule(back)).toBe(text);
  });

  it('differs from a list with another innermost cell', () => {
    const other = listOf(length, 7);
    expect(structuralEqual(list, other)).toBe(false);
    expect(structuralHash(list)).not.toBe(structuralHash(other));
  });

  it('goes through plain data and back', () => {
    const decoded = decodeModule(encodeModule(list), { ops });
    if (decoded._tag === 'Left') throw new Error(decoded.left[0].message);
    expect(structuralEqual(decoded.right, list)).toBe(true);
  });
});

describe('a list literal in brackets', () => {
  it('reads as the same list, written on one line', () => {
    const length = 15_000;
    const cells = Array.from({ length }, (_, i) => `Cons(${length - 1 - i}i32, `).join('');
    const source = `${printModule(types)}def @main() { ${cells}Nil${')'.repeat(length)} }`;
    const parsed = parseModule(source, { ops });
    if (parsed._tag === 'Left') throw new Error(parsed.left[0].message);
    expect(structuralEqual(parsed.right, listOf(length))).toBe(true);
  });
});
