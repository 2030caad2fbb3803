/** Every place in a text shows its line in every diagnostic. */
import { orThrow, type Result, renderDiagnostics, type SourceText, spanLeaves } from '@baton/base';
import { inferTypes, postOrderExprs } from '@baton/ir';
import { fromJson, parseExpr, parseModule, toJson } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { mod } from './text-support.ts';

const shownErrors = <A>(result: Result<A>): string =>
  result._tag === 'Left' ? renderDiagnostics(result.left) : 'no error';

const ILL_TYPED = 'def @main(%x: int32) -> float32 {\n  %x\n}';

describe('U.10 a diagnostic knows the text that it points into', () => {
  it('when a text does not parse', () => {
    expect(() => orThrow(parseExpr('(1,\n  %y)', { ops, source: 'a.relay' }))).toThrow(
      [
        'error[NAME_LOCAL]: this local variable has not been previously declared: `%y`',
        '  --> a.relay:2:3',
        '  |',
        '2 |   %y)',
        '  |   ^^',
      ].join('\n'),
    );
  });

  it('when a module does not infer, and after JSON as before', () => {
    const m = mod(ILL_TYPED, { source: 'b.relay' });
    const before = shownErrors(inferTypes(m));
    expect(before).toContain('3 |   %x\n');
    expect(shownErrors(inferTypes(orThrow(fromJson(toJson(m), { ops }))))).toBe(before);
  });

  it('when two texts of a module have one name', () => {
    const context = mod(ILL_TYPED);
    const both = orThrow(
      parseModule('#[version = "0.0.5"]\n\n\ndef @other() -> int32 { 1f }', { ops, context }),
    );
    const shown = shownErrors(inferTypes(both));
    expect(shown).toContain('3 |   %x\n');
    expect(shown).toContain('4 | def @other() -> int32 { 1f }\n');
  });

  it('with one object for a text, whatever the number of its places', () => {
    const found = new Set<SourceText>();
    for (const f of mod(
      `def @f(%x: int32) { (%x, ${'(1, 2), '.repeat(50)}) }`,
    ).functions.values()) {
      for (const { span } of postOrderExprs([f])) {
        for (const leaf of spanLeaves(span)) if (leaf._tag === 'TextSpan') found.add(leaf.source);
      }
    }
    expect(found.size).toBe(1);
  });
});
