/**
 * The freedoms with rounding and special values that the passes of a module's history declared.
 * They are no part of the program, so they are kept beside the module, like types, where a
 * comparison finds them.
 */
import type { IRModule } from '@baton/ir';
import { FAST_MATH, type FastMath } from './fast-math.ts';

const needs = new WeakMap<IRModule, ReadonlyArray<FastMath>>();

/** The needs of the passes that made the module; none for a module that no pass made. */
export const needsOf = (m: IRModule): ReadonlyArray<FastMath> => needs.get(m) ?? [];

/** Records the needs of the passes that made the module. */
export function keepNeeds(m: IRModule, words: ReadonlyArray<FastMath>): void {
  const known = new Set([...needsOf(m), ...words]);
  if (known.size > 0)
    needs.set(
      m,
      FAST_MATH.filter((word) => known.has(word)),
    );
}
