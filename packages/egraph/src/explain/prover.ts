import { fail, foldDag, ok, postOrder, type Result, remember } from '@baton/base';
import { notEqual, termNotFound } from '../diagnostics.ts';
import type { EGraph } from '../egraph.ts';
import type { NodeId } from '../ids.ts';
import { type Builder, ROOT, type Source } from '../match/builder.ts';
import { type Pattern, partsOf } from '../pattern.ts';
import type { Rewrite } from '../rewrite.ts';
import type { ProofLog } from '../store/log.ts';
import { CONGRUENCE } from '../store/store.ts';
import { type Term, term, termChildren } from '../term.ts';
import { makePaths, otherEnd } from './forest.ts';
import { numberTerms } from './numbers.ts';
import { congruence, type Proof, type ProofStep, proofParts, type RuleStep } from './proof.ts';

/** A term that the user added: its node, and the proof that it equals the node's first form. */
interface Entered {
  readonly id: number;
  readonly proof: Proof;
}

/**
 * Proofs that terms are equal, from the log of an e-graph that was run with these rules. The steps
 * of a proof are worked out when they are first asked for.
 */
export function makeProver<D>(
  egraph: EGraph<D>,
  log: ProofLog,
  rules: ReadonlyArray<Rewrite<D>>,
): (left: Term, right: Term) => Result<Proof> {
  const { names } = log;
  const { data } = log.unions;
  const record = log.applications.data;
  const path = makePaths(log, egraph.store.size);
  const { number } = numberTerms(egraph.language);
  const rulesByName = new Map(rules.map((rule) => [rule.name, rule]));
  const terms = new Map<number, Term>();
  const proofs = new Map<string, Proof>();
  const turned = new Map<Proof, Proof>();

  const childrenOf = (n: number): ReadonlyArray<number> =>
    log.childrenOf(n, egraph.operatorOf(n as NodeId).arity);

  /** The operator of a node above these children. */
  const above = (n: number, children: ReadonlyArray<Term>): Term => {
    const { name, payload } = egraph.operatorOf(n as NodeId);
    return term(name, children, payload);
  };

  /** From a node to the same operator above what its children are proved equal to. */
  const replaced = (n: number, by: (child: number, i: number) => Proof): Proof => {
    const children = childrenOf(n).map(by);
    const rights = children.map((child) => child.right);
    return congruence(termOf(n), above(n, rights), children);
  };

  const termOf = (root: number): Term => {
    const known = terms.get(root);
    if (known) return known;
    const missing = new Set([root]);
    for (const n of missing) {
      for (const id of childrenOf(n)) if (!terms.has(id)) missing.add(id);
    }
    // A node is younger than its children.
    for (const n of [...missing].sort((a, b) => a - b)) {
      terms.set(n, above(n, childrenOf(n).map(termOf)));
    }
    return terms.get(root) as Term;
  };

  /** Steps from a term, but for those that lead back in a circle. */
  const direct = (from: Term, steps: ReadonlyArray<ProofStep>): ReadonlyArray<ProofStep> => {
    const terms = [from, ...steps.map((step) => step.to)].map(number);
    const last = new Map(terms.map((t, i) => [t, i]));
    const kept: ProofStep[] = [];
    // The last occurrence of a term starts the part of the proof that never returns to it.
    for (let i = last.get(terms[0] as number) as number; i < steps.length; ) {
      kept.push(steps[i] as ProofStep);
      i = last.get(terms[i + 1] as number) as number;
    }
    return kept;
  };

  const proof = (left: Term, right: Term, write: () => ReadonlyArray<ProofStep>): Proof => {
    let steps: ReadonlyArray<ProofStep> | undefined;
    return {
      left,
      right,
      get steps() {
        steps ??= direct(left, write());
        return steps;
      },
    };
  };

  const joined = (...parts: readonly [Proof, ...Proof[]]): Proof =>
    proof(parts[0].left, (parts.at(-1) as Proof).right, () => parts.flatMap((part) => part.steps));

  const backwards = (forth: Proof): Proof =>
    remember(turned, forth, () => {
      const made = proof(forth.right, forth.left, () => back(forth.steps));
      turned.set(made, forth);
      return made;
    });

  const back = (steps: ReadonlyArray<ProofStep>): ReadonlyArray<ProofStep> =>
    steps.toReversed().map((step): ProofStep => {
      const ends = { from: step.to, to: step.from };
      if (step._tag === 'Given') return { ...step, ...ends };
      if (step._tag === 'Congruence') {
        return { ...step, ...ends, children: step.children.map(backwards) };
      }
      return {
        ...step,
        ...ends,
        direction: step.direction === 'forward' ? 'backward' : 'forward',
      };
    });

  const prove = (a: number, b: number): Proof =>
    remember(proofs, `${a} ${b}`, () =>
      proof(termOf(a), termOf(b), () => path(a, b).flatMap(stepsOf)),
    );

  /** The steps from an end of an equality to the other. */
  const stepsOf = (end: number): ReadonlyArray<ProofStep> => {
    const [a, b] = [data[end] as number, data[otherEnd(end)] as number];
    const reason = data[end - (end % 3) + 2] as number;
    if (reason === CONGRUENCE) {
      const others = childrenOf(b);
      return replaced(a, (id, i) => prove(id, others[i] as number)).steps;
    }
    const isText = reason % 2 === 1;
    const at = reason >> 1;
    const name = names[isText ? at : (record[at] as number)] as string;
    const rule = isText ? undefined : rulesByName.get(name);
    // The log holds only the names of functions, and of rules that are unknown here.
    if (!rule?.code.builder) {
      return [{ _tag: 'Given', reason: name, from: termOf(a), to: termOf(b) }];
    }
    // The log has such an equality from the right-hand side to the left-hand side.
    return end % 3 === 0 ? back(applied(rule, at, a, b)) : applied(rule, at, b, a);
  };

  /**
   * The application of a rule that is logged at `start`: from the node `target` that is, or is made
   * equal to, the left-hand side to the node `value` that the right-hand side became.
   */
  const applied = (
    rule: Rewrite<D>,
    start: number,
    value: number,
    target: number,
  ): ReadonlyArray<ProofStep> => {
    const { name, left, conditions, code } = rule;
    const { operators, payloads, variables } = code.program;
    const slots = operators.length;
    // The caller has seen that there is one.
    const { steps, unions } = code.builder as Builder;
    const firstMade = start + 1 + variables.length + slots;
    /** The node that a variable stands for, or that a value of the builder became. */
    const place = (source: Source | typeof ROOT): number =>
      source === ROOT
        ? target
        : (record[source >= 0 ? start + 1 + source : firstMade - 1 - source] as number);
    const standsFor = (variable: string): number => place(variables.indexOf(variable));

    let matched = firstMade - slots;
    /** The proof from node `n` to the instance of the pattern that its class matched. */
    const reach = (n: number, p: Pattern): Proof => {
      if (p._tag === 'Variable') return prove(n, standsFor(p.name));
      const own = record[matched++] as number;
      const below = (child: number, i: number): Proof => reach(child, partsOf(p)[i] as Pattern);
      return joined(prove(n, own), replaced(own, below));
    };
    /** From the node that a value of the builder became to the instance of its pattern. */
    const unbuilt = (source: Source): Proof => {
      const n = place(source);
      const args = steps[-1 - source]?.args;
      if (!args) return prove(n, n);
      return replaced(n, (child, i) => {
        const arg = args[i] as Source;
        return joined(prove(child, place(arg)), unbuilt(arg));
      });
    };

    // What is logged with an application is one of its unions.
    const [to, from] = unions.find(
      (union) => place(union[1]) === value && place(union[0]) === target,
    ) as Builder['unions'][number];
    const premises =
      '_tag' in left
        ? []
        : left.map(({ variable, pattern }) => reach(standsFor(variable), pattern));
    const before = '_tag' in left ? reach(target, left) : unbuilt(to as Source);
    const after = backwards(unbuilt(from));
    const step: RuleStep = {
      _tag: 'Rule',
      rule: name,
      direction: 'forward',
      from: before.right,
      to: after.left,
      substitution: Object.fromEntries(
        variables.map((v, i) => [
          v,
          payloads.has(v) ? term('', [], egraph.payloadAt(place(i))) : termOf(place(i)),
        ]),
      ),
      conditions: conditions.map(({ text }) => text),
      premises,
    };
    return [...before.steps, step, ...after.steps];
  };

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

  return (left, right) => {
    const [a, b] = [enter(left), enter(right)];
    if (!a || !b) return fail(termNotFound(egraph.print(a ? right : left)));
    if (egraph.store.find(a.id) !== egraph.store.find(b.id)) {
      return fail(notEqual(egraph.print(left), egraph.print(right)));
    }
    const whole = joined(a.proof, prove(a.id, b.id), backwards(b.proof));
    // Works all steps out, now that the log is as it is.
    postOrder(proofParts, [whole]);
    return ok(whole);
  };
}
