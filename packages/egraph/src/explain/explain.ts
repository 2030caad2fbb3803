import { fail, foldDag, invariant, type Result } from '@baton/base';
import { explanationsOff, notEqual, termNotFound } from '../diagnostics.ts';
import type { EGraph } from '../egraph.ts';
import type { Language } from '../language.ts';
import { ok } from '../result.ts';
import { rules as flatten, type Rewrite, type RuleInput } from '../rewrite.ts';
import { CONGRUENCE } from '../store/store.ts';
import { type Term, term, termChildren } from '../term.ts';
import { Applied, type Prover } from './applied.ts';
import { type Edge, Forest } from './forest.ts';
import type { ProofLog } from './log.ts';
import { numberTerms } from './numbers.ts';
import { congruence, type Proof, type ProofStep } from './proof.ts';

/**
 * Why two terms are equal, by the rules that made them so.
 *
 * `rules` must be those that the e-graph was run with: the log holds their names.
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
  if (log === undefined) return fail(explanationsOff());
  const known = flatten(rules);
  if (known._tag === 'Left') return known;
  egraph.rebuild();
  const explainer = new Explainer(egraph, log, known.right);
  const [a, b] = [explainer.enter(left), explainer.enter(right)];
  if (a === undefined) return fail(termNotFound(egraph.print(left)));
  if (b === undefined) return fail(termNotFound(egraph.print(right)));
  if (egraph.store.find(a.id) !== egraph.store.find(b.id)) {
    return fail(notEqual(egraph.print(left), egraph.print(right)));
  }
  const middle = explainer.prove(a.id, b.id);
  const proof = explainer.joined(explainer.joined(a.proof, middle), explainer.backwards(b.proof));
  explainer.finish();
  return ok(proof);
}

/** A term of the user: the node that it is found at, and why it equals what that was made as. */
interface Entered {
  readonly id: number;
  readonly proof: Proof;
}

/** Writes proofs. Their steps are all there only after `finish`. */
class Explainer<D> implements Prover<D> {
  readonly language: Language;
  private readonly egraph: EGraph<D>;
  readonly log: ProofLog;
  readonly rules: ReadonlyMap<string, Rewrite<D>>;
  private readonly forest: Forest;
  private readonly terms = new Map<number, Term>();
  private readonly proofs = new Map<string, Proof>();
  private readonly turned = new Map<Proof, Proof>();
  private readonly late: (() => void)[] = [];
  private readonly pending: (() => void)[] = [];

  constructor(egraph: EGraph<D>, log: ProofLog, rules: ReadonlyArray<Rewrite<D>>) {
    this.language = egraph.language;
    this.egraph = egraph;
    this.log = log;
    this.forest = new Forest(log, egraph.store.size);
    this.rules = new Map(rules.map((rule) => [rule.name, rule]));
  }

  /** The node that a term is found at, and why the term equals what the node was made as. */
  readonly enter: (root: Term) => Entered | undefined = foldDag(
    termChildren,
    (left, get: (child: Term) => Entered | undefined) => {
      const parts = left.children.flatMap((child) => get(child) ?? []);
      const ids = parts.map((part) => part.id);
      const operator = this.egraph.operator(left.name, left.children.length, left.payload);
      const id = parts.length < operator.arity ? -1 : this.egraph.store.lookup(operator.id, ids);
      if (id < 0) return undefined;
      const right = this.termOf(id);
      const children = parts.map((part, i) =>
        this.joined(part.proof, this.prove(part.id, this.log.child(id, i))),
      );
      return { id, proof: congruence(left, right, children) };
    },
  );

  /** The children that a node was made with. */
  private childrenOf(n: number): ReadonlyArray<number> {
    const op = this.egraph.store.nodes[n * 4] as number;
    const arity = this.egraph.operators[op]?.arity ?? 0;
    return Array.from({ length: arity }, (_, i) => this.log.child(n, i));
  }

