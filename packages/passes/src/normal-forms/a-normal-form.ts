/**
 * ToANormalForm: binds every intermediate value to a variable.
 * [passes §10](https://batonjs.github.io/baton/spec/passes#10).
 */

import { right } from '@baton/base';
import type { Func, IRModule } from '@baton/ir';
import { type Pass, pass } from '@baton/pass-manager';
import { functionBlocks } from './blocks.ts';
import { fillBlocks } from './let-insertion.ts';
import { type Formed, inRounds } from './rounds.ts';

/**
 * Binds every value to a variable, in order of evaluation, in the innermost block that holds all its
 * uses:
 *
 * ```
 * 1 + 2 * 3
 * =>
 * let %a = 1; let %b = 2; let %c = 3; let %d = multiply(%b, %c); let %e = add(%a, %d); %e
 * ```
 *
 * Constants are bound, too. Bindings inside operands are moved out in front of them. Kernels are
 * values.
 *
 * What blocks share without its being allowed to run ahead of them, because it is stateful, or
 * because it may fail and not every way needs it (decision
 * [D15](https://batonjs.github.io/baton/spec/decisions#D15)), stays one shared node, evaluated at
 * its first demand: each block that needs it binds it.
 *
 * **Complexity** O(log depth) a use.
 */
export const toANormalForm: Pass = pass({
  name: 'ToANormalForm',
  doc: 'Binds every intermediate value to a variable.',
  level: 1,
  counters: ['function'],
  isIdempotent: true,
  run: (m, { count }) => right(inRounds(m, bindEveryValue, count)),
});

function bindEveryValue(f: Func, m: IRModule): Formed {
  const blocks = functionBlocks(f, m, { nestsLets: false });
  const filled = fillBlocks(f, m, blocks, {
    binds: () => true,
    namesConstants: true,
    namesDeferred: true,
    takesOver: false,
  });
  return { f: filled, isSettled: ![...blocks.placements.values()].some((p) => p.isDeferred) };
}
