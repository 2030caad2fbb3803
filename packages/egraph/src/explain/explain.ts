import { fail, invariant, postOrder, type Result } from '@baton/base';
import { explanationsOff, notEqual, termNotFound } from '../diagnostics.ts';
import type { EGraph } from '../egraph.ts';
import { readLeaf } from '../language.ts';
import type { Clause, Pattern } from '../pattern.ts';
import { ok } from '../result.ts';
import { rules as flatten, type Rewrite, type RuleInput } from '../rewrite.ts';
import { CONGRUENCE } from '../store/store.ts';
import { type Term, term, termChildren } from '../term.ts';
import { type Edge, Forest } from './forest.ts';
import type { Application, ProofLog } from './log.ts';
import type { Proof, ProofStep } from './proof.ts';

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

/** A proof whose steps are still being written. */
interface Draft {
  readonly left: Term;
  readonly right: Term;
  readonly steps: ProofStep[];
}

interface Entered {
  readonly id: number;
  readonly proof: Draft;
}

class Explainer<D> {
  private readonly egraph: EGraph<D>;
  private readonly log: ProofLog;
  private readonly forest: Forest;
  private readonly rules: ReadonlyMap<string, Rewrite<D>>;
  private readonly terms = new Map<number, Term>();
  private readonly proofs = new Map<string, Draft>();
  private readonly numbers = new Map<string, number>();
  private readonly numberOf = new Map<Term, number>();
  private readonly turned = new Map<Proof, Proof>();
  private readonly late: (() => void)[] = [];
  private readonly pending: { readonly draft: Draft; readonly a: number; readonly b: number }[] =
    [];

  constructor(egraph: EGraph<D>, log: ProofLog, rules: ReadonlyArray<Rewrite<D>>) {
    this.egraph = egraph;
    this.log = log;
    this.forest = new Forest(log, egraph.store.size);
    this.rules = new Map(rules.map((rule) => [rule.name, rule]));
  }

  /** The node that a term is found at, and why the term equals what the node was made as. */
  enter(root: Term): Entered | undefined {
    const entered = new Map<Term, Entered>();
    const { store } = this.egraph;
    for (const t of postOrder(termChildren, [root])) {
      const parts = t.children.map((child) => entered.get(child) as Entered);
      const operator = this.egraph.operator(t.name, parts.length, t.payload);
      const id = store.lookup(
        operator.id,
        parts.map((part) => part.id),
      );
      if (id < 0) return undefined;
      const made = this.termOf(id);
      const children = parts.map((part, i) => {
        const below = this.prove(part.id, this.log.child(id, i));
        return this.joined(part.proof, below);
      });
      const isSame = children.every((child) => child.left === child.right);
      const proof: Draft = { left: t, right: made, steps: [] };
      if (t !== made && !(isSame && children.length === 0)) {
        proof.steps.push({ _tag: 'Congruence', from: t, to: made, children });
      }
      entered.set(t, { id, proof });
    }
    return entered.get(root);
  }

  /** The term that a node was made as. */
  private termOf(root: number): Term {
    const known = this.terms.get(root);
    if (known !== undefined) return known;
    const { store } = this.egraph;
    const pending = [root];
    while (pending.length > 0) {
      const n = pending[pending.length - 1] as number;
      const operator = this.egraph.operators[store.nodes[n * 4] as number];
      invariant(operator !== undefined, 'every node has an operator');
      const ids = Array.from({ length: operator.arity }, (_, i) => this.log.child(n, i));
      const missing = ids.filter((id) => !this.terms.has(id));
      if (missing.length > 0) pending.push(...missing);
      else {
        pending.pop();
        const children = ids.map((id) => this.terms.get(id) as Term);
        if (!this.terms.has(n)) this.terms.set(n, term(operator.name, children, operator.payload));
      }
    }
    return this.terms.get(root) as Term;
  }

  /** The proof that two nodes are equal; its steps are written by `finish`. */
  prove(a: number, b: number): Draft {
    const key = `${a} ${b}`;
    const known = this.proofs.get(key);
    if (known !== undefined) return known;
    const draft: Draft = { left: this.termOf(a), right: this.termOf(b), steps: [] };
    this.proofs.set(key, draft);
    if (a !== b) this.pending.push({ draft, a, b });
    return draft;
  }

  /** Writes the steps of all proofs that were asked for. */
  finish(): void {
    while (this.pending.length > 0) {
      const next = this.pending.pop();
      if (next === undefined) return;
      const path = this.forest.path(next.a, next.b);
      invariant(path !== undefined, 'equal nodes are connected in the log');
      this.write(
        next.draft,
        path.flatMap((edge) => this.steps(edge)),
      );
    }
    // Each depends on those before it only; turning a proof round may append more.
    for (let i = 0; i < this.late.length; i++) this.late[i]?.();
    this.late.length = 0;
  }

