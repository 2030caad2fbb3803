import { andThen, fail, type Result } from '@baton/base';
import { explanationsOff } from '../diagnostics.ts';
import type { EGraph } from '../egraph.ts';
import { rules as flatten, type RuleInput } from '../rewrite.ts';
import type { Term } from '../term.ts';
import type { Proof } from './proof.ts';
import { makeProver } from './prover.ts';

/**
 * Why two terms are equal, by the rules that made them so.
 *
 * `rules` are those that the e-graph was run with: the log holds their names. Steps by rules that
 * are not among them, and steps by functions, are accepted without proof.
 *
 * **Errors** `EGRAPH_EXPLANATIONS_OFF`, `EGRAPH_TERM_NOT_FOUND`, `EGRAPH_NOT_EQUAL`, and those of
 * rules that failed to build.
 *
 * **Complexity** linear in the log and in the proof.
 */
export function explain<D>(
  egraph: EGraph<D>,
  left: Term,
  right: Term,
  rules: RuleInput<NoInfer<D>>,
): Result<Proof> {
  const log = egraph.proofs;
  if (!log) return fail(explanationsOff());
  return andThen(flatten(rules), (known) => {
    egraph.rebuild();
    return makeProver(egraph, log, known)(left, right);
  });
}
