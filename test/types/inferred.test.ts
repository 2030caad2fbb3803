/**
 * Programs and the results of inference: `inferred.txt` has programs with types, `refused.txt` has
 * errors. A case starts with `=== title`; a line `---` separates the two.
 */
import { renderDiagnostics } from '@baton/base';
import { type IRModule, inferTypes, structuralEqual } from '@baton/ir';
import { printModule } from '@baton/text';
import { describe, expect } from 'vitest';
import { testCases } from '../blessed.ts';
import { moduleOf } from './support.ts';

const printed = (m: IRModule): string => printModule(m, { header: false, showTypes: false }).trim();

/** The program with types, if its text means the same; or the errors. */
function outcome(text: string): string {
  const result = inferTypes(moduleOf(text));
  if (result._tag === 'Left') return renderDiagnostics(result.left);
  const shown = printed(result.right);
  expect(inferTypes(result.right)).toEqual({ _tag: 'Right', right: result.right });
  const again = inferTypes(moduleOf(shown));
  expect(again._tag === 'Right' && structuralEqual(again.right, result.right)).toBe(true);
  return shown;
}

describe.each(['inferred.txt', 'refused.txt'])('%s', (name) => {
  testCases(new URL(name, import.meta.url), (written) => {
    const found = outcome(written);
    expect(found.startsWith('error[')).toBe(name === 'refused.txt');
    return found;
  });
});