  /** Writes the steps of a proof, leaving out those that lead back to a term it has been at. */
  private write(draft: Draft, steps: ReadonlyArray<ProofStep>): void {
    const places = new Map([[this.number(draft.left), 0]]);
    const kept = draft.steps;
    for (const step of steps) {
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
  }

  /** Equal terms have equal numbers. */
  private number(root: Term): number {
    for (const t of postOrder(termChildren, [root], (x) => this.numberOf.has(x))) {
      const operator = this.egraph.operator(t.name, t.children.length, t.payload);
      const key = [operator.id, ...t.children.map((child) => this.numberOf.get(child))].join(' ');
      const number = this.numbers.get(key) ?? this.numbers.size;
      this.numbers.set(key, number);
      this.numberOf.set(t, number);
    }
    return this.numberOf.get(root) as number;
  }

  /** Two proofs one after the other; its steps are written at the end of `finish`. */
  joined(a: Proof, b: Proof): Draft {
    const draft: Draft = { left: a.left, right: b.right, steps: [] };
    this.late.push(() => {
      this.write(draft, [...a.steps, ...b.steps]);
    });
    return draft;
  }

  /** The same proof from right to left; its steps are written at the end of `finish`. */
  backwards(proof: Proof): Proof {
    const known = this.turned.get(proof);
    if (known !== undefined) return known;
    const draft: Draft = { left: proof.right, right: proof.left, steps: [] };
    this.turned.set(proof, draft);
    this.turned.set(draft, proof);
    this.late.push(() => {
      this.write(draft, proof.steps.map((step) => this.backStep(step)).reverse());
    });
    return draft;
  }

  private backStep(step: ProofStep): ProofStep {
    const turned = { from: step.to, to: step.from };
    switch (step._tag) {
      case 'Given':
        return { ...step, ...turned };
      case 'Congruence':
        return {
          ...step,
          ...turned,
          children: step.children.map((child) => this.backwards(child)),
        };
      case 'Rule':
        return {
          ...step,
          ...turned,
          direction: step.direction === 'forward' ? 'backward' : 'forward',
        };
    }
  }

  private steps(edge: Edge): ReadonlyArray<ProofStep> {
    const [from, to] = [this.termOf(edge.from), this.termOf(edge.to)];
    if (edge.reason === CONGRUENCE) {
      const children = from.children.map((_, i) =>
        this.prove(this.log.child(edge.from, i), this.log.child(edge.to, i)),
      );
      return [{ _tag: 'Congruence', from, to, children }];
    }
    const application = this.log.application(edge.reason);
    if (application === undefined) {
      return [{ _tag: 'Given', reason: this.log.text(edge.reason) ?? '', from, to }];
    }
    // The log has such an edge from the right-hand side to the left-hand side.
    const value = edge.reversed ? edge.to : edge.from;
    const target = edge.reversed ? edge.from : edge.to;
    const forward = this.applied(application, value, target);
    return edge.reversed ? forward : forward.map((step) => this.backStep(step)).reverse();
  }

  /** From the matched node `target` to the node `value` that the right-hand side became. */
  private applied(a: Application, value: number, target: number): ReadonlyArray<ProofStep> {
    const name = this.log.rules[a.rule] as string;
    const rule = this.rules.get(name);
    invariant(rule !== undefined, `rule ${name} is among the rules given to explain`);
    const { variables } = rule.code.program;
    const ids = new Map(variables.map((v, i) => [v, a.variables[i] as number]));
    const isMulti = !('_tag' in rule.left);
    const instance = new Instance(this.egraph, ids, (id) => this.termOf(id));
    const matched = new Slots(a.matched);
    const premises: Draft[] = [];
    let before: ProofStep[] = [];
    let from: Term;
    if ('_tag' in rule.left) {
      const l = rule.left;
      from = instance.term(l);
      before = this.unfold(target, l, instance, matched);
    } else {
      from = this.termOf(target);
      for (const { variable, pattern } of rule.left)
        premises.push(this.premise(variable, pattern, instance, matched));
    }
    const right = this.rightOf(rule, instance, value, target, a);
    const rhs = instance.term(right);
    const after = this.fold(value, right, instance, rule, a);
    const substitution = Object.fromEntries(variables.map((v) => [v, instance.variable(v)]));
    const conditions = rule.conditions.map((condition) => condition.text);
    const step: ProofStep = {
      _tag: 'Rule',
      rule: name,
      direction: 'forward',
      from,
      to: rhs,
      substitution,
      conditions,
      premises: isMulti ? premises : [],
    };
    return [...before, step, ...after];
  }

  private premise(
    variable: string,
    pattern: Pattern,
    instance: Instance<D>,
    matched: Slots,
  ): Draft {
    const id = instance.id(variable);
    if (pattern._tag === 'Variable') return this.prove(id, instance.id(pattern.name));
    const node = matched.peek();
    const lead = this.prove(id, node);
    const steps = this.unfold(node, pattern, instance, matched);
    const rest: Draft = { left: this.termOf(node), right: instance.term(pattern), steps };
    return this.joined(lead, rest);
  }

  /** Steps from what node `n` was made as to the instance of the pattern that it matched. */
  private unfold(n: number, p: Pattern, instance: Instance<D>, slots: Slots): ProofStep[] {
    if (p._tag === 'Variable') return [];
    const own = slots.take();
    const [from, to] = [this.termOf(n), instance.term(p)];
    if (p._tag === 'Atom' || p.children.length === 0) return [];
    const children = p.children.map((child, i): Draft => {
      const below = this.log.child(own, i);
      if (child._tag === 'Variable') return this.prove(below, instance.id(child.name));
      const node = slots.peek();
      const lead = this.prove(below, node);
      const steps = this.unfold(node, child, instance, slots);
      return this.joined(lead, { left: this.termOf(node), right: instance.term(child), steps });
    });
    return [{ _tag: 'Congruence', from, to, children }];
  }

  private rightOf(
    rule: Rewrite<D>,
    instance: Instance<D>,
    value: number,
    target: number,
    a: Application,
  ): Pattern {
    const { right } = rule;
    if ('_tag' in right && right._tag !== 'Applier') return right;
    const clauses = right as ReadonlyArray<Clause>;
    const { builder } = rule.code;
    const idOf = (source: number): number | undefined =>
      source >= 0 ? a.variables[source] : a.made[-1 - source];
    const united = clauses.filter((clause) => instance.has(clause.variable));
    const found = united.find((clause, i) => {
      const pair = builder?.unions[i];
      return (
        pair !== undefined && idOf(pair[1]) === value && instance.id(clause.variable) === target
      );
    });
    invariant(found !== undefined, 'every union of a rule belongs to one of its clauses');
    return found.pattern;
  }

  /** Steps from the instance of a right-hand side to what its node was made as. */
  private fold(
    n: number,
    p: Pattern,
    instance: Instance<D>,
    rule: Rewrite<D>,
    a: Application,
  ): ProofStep[] {
    if (p._tag !== 'Node' || p.children.length === 0) return [];
    const { builder } = rule.code;
    invariant(
      builder !== undefined,
      'a rule whose right-hand side is a function is logged as text',
    );
    const locate = (child: Pattern, source: number): number =>
      child._tag === 'Variable' && instance.has(child.name)
        ? instance.id(child.name)
        : ((source >= 0 ? a.variables[source] : a.made[-1 - source]) as number);
    const build = (id: number, q: Pattern, step: number): Draft => {
      const args = builder.steps[step]?.args ?? [];
      const children =
        q._tag !== 'Node'
          ? []
          : q.children.map((child, i): Draft => {
              const source = args[i] as number;
              const below = locate(child, source);
              const rest = this.prove(below, this.log.child(id, i));
              return source >= 0 ? rest : this.joined(build(below, child, -1 - source), rest);
            });
      const [left, right] = [instance.term(q), this.termOf(id)];
      if (children.length === 0) return { left, right, steps: [] };
      return { left, right, steps: [{ _tag: 'Congruence', from: left, to: right, children }] };
    };
    return build(n, p, a.made.lastIndexOf(n)).steps;
  }
}

/** A substitution of a rule: ids and terms of variables, and terms of patterns under it. */
class Instance<D> {
  private readonly egraph: EGraph<D>;
  private readonly ids: ReadonlyMap<string, number>;
  private readonly termOf: (id: number) => Term;

  constructor(egraph: EGraph<D>, ids: ReadonlyMap<string, number>, termOf: (id: number) => Term) {
    this.egraph = egraph;
    this.ids = ids;
    this.termOf = termOf;
  }

  has(variable: string): boolean {
    return this.ids.has(variable);
  }

  id(variable: string): number {
    const id = this.ids.get(variable);
    invariant(id !== undefined, 'a rule binds the variables that it uses');
    return id;
  }

  variable(name: string): Term {
    return this.termOf(this.id(name));
  }

  term(p: Pattern): Term {
    if (p._tag === 'Variable') return this.variable(p.name);
    if (p._tag === 'Node') {
      return term(
        p.name,
        p.children.map((child) => this.term(child)),
        p.payload,
      );
    }
    const { name, payload } = readLeaf(this.egraph.language, p.token);
    return term(name, [], payload);
  }
}

/** The nodes that matched a left-hand side, read in the order of its nodes. */
class Slots {
  private at = 0;
  private readonly ids: ReadonlyArray<number>;

  constructor(ids: ReadonlyArray<number>) {
    this.ids = ids;
  }

  peek(): number {
    return this.ids[this.at] as number;
  }

  take(): number {
    const id = this.peek();
    this.at++;
    return id;
  }
}
