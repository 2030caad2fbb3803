import { fail, foldDag, ok, postOrder, type Result } from '@baton/base';
import { explanationsOff, notEqual, termNotFound } from '../diagnostics.ts';
import type { EGraph } from '../egraph.ts';
import { rules as flatten, type RuleInput } from '../rewrite.ts';
import { type Term, termChildren } from '../term.ts';
import { congruence, type Proof, proofParts } from './proof.ts';
import { makeProver } from './prover.ts';

/** A term that the user added: its node, and the proof that it equals the node's first form. */
interface Entered {
  readonly id: number;
  readonly proof: Proof;
}

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
  const known = flatten(rules);
  if (known._tag === 'Left') return known;
  egraph.rebuild();
  const { childrenOf, termOf, prove, joined, backwards } = makeProver(egraph, log, known.right);
  const enter = foldDag<Term, Entered | undefined>(termChildren, (t, get) => {
    const parts = t.children.flatMap((child) => get(child) ?? []);
    const operator = egraph.findOperator(t.name, t.children.length, t.payload);
    if (!operator || parts.length < operator.arity) return undefined;
    const ids = parts.map((part) => part.id);
    const id = egraph.store.lookup(operator.id, ids);
    if (id < 0) return undefined;
    const made = childrenOf(id);
    const children = parts.map((part, i) => joined(part.proof, prove(part.id, made[i] as number)));
    return { id, proof: congruence(t, termOf(id), children) };
  });
  const [a, b] = [enter(left), enter(right)];
  if (!a || !b) return fail(termNotFound(egraph.print(a ? right : left)));
  if (egraph.store.find(a.id) !== egraph.store.find(b.id)) {
    return fail(notEqual(egraph.print(left), egraph.print(right)));
  }
  const proof = joined(a.proof, prove(a.id, b.id), backwards(b.proof));
  // Works all steps out, now that the log is as it is.
  postOrder(proofParts, [proof]);
  return ok(proof);
}
