/**
 * The freedoms with rounding and special values that the passes of a module's history declared.
 * They are not part of the program, so they are kept in a table by module, as types are, where a
 * comparison finds them.
 */
import { sharedTable } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { FAST_MATH, type FastMath } from './fast-math.ts';

/** Shared: the copy that compares may be another than the one whose passes ran. */
const known = (): WeakMap<IRModule, ReadonlyArray<FastMath>> => sharedTable('needs of passes');

/** The needs of the passes that made the module; none for a module that no pass made. */
export const needsOf = (m: IRModule): ReadonlyArray<FastMath> => known().get(m) ?? [];

export function keepNeeds(m: IRModule, words: ReadonlyArray<FastMath>): void {
  const all = new Set([...needsOf(m), ...words]);
  if (all.size === 0) return;
  const inOrder = FAST_MATH.filter((word) => all.has(word));
  known().set(m, inOrder);
}