  /** The term that a node was made as. */
  readonly termOf = (root: number): Term => {
    const { egraph, terms } = this;
    const pending = [root];
    for (let n = pending.at(-1); n !== undefined; n = pending.at(-1)) {
      const ids = this.childrenOf(n);
      const missing = terms.has(n) ? [] : ids.filter((id) => !terms.has(id));
      pending.push(...missing);
      if (missing.length > 0) continue;
      pending.pop();
      if (terms.has(n)) continue;
      const operator = egraph.operators[egraph.store.nodes[n * 4] as number];
      invariant(operator !== undefined, 'every node has an operator');
      const children = ids.map((id) => terms.get(id) as Term);
      terms.set(n, term(operator.name, children, operator.payload));
    }
    return terms.get(root) as Term;
  };

  /** The proof that two nodes are equal. */
  prove(a: number, b: number): Proof {
    const key = `${a} ${b}`;
    const known = this.proofs.get(key);
    if (known !== undefined) return known;
    const draft = this.draft(this.termOf(a), this.termOf(b), this.pending, () => {
      const path = this.forest.path(a, b);
      invariant(path !== undefined, 'equal nodes are connected in the log');
      return path.flatMap((edge) => this.steps(edge));
    });
    this.proofs.set(key, draft);
    return draft;
  }

  /** Two proofs one after the other. */
  joined(a: Proof, b: Proof): Proof {
    return this.draft(a.left, b.right, this.late, () => [...a.steps, ...b.steps]);
  }

  /** The same proof from right to left. */
  backwards(proof: Proof): Proof {
    const known = this.turned.get(proof);
    if (known !== undefined) return known;
    const draft = this.draft(proof.right, proof.left, this.late, () => this.back(proof.steps));
    this.turned.set(proof, draft);
    this.turned.set(draft, proof);
    return draft;
  }

  private back(steps: ReadonlyArray<ProofStep>): ReadonlyArray<ProofStep> {
    return steps.toReversed().map((step): ProofStep => {
      const turned = { from: step.to, to: step.from };
      if (step._tag === 'Given') return { ...step, ...turned };
      if (step._tag === 'Rule') {
        const direction = step.direction === 'forward' ? 'backward' : 'forward';
        return { ...step, ...turned, direction };
      }
      const children = step.children.map((child) => this.backwards(child));
      return { ...step, ...turned, children };
    });
  }

  /** Writes the steps of all proofs that were asked for. */
  finish(): void {
    for (let write = this.pending.pop(); write !== undefined; write = this.pending.pop()) write();
    // Each depends on those before it only; turning a proof round may append more.
    for (const write of this.late) write();
  }

  /** A proof whose steps a task of the queue writes, but for those that lead back in a circle. */
  private draft(
    left: Term,
    right: Term,
    queue: (() => void)[],
    steps: () => ReadonlyArray<ProofStep>,
  ): Proof {
    const kept: ProofStep[] = [];
    queue.push(() => {
      const places = new Map([[this.number(left), 0]]);
      for (const step of steps()) {
        const number = this.number(step.to);
        const place = places.get(number);
        if (place === undefined) {
          kept.push(step);
          places.set(number, kept.length);
        } else {
          for (const dropped of kept.splice(place)) places.delete(this.number(dropped.to));
          places.set(number, place);
        }
      }
    });
    return { left, right, steps: kept };
  }

  private readonly number: (root: Term) => number = numberTerms(
    (t) => this.egraph.operator(t.name, t.children.length, t.payload).id,
  );

  private steps({ from, to, reason, reversed }: Edge): ReadonlyArray<ProofStep> {
    const [left, right] = [this.termOf(from), this.termOf(to)];
    if (reason === CONGRUENCE) {
      const [froms, tos] = [this.childrenOf(from), this.childrenOf(to)];
      return congruence(
        left,
        right,
        froms.map((id, i) => this.prove(id, tos[i] as number)),
      ).steps;
    }
    const application = this.log.application(reason);
    if (application === undefined) {
      return [{ _tag: 'Given', reason: this.log.text(reason) ?? '', from: left, to: right }];
    }
    // The log has such an edge from the right-hand side to the left-hand side.
    const applied = new Applied(this, application);
    return reversed ? applied.steps(to, from) : this.back(applied.steps(from, to));
  }
}
