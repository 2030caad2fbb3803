import { invariant } from '@baton/base';
import { type Language, readLeaf } from '../language.ts';
import type { Pattern } from '../pattern.ts';
import type { Rewrite } from '../rewrite.ts';
import { type Term, term } from '../term.ts';
import type { Application, ProofLog } from './log.ts';
import { congruence, type Proof, type ProofStep } from './proof.ts';

/** What proves the equalities that the application of a rule rests on. */
export interface Prover<D> {
  readonly language: Language;
  readonly log: ProofLog;
  readonly rules: ReadonlyMap<string, Rewrite<D>>;
  /** The term that a node was made as. */
  readonly termOf: (node: number) => Term;
  /** The proof that two nodes are equal. */
  readonly prove: (a: number, b: number) => Proof;
  /** Two proofs one after the other. */
  readonly joined: (a: Proof, b: Proof) => Proof;
}

/** One application of a rule, taken apart into steps. */
export class Applied<D> {
  private readonly prover: Prover<D>;
  private readonly application: Application;
  private readonly rule: Rewrite<D>;
  /** What each variable stands for. */
  private readonly ids: ReadonlyMap<string, number>;
  /** How many of the matched nodes have been taken: they lie in the order of the patterns. */
  private taken = 0;

  constructor(prover: Prover<D>, application: Application) {
    const name = prover.log.rules[application.rule] as string;
    const rule = prover.rules.get(name);
    invariant(rule !== undefined, `rule ${name} is among the rules given to explain`);
    this.prover = prover;
    this.application = application;
    this.rule = rule;
    this.ids = new Map(
      rule.code.program.variables.map((v, i) => [v, application.variables[i] as number]),
    );
  }

  /** From the matched node `target` to the node `value` that the right-hand side became. */
  steps(value: number, target: number): ReadonlyArray<ProofStep> {
    const { rule, prover } = this;
    const { left } = rule;
    const before = '_tag' in left ? this.unfold(target, left) : [];
    const from = '_tag' in left ? this.instance(left) : prover.termOf(target);
    const premises =
      '_tag' in left
        ? []
        : left.map(({ variable, pattern }) => this.reach(this.id(variable), pattern));
    const right = this.right(value, target);
    const step: ProofStep = {
      _tag: 'Rule',
      rule: rule.name,
      direction: 'forward',
      from,
      to: this.instance(right),
      substitution: Object.fromEntries([...this.ids].map(([v, id]) => [v, prover.termOf(id)])),
      conditions: rule.conditions.map((condition) => condition.text),
      premises,
    };
    const made = this.application.made.lastIndexOf(value);
    return [...before, step, ...this.made(value, right, made).steps];
  }

  private id(variable: string): number {
    const id = this.ids.get(variable);
    invariant(id !== undefined, 'a rule binds the variables that it uses');
    return id;
  }

  /** The pattern with what its variables stand for. */
  private instance(p: Pattern): Term {
    if (p._tag === 'Variable') return this.prover.termOf(this.id(p.name));
    if (p._tag === 'Node') {
      const children = p.children.map((child) => this.instance(child));
      return term(p.name, children, p.payload);
    }
    const { name, payload } = readLeaf(this.prover.language, p.token);
    return term(name, [], payload);
  }

  /** From node `id` to the instance of a pattern that its class matched. */
  private reach(id: number, p: Pattern): Proof {
    const { prover, application } = this;
    if (p._tag === 'Variable') return prover.prove(id, this.id(p.name));
    const node = application.matched[this.taken] as number;
    const steps = this.unfold(node, p);
    const rest = { left: prover.termOf(node), right: this.instance(p), steps };
    return prover.joined(prover.prove(id, node), rest);
  }

  /** From node `n` to the instance of the pattern that the next of the matched nodes matched. */
  private unfold(n: number, p: Pattern): ReadonlyArray<ProofStep> {
    if (p._tag === 'Variable') return [];
    const own = this.application.matched[this.taken++] as number;
    if (p._tag === 'Atom') return [];
    const { log, termOf } = this.prover;
    const children = p.children.map((child, i) => this.reach(log.child(own, i), child));
    return congruence(termOf(n), this.instance(p), children).steps;
  }

  /** The node that a value of the builder became, or that a variable stands for. */
  private place(source: number): number {
    const { variables, made } = this.application;
    return (source >= 0 ? variables[source] : made[-1 - source]) as number;
  }

  /** The pattern of the right-hand side that says that `value` equals `target`. */
  private right(value: number, target: number): Pattern {
    const { right, code } = this.rule;
    if ('_tag' in right) {
      invariant(right._tag !== 'Applier', 'what a function makes equal is logged as text');
      return right;
    }
    const found = right
      .filter((clause) => this.ids.has(clause.variable))
      .find(({ variable }, i) => {
        const [, source = 0] = code.builder?.unions[i] ?? [];
        return this.place(source) === value && this.id(variable) === target;
      });
    invariant(found !== undefined, 'every union of a rule belongs to one of its clauses');
    return found.pattern;
  }

  /** From the instance of a part of the right-hand side, step `step` of it, to what became of it. */
  private made(id: number, p: Pattern, step: number): Proof {
    const { prover } = this;
    const args = this.rule.code.builder?.steps[step]?.args ?? [];
    const children =
      p._tag !== 'Node'
        ? []
        : p.children.map((child, i) => {
            const source = args[i] as number;
            const below =
              child._tag === 'Variable' && this.ids.has(child.name)
                ? this.id(child.name)
                : this.place(source);
            const rest = prover.prove(below, prover.log.child(id, i));
            return source >= 0 ? rest : prover.joined(this.made(below, child, -1 - source), rest);
          });
    return congruence(this.instance(p), prover.termOf(id), children);
  }
}
