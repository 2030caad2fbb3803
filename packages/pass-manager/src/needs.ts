/**
 * What the passes that made a module may have done to rounding and to special values. It belongs
 * to the module's history and not to the program, so it is kept beside the module, as types are:
 * a comparison of the module with another finds it there.
 */
import type { IRModule } from '@baton/ir';
import { FAST_MATH, type FastMath } from './fast-math.ts';

const needs = new WeakMap<IRModule, ReadonlyArray<FastMath>>();

/** What made the module may have done; nothing, for one that no pass made. */
export const needsOf = (m: IRModule): ReadonlyArray<FastMath> => needs.get(m) ?? [];

/** Notes what the passes that made a module need. */
export function keepNeeds(m: IRModule, words: ReadonlyArray<FastMath>): void {
  const known = new Set([...needsOf(m), ...words]);
  if (known.size > 0)
    needs.set(
      m,
      FAST_MATH.filter((word) => known.has(word)),
    );
}
