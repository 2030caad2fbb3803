/** L.8: the names of type parameters in a text do not depend on which objects types share. */

import { func, inferTypes, irModule, typeVar, variable } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule, printModule, printType } from '@baton/text';
import { describe, expect, it } from 'vitest';

const HEADER = '#[version = "0.0.5"]\n';

function typed(text: string): string {
  const parsed = parseModule(text, { ops: standardOps });
  const inferred = parsed._tag === 'Left' ? parsed : inferTypes(parsed.right);
  if (inferred._tag === 'Left') throw new Error(inferred.left[0].message);
  return printModule(inferred.right);
}

describe('L.8 printing, parsing and printing again gives the same text', () => {
  it.each<[string, string]>([
    ['an operator twice', 'def @main() { (exp, exp) }'],
    [
      'a group of functions',
      'def @even(%n, %x) { if (%n == 0) { %x } else { @odd(%n - 1, %x) } } ' +
        'def @odd(%n, %x) { if (%n == 0) { %x } else { @even(%n - 1, %x) } }',
    ],
    [
      'a function inside another',
      'def @main(%x) { let %f = fn (%a) { exp(%a) + %x }; (%f(%x), %f) }',
    ],
  ])('%s', (_title, text) => {
    const once = typed(HEADER + text);
    expect(typed(once)).toBe(once);
  });
});

describe('L.11 a type parameter named like a number', () => {
  it.each(['inff', 'nanf16', 'int32', 'bool'])('%s has a name that can be read', (hint) => {
    const a = typeVar(hint);
    const x = variable('x', a);
    const f = func([x], x, { typeParams: [a], retType: a });
    const text = printModule(irModule({ functions: new Map([['main', f]]), ops: standardOps }));
    expect(parseModule(text, { ops: standardOps })._tag).toBe('Right');
    expect(printType(a)).toBe(`t${hint}`);
  });
});
