/** The steps by rules from what a block computes to what was chosen for it, by its e-graph's proof. */
import { isLeft, memoFold, postOrder } from '@baton/base';
import { explain, proofParts, type Term } from '@baton/egraph';
import type { Expr, IRModule } from '@baton/ir';
import type { RuleStep } from '../match/steps.ts';
import type { Block } from './blocks.ts';
import { type BlockChoice, ownChoice } from './choice.ts';
import { exprOf, type Region } from './region.ts';

/**
 * The steps of the proof that a choice equals what the function computes, in a region that keeps
 * explanations. What an earlier step has made equal is one to those after it: the expression before
 * a step need not be the one that its rule matched.
 *
 * **Complexity** linear in the e-graph's log and in the proof.
 */
export function proofSteps(
  block: Block,
  region: Region,
  { root }: BlockChoice,
  m: IRModule,
): ReadonlyArray<RuleStep> {
  const proof = explain(region.graph, ownChoice(block, region), root, []);
  if (isLeft(proof)) return [];
  const made = memoFold<Term, Expr>(
    (t) => t.children,
    ({ name, payload, children }, get) => exprOf(name, payload, children.map(get), m),
  );
  return postOrder(proofParts, [proof.right]).flatMap(({ steps }) =>
    steps.flatMap((step): ReadonlyArray<RuleStep> => {
      if (step._tag === 'Congruence') return [];
      const rule = step._tag === 'Rule' ? step.rule : step.reason;
      return [{ rule, before: made(step.from), after: made(step.to) }];
    }),
  );
}
