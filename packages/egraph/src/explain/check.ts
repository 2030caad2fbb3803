import { fail, postOrder, type Result } from '@baton/base';
import { badProof } from '../diagnostics.ts';
import { anyLanguage, type Language, readLeaf } from '../language.ts';
import type { Clause, Pattern } from '../pattern.ts';
import { ok } from '../result.ts';
import { rules as flatten, type Rewrite, type RuleInput } from '../rewrite.ts';
import { type Term, termChildren } from '../term.ts';
import { type Proof, type ProofStep, proofParts, type RuleStep } from './proof.ts';

/** What a checker accepts besides rules. */
export interface CheckOptions {
  readonly language?: Language;
  /** Reasons of unions that are taken for granted: of the user, of analyses, of function rules. */
  readonly given?: ReadonlyArray<string>;
  /** Whether a condition holds for these terms. Without it conditions are reported, not checked. */
  readonly holds?: (
    rule: string,
    condition: string,
    substitution: Readonly<Record<string, Term>>,
  ) => boolean;
}

/** A proof that holds, and what it rests on. */
export interface Checked {
  readonly steps: number;
  readonly rules: ReadonlyArray<string>;
  /** Conditions that were taken on trust, and reasons that were given. */
  readonly assumptions: ReadonlyArray<string>;
}

/**
 * Replays a proof, step by step, from nothing but the terms and the rules: it shares no code with
 * the e-graph.
 *
 * **Errors** `EGRAPH_BAD_PROOF`, and those of rules that failed to build.
 */
export function checkProof<D>(
  proof: Proof,
  rules: RuleInput<D>,
  options: CheckOptions = {},
): Result<Checked> {
  const known = flatten(rules);
  if (known._tag === 'Left') return known;
  const checker = new Checker(known.right, options);
  for (const part of postOrder(proofParts, [proof])) {
    const wrong = checker.proof(part);
    if (wrong !== undefined) return fail(badProof(checker.steps, wrong));
  }
  return ok({
    steps: checker.steps,
    rules: [...checker.used],
    assumptions: [...checker.assumptions],
  });
}

class Checker<D> {
  steps = 0;
  readonly used = new Set<string>();
  readonly assumptions = new Set<string>();
  private readonly rules: ReadonlyMap<string, Rewrite<D>>;
  private readonly options: CheckOptions;
  private readonly language: Language;
  /** Equal terms have equal numbers. */
  private readonly numbers = new Map<string, number>();
  private readonly numberOf = new WeakMap<Term, number>();
  private readonly payloads = new Map<unknown, number>();
  private readonly checked = new Set<Proof>();

  constructor(rules: ReadonlyArray<Rewrite<D>>, options: CheckOptions) {
    this.rules = new Map(rules.map((rule) => [rule.name, rule]));
    this.options = options;
    this.language = options.language ?? anyLanguage;
  }

  /** What is wrong with a proof whose parts have been checked. */
  proof(proof: Proof): string | undefined {
    let at = proof.left;
    for (const step of proof.steps) {
      this.steps++;
      if (!this.same(at, step.from)) return 'it does not start where the last one ended';
      const wrong = this.step(step);
      if (wrong !== undefined) return wrong;
      at = step.to;
    }
    if (!this.same(at, proof.right)) return 'the last one does not reach the right side';
    this.checked.add(proof);
    return undefined;
  }

  private step(step: ProofStep): string | undefined {
    if (step._tag === 'Rule') return this.rule(step);
    if (step._tag === 'Given') {
      if (!(this.options.given ?? []).includes(step.reason)) {
        return `\`${step.reason}\` is not among the reasons given`;
      }
      this.assumptions.add(step.reason);
      return undefined;
    }
    const { from, to, children } = step;
    if (from.name !== to.name || this.payload(from) !== this.payload(to)) {
      return `\`${from.name}\` and \`${to.name}\` are different operators`;
    }
    if (from.children.length !== to.children.length || children.length !== to.children.length) {
      return `\`${from.name}\` has another number of children`;
    }
    const isProved = children.every(
      (child, i) =>
        this.checked.has(child) &&
        this.same(child.left, from.children[i] as Term) &&
        this.same(child.right, to.children[i] as Term),
    );
    return isProved ? undefined : `a child of \`${from.name}\` is not proved equal`;
  }

