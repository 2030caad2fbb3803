/** Explanations of equalities. */
import { andThen, fail, memoFold, ok, postOrder, type Result, remember } from '@baton/base';
import { explanationsOff, notEqual, termNotFound } from '../diagnostics.ts';
import type { EGraph } from '../egraph.ts';
import type { NodeId } from '../ids.ts';
import { type Builder, ROOT, type Source } from '../match/builder.ts';
import { type Pattern, partsOf } from '../pattern.ts';
import { rules as flatten, type Rewrite, type RuleInput } from '../rewrite.ts';
import type { ProofLog } from '../store/log.ts';
import { CONGRUENCE } from '../store/store.ts';
import { type Term, term, termChildren } from '../term.ts';
import { makePaths, otherEnd } from './forest.ts';
import { back, type LazyProofs, makeLazyProofs } from './lazy.ts';
import { numberTerms } from './numbers.ts';
import { congruence, type Proof, type ProofStep, proofParts, type RuleStep } from './proof.ts';

/** The log of an e-graph that was run with these rules, and the proofs made from it so far. */
interface Prover<D> extends LazyProofs {
  readonly egraph: EGraph<D>;
  readonly log: ProofLog;
  readonly rules: ReadonlyMap<string, Rewrite<D>>;
  /** The path between two equal nodes in the log. */
  readonly path: (a: number, b: number) => ReadonlyArray<number>;
  readonly terms: Map<number, Term>;
  readonly proofs: Map<string, Proof>;
}

/**
 * The proof that two terms are equal, by the rules that made them so.
 *
 * `rules` are the rules of the run: the log holds their names. Steps by rules outside this list,
 * and steps by functions, are accepted without proof.
 *
 * **Errors** `EGRAPH_EXPLANATIONS_OFF`, `EGRAPH_TERM_NOT_FOUND`, `EGRAPH_NOT_EQUAL`, and errors of
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

/**
 * Proofs that terms are equal, from the log of an e-graph that was run with these rules. The steps
 * of a proof are computed on demand.
 */
function makeProver<D>(
  egraph: EGraph<D>,
  log: ProofLog,
  rules: ReadonlyArray<Rewrite<D>>,
): (left: Term, right: Term) => Result<Proof> {
  const prover: Prover<D> = {
    ...makeLazyProofs(numberTerms(egraph.language).number),
    egraph,
    log,
    rules: new Map(rules.map((rule) => [rule.name, rule])),
    path: makePaths(log, egraph.store.size),
    terms: new Map(),
    proofs: new Map(),
  };
  /** The node of a term that the user added, and the proof that it equals the node's first form. */
  const enter = memoFold<Term, { id: number; proof: Proof } | undefined>(termChildren, (t, get) => {
    const parts = t.children.flatMap((child) => get(child) ?? []);
    const operator = egraph.findOperator(t.name, t.children.length, t.payload);
    if (!operator || parts.length < operator.arity) return undefined;
    const id = egraph.store.lookup(
      operator.id,
      parts.map((part) => part.id),
    );
    if (id < 0) return undefined;
    const made = childrenOf(prover, id);
    const children = parts.map((part, i) =>
      joined(prover, part.proof, prove(prover, part.id, made[i] as number)),
    );
    return { id, proof: congruence(t, termOf(prover, id), children) };
  });

  return (left, right) => {
    const [a, b] = [enter(left), enter(right)];
    if (!a || !b) return fail(termNotFound(egraph.print(a ? right : left)));
    if (egraph.store.find(a.id) !== egraph.store.find(b.id)) {
      return fail(notEqual(egraph.print(left), egraph.print(right)));
    }
    const whole = joined(prover, a.proof, prove(prover, a.id, b.id), prover.backwards(b.proof));
    // Computes all steps now, from the log's present state.
    postOrder(proofParts, [whole]);
    // Not enumerable: a proof is compared and written by its terms.
    return ok(Object.defineProperty(whole, 'language', { value: egraph.language }));
  };
}

const joined = <D>({ proof }: Prover<D>, ...parts: readonly [Proof, ...Proof[]]): Proof =>
  proof(parts[0].left, (parts.at(-1) as Proof).right, () => parts.flatMap((part) => part.steps));

const childrenOf = <D>({ egraph, log }: Prover<D>, n: number): ReadonlyArray<number> =>
  log.childrenOf(n, egraph.operatorOf(n as NodeId).arity);

function above<D>({ egraph }: Prover<D>, n: number, children: ReadonlyArray<Term>): Term {
  const { name, payload } = egraph.operatorOf(n as NodeId);
  return term(name, children, payload);
}

