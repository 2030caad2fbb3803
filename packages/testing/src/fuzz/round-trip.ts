/** Generated programs through text and JSON: they come back the same, with their sharing. */

import { isLeft, type Result } from '@baton/base';
import { type IRModule, structuralEqual } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { fromJson, parseModule, printModule, toJson } from '@baton/text';
import { programOf } from '../program.ts';

/** The change by the round trips of a seed's program, if any. */
export function checkRoundTrip(seed: number): string | undefined {
  const { module } = programOf(seed, { language: seed % 2 === 0 ? 'whole' : 'dataflow' });
  const text = printModule(module, { showTypes: false });
  const dialect = seed % 8 === 0 ? 'legacy' : 'relay';
  const parsed = parseModule(text, { ops, dialect });
  return (
    difference('text', parsed, module) ??
    (isLeft(parsed) || printModule(parsed.right) === text
      ? undefined
      : 'its text is no fixpoint') ??
    difference('JSON', fromJson(toJson(module), { ops }), module)
  );
}

function difference(way: string, again: Result<IRModule>, m: IRModule): string | undefined {
  if (isLeft(again)) return `its ${way} is refused: ${again.left[0].message}`;
  return structuralEqual(again.right, m) ? undefined : `its ${way} says something else`;
}