  private rule(step: RuleStep): string | undefined {
    const rule = this.rules.get(step.rule);
    if (rule === undefined) return `there is no rule \`${step.rule}\``;
    this.used.add(rule.name);
    const [from, to] = step.direction === 'forward' ? [step.from, step.to] : [step.to, step.from];
    const fits =
      '_tag' in rule.left ? this.plain(rule, step, from, to) : this.multi(rule, step, from, to);
    if (!fits) return `the terms are no instance of rule \`${rule.name}\``;
    for (const { text } of rule.conditions) {
      if (!step.conditions.includes(text)) return `the condition ${text} is missing`;
      const { holds } = this.options;
      if (holds === undefined) this.assumptions.add(`${rule.name}: ${text}`);
      else if (!holds(rule.name, text, step.substitution)) return `${text} does not hold`;
    }
    return undefined;
  }

  private plain(rule: Rewrite<D>, step: RuleStep, from: Term, to: Term): boolean {
    const { left, right } = rule;
    if (!('_tag' in left) || !('_tag' in right) || right._tag === 'Applier') return false;
    return this.isInstance(left, from, step) && this.isInstance(right, to, step);
  }

  private multi(rule: Rewrite<D>, step: RuleStep, from: Term, to: Term): boolean {
    const { left, right } = rule;
    if ('_tag' in left || '_tag' in right) return false;
    const premises = left.every(({ variable, pattern }, i) => {
      const premise = step.premises[i];
      const value = step.substitution[variable];
      return (
        premise !== undefined &&
        value !== undefined &&
        this.checked.has(premise) &&
        this.same(premise.left, value) &&
        this.isInstance(pattern, premise.right, step)
      );
    });
    const proves = ({ variable, pattern }: Clause): boolean => {
      const value = step.substitution[variable];
      return value !== undefined && this.same(value, from) && this.isInstance(pattern, to, step);
    };
    return premises && right.some(proves);
  }

  private isInstance(p: Pattern, t: Term, step: RuleStep): boolean {
    if (p._tag === 'Variable') {
      const value = step.substitution[p.name];
      return value !== undefined && this.same(value, t);
    }
    if (p._tag === 'Atom') {
      const { name, payload } = readLeaf(this.language, p.token);
      return t.children.length === 0 && this.same({ name, payload, children: [] }, t);
    }
    return (
      p.name === t.name &&
      p.children.length === t.children.length &&
      this.payload({ ...t, payload: p.payload }) === this.payload(t) &&
      p.children.every((child, i) => this.isInstance(child, t.children[i] as Term, step))
    );
  }

  private same(a: Term, b: Term): boolean {
    return a === b || this.number(a) === this.number(b);
  }

  private number(root: Term): number {
    for (const t of postOrder(termChildren, [root], (x) => this.numberOf.has(x))) {
      const children = t.children.map((child) => this.numberOf.get(child));
      const key = `${JSON.stringify(t.name)} ${this.payload(t)} ${children.join(' ')}`;
      const number = this.numbers.get(key) ?? this.numbers.size;
      this.numbers.set(key, number);
      this.numberOf.set(t, number);
    }
    return this.numberOf.get(root) as number;
  }

  private payload(t: Term): number {
    const { leaves, payloadKey } = this.language.definition;
    const leafKey = leaves?.[t.name]?.key;
    const key =
      t.payload === undefined
        ? undefined
        : leafKey !== undefined
          ? leafKey(t.payload as never)
          : payloadKey === undefined
            ? t.payload
            : payloadKey(t.name, t.payload);
    const known = this.payloads.get(key) ?? this.payloads.size;
    this.payloads.set(key, known);
    return known;
  }
}
