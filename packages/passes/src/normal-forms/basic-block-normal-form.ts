/**
 * ToBasicBlockNormalForm: binds values that blocks share.
 * [passes §12](https://batonjs.github.io/baton/spec/passes#12).
 */

import { right } from '@baton/base';
import type { Expr, Func, IRModule } from '@baton/ir';
import { isOpaque, type Pass, pass } from '@baton/pass-manager';
import { functionBlocks, type Placement, placementOf } from './blocks.ts';
import { fillBlocks } from './let-insertion.ts';
import { type Formed, inRounds } from './rounds.ts';
import { isAtom } from './walk.ts';

/**
 * Binds what several blocks share to a variable, in the innermost block that holds all the uses;
 * everything else stays a graph:
 *
 * ```
 * %0 = add(%z, %z); if (%c) { %0 } else { multiply(%0, 2f) }
 * =>
 * let %v = add(%z, %z); if (%c) { %v } else { multiply(%v, 2f) }
 * ```
 *
 * Blocks are the bodies of functions, branches, clauses, and lets inside operands. Constants stay
 * where they are, and so does what must not run ahead of its first demand (see ToANormalForm). A
 * variable bound to another takes over its later uses.
 *
 * **Complexity** O(log depth) a use.
 */
export const toBasicBlockNormalForm: Pass = pass({
  name: 'ToBasicBlockNormalForm',
  doc: 'Binds nodes shared by several branches or functions before them.',
  level: 1,
  counters: ['function'],
  isIdempotent: true,
  run: (m, { count }) => right(inRounds(m, bindSharedValues, count)),
});

/** Whether {@link toBasicBlockNormalForm} would bind nothing more in any function. */
export const checkBasicBlockNormalForm = (m: IRModule): boolean =>
  [...m.functions.values()].every((f) => {
    if (isOpaque(f)) return true;
    const { placements } = functionBlocks(f, m, { nestsLets: true });
    return ![...placements].some(([node, placement]) => isLifted(node, placement));
  });

function bindSharedValues(f: Func, m: IRModule): Formed {
  const blocks = functionBlocks(f, m, { nestsLets: true });
  const filled = fillBlocks(f, m, blocks, {
    binds: (node) => isLifted(node, placementOf(blocks.placements, node)),
    namesConstants: false,
    namesDeferred: false,
    takesOver: true,
  });
  return { f: filled, isSettled: false };
}

const isLifted = (node: Expr, { isHoisted, isDeferred }: Placement): boolean =>
  isHoisted && !isDeferred && !isAtom(node) && node._tag !== 'Constant';