function termOf<D>(prover: Prover<D>, root: number): Term {
  const { terms } = prover;
  const known = terms.get(root);
  if (known) return known;
  const missing = new Set([root]);
  for (const n of missing) {
    for (const id of childrenOf(prover, n)) if (!terms.has(id)) missing.add(id);
  }
  // A node is younger than its children.
  for (const n of [...missing].sort((a, b) => a - b)) {
    const children = childrenOf(prover, n).map((id) => terms.get(id) as Term);
    terms.set(n, above(prover, n, children));
  }
  return terms.get(root) as Term;
}

/** The step from a node to the same operator above terms proved equal to its children. */
function replaced<D>(prover: Prover<D>, n: number, by: (child: number, i: number) => Proof): Proof {
  const children = childrenOf(prover, n).map(by);
  const rights = children.map((child) => child.right);
  return congruence(termOf(prover, n), above(prover, n, rights), children);
}

/** The proof that two nodes of a class are equal. */
function prove<D>(prover: Prover<D>, a: number, b: number): Proof {
  return remember(prover.proofs, `${a} ${b}`, () =>
    prover.proof(termOf(prover, a), termOf(prover, b), () =>
      prover.path(a, b).flatMap((end) => stepsOf(prover, end)),
    ),
  );
}

/** The steps from an end of an equality to the other. */
function stepsOf<D>(prover: Prover<D>, end: number): ReadonlyArray<ProofStep> {
  const { applications, names, unions } = prover.log;
  const { data } = unions;
  const [a, b] = [data[end] as number, data[otherEnd(end)] as number];
  const reason = data[end - (end % 3) + 2] as number;
  if (reason === CONGRUENCE) {
    const others = childrenOf(prover, b);
    return replaced(prover, a, (id, i) => prove(prover, id, others[i] as number)).steps;
  }
  const isText = reason % 2 === 1;
  const at = reason >> 1;
  const name = names[isText ? at : (applications.data[at] as number)] as string;
  const rule = isText ? undefined : prover.rules.get(name);
  // The log holds only the names of functions, and of rules that are unknown here.
  if (!rule?.code.builder) {
    return [{ _tag: 'Given', reason: name, from: termOf(prover, a), to: termOf(prover, b) }];
  }
  // The log has this equality from the right-hand side to the left-hand side.
  return end % 3 === 0
    ? back(applied(prover, rule, at, a, b), prover.backwards)
    : applied(prover, rule, at, b, a);
}

/**
 * The application of a rule logged at `start`: it leads from the node `target`, which equals the
 * left-hand side, to the node `value` of the right-hand side.
 */
function applied<D>(
  prover: Prover<D>,
  { name, left, conditions, code }: Rewrite<D>,
  start: number,
  value: number,
  target: number,
): ReadonlyArray<ProofStep> {
  const record = prover.log.applications.data;
  const { operators, payloads, variables } = code.program;
  // The caller has checked that it exists.
  const { steps, unions } = code.builder as Builder;
  const firstMade = start + 1 + variables.length + operators.length;
  /** The node of a variable, or of a value of the builder. */
  const place = (source: Source | typeof ROOT): number =>
    source === ROOT
      ? target
      : (record[source >= 0 ? start + 1 + source : firstMade - 1 - source] as number);
  const standsFor = (variable: string): number => place(variables.indexOf(variable));

  let matched = firstMade - operators.length;
  /** The proof from node `n` to the instance of the pattern that its class matched. */
  const reach = (n: number, p: Pattern): Proof => {
    if (p._tag === 'Variable') return prove(prover, n, standsFor(p.name));
    const own = record[matched++] as number;
    const below = (child: number, i: number): Proof => reach(child, partsOf(p)[i] as Pattern);
    return joined(prover, prove(prover, n, own), replaced(prover, own, below));
  };
  /** The proof from the node of a builder's value to the instance of its pattern. */
  const unbuilt = (source: Source): Proof => {
    const n = place(source);
    const args = steps[-1 - source]?.args;
    if (!args) return prove(prover, n, n);
    return replaced(prover, n, (child, i) => {
      const arg = args[i] as Source;
      return joined(prover, prove(prover, child, place(arg)), unbuilt(arg));
    });
  };

  // The logged equality is one of the application's unions.
  const [to, from] = unions.find(
    (union) => place(union[1]) === value && place(union[0]) === target,
  ) as Builder['unions'][number];
  const premises =
    '_tag' in left ? [] : left.map(({ variable, pattern }) => reach(standsFor(variable), pattern));
  const before = '_tag' in left ? reach(target, left) : unbuilt(to as Source);
  const after = prover.backwards(unbuilt(from));
  const meaning = (v: string, i: number): Term =>
    payloads.has(v) ? term('', [], prover.egraph.payloadAt(place(i))) : termOf(prover, place(i));
  const step: RuleStep = {
    _tag: 'Rule',
    rule: name,
    direction: 'forward',
    from: before.right,
    to: after.left,
    substitution: Object.fromEntries(variables.map((v, i) => [v, meaning(v, i)])),
    conditions: conditions.map(({ text }) => text),
    premises,
  };
  return [...before.steps, step, ...after.steps];
}
