import { fail, postOrder, type Result } from '@baton/base';
import { badProof } from '../diagnostics.ts';
import { anyLanguage, type Language, payloadKey, readLeaf } from '../language.ts';
import type { Pattern } from '../pattern.ts';
import { ok } from '../result.ts';
import { rules as flatten, type Rewrite, type RuleInput } from '../rewrite.ts';
import { type Term, term } from '../term.ts';
import { numberTerms } from './numbers.ts';
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
  private readonly key: (name: string, payload: unknown) => unknown;
  private readonly operators = new Map<string, Map<unknown, number>>();
  private count = 0;
  private readonly number = numberTerms((t) => this.operator(t));
  private readonly checked = new Set<Proof>();

  constructor(rules: ReadonlyArray<Rewrite<D>>, options: CheckOptions) {
    this.rules = new Map(rules.map((rule) => [rule.name, rule]));
    this.options = options;
    this.language = options.language ?? anyLanguage;
    this.key = payloadKey(this.language);
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
      this.assumptions.add(step.reason);
      const isGiven = (this.options.given ?? []).includes(step.reason);
      return isGiven ? undefined : `\`${step.reason}\` is not among the reasons given`;
    }
    const { from, to, children } = step;
    const arity = children.length;
    if (this.operator(from) !== this.operator(to)) {
      return `\`${from.name}\` and \`${to.name}\` are different operators`;
    }
    const isProved = (child: Proof, i: number): boolean =>
      this.proves(child, from.children[i] as Term) &&
      this.same(child.right, to.children[i] as Term);
    return from.children.length === arity &&
      to.children.length === arity &&
      children.every(isProved)
      ? undefined
      : `the children of \`${from.name}\` are not proved equal`;
  }

  /** Whether a proof holds and starts at `left`. */
  private proves(proof: Proof | undefined, left: Term | undefined): proof is Proof {
    return (
      proof !== undefined &&
      left !== undefined &&
      this.checked.has(proof) &&
      this.same(proof.left, left)
    );
  }

  private rule(step: RuleStep): string | undefined {
    const rule = this.rules.get(step.rule);
    if (rule === undefined) return `there is no rule \`${step.rule}\``;
    this.used.add(rule.name);
    const [from, to] = step.direction === 'forward' ? [step.from, step.to] : [step.to, step.from];
    if (!this.fits(rule, step, from, to)) {
      return `the terms are no instance of rule \`${rule.name}\``;
    }
    for (const { text } of rule.conditions) {
      if (!step.conditions.includes(text)) return `the condition ${text} is missing`;
      const { holds } = this.options;
      if (holds === undefined) this.assumptions.add(`${rule.name}: ${text}`);
      else if (!holds(rule.name, text, step.substitution)) return `${text} does not hold`;
    }
    return undefined;
  }

  private fits({ left, right }: Rewrite<D>, step: RuleStep, from: Term, to: Term): boolean {
    const fits = (p: Pattern, t: Term): boolean => this.isInstance(p, t, step);
    if ('_tag' in left) {
      return '_tag' in right && right._tag !== 'Applier' && fits(left, from) && fits(right, to);
    }
    if ('_tag' in right) return false;
    return (
      left.every(({ variable, pattern }, i) => {
        const premise = step.premises[i];
        return this.proves(premise, step.substitution[variable]) && fits(pattern, premise.right);
      }) &&
      right.some(
        ({ variable, pattern }) =>
          fits({ _tag: 'Variable', name: variable }, from) && fits(pattern, to),
      )
    );
  }

  private isInstance(p: Pattern, t: Term, step: RuleStep): boolean {
    if (p._tag === 'Variable') {
      const value = step.substitution[p.name];
      return value !== undefined && this.same(value, t);
    }
    if (p._tag === 'Atom') {
      const { name, payload } = readLeaf(this.language, p.token);
      return this.same(term(name, [], payload), t);
    }
    return (
      this.operator(p) === this.operator(t) &&
      p.children.length === t.children.length &&
      p.children.every((child, i) => this.isInstance(child, t.children[i] as Term, step))
    );
  }

  private same(a: Term, b: Term): boolean {
    return a === b || this.number(a) === this.number(b);
  }

  /** Tells operators apart by name and payload. */
  private operator({ name, payload }: Omit<Term, 'children'>): number {
    const byPayload = this.operators.get(name) ?? new Map<unknown, number>();
    this.operators.set(name, byPayload);
    const key = payload === undefined ? undefined : this.key(name, payload);
    const known = byPayload.get(key) ?? this.count++;
    byPayload.set(key, known);
    return known;
  }
}
