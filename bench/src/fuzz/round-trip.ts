/** Generated programs through text and JSON: they come back the same, sharing included. */

import { isLeft } from '@baton/base';
import { programOf } from '@baton/testing';
import {
  fromJson,
  type IRModule,
  parseModule,
  printModule,
  type Result,
  standardOps,
  structuralEqual,
  toJson,
} from 'batonjs';

/** What the round trips of the program of a seed changed, if anything. */
export function checkRoundTrip(seed: number): string | undefined {
  const { module } = programOf(seed, { language: seed % 2 === 0 ? 'whole' : 'dataflow' });
  const text = printModule(module, { showTypes: false });
  const dialect = seed % 8 === 0 ? 'legacy' : 'relay';
  const parsed = parseModule(text, { dialect });
  return (
    difference('text', parsed, module) ??
    (isLeft(parsed) || printModule(parsed.right) === text
      ? undefined
      : 'its text is no fixpoint') ??
    difference('JSON', fromJson(toJson(module), { ops: standardOps }), module)
  );
}

function difference(way: string, again: Result<IRModule>, m: IRModule): string | undefined {
  if (isLeft(again)) return `its ${way} is refused: ${again.left[0].message}`;
  return structuralEqual(again.right, m) ? undefined : `its ${way} says something else`;
}
