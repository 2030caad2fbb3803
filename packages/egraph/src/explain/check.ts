/** The checker of proofs, which needs no e-graph. */
import { fail, isLeft, ok, postOrder, type Result } from '@baton/base';
import { badProof } from '../diagnostics.ts';
import { anyLanguage, type Language, readOperator } from '../language.ts';
import {
  clausesOf,
  hole,
  isHole,
  MATCHED,
  type Pattern,
  partsOf,
  sideVariables,
} from '../pattern.ts';
import { rules as flatten, isApplier, type Rewrite, type RuleInput } from '../rewrite.ts';
import { type Term, term } from '../term.ts';
import { numberTerms, type TermNumbers } from './numbers.ts';
import { type Proof, type ProofStep, proofParts, type RuleStep } from './proof.ts';

/** The assumptions that a checker accepts besides rules. */
export interface CheckOptions {
  /** @defaultValue the language of the e-graph that found the proof */
  readonly language?: Language;
  /** Reasons of unions that are accepted without proof: by the user, analyses, function rules. */
  readonly given?: ReadonlyArray<string>;
  /** Whether a condition holds for these terms. Without it conditions are reported, not checked. */
  readonly holds?: (
    rule: string,
    condition: string,
    substitution: Readonly<Record<string, Term>>,
  ) => boolean;
}

/** A valid proof, and its assumptions. */
export interface Checked {
  readonly steps: number;
  readonly rules: ReadonlyArray<string>;
  /** Conditions and reasons that were accepted without proof. */
  readonly assumptions: ReadonlyArray<string>;
}

/**
 * Replays a proof step by step from the terms and the rules, without an e-graph.
 *
 * **Errors** `EGRAPH_BAD_PROOF`, and errors of rules that failed to build.
 */
export function checkProof<D>(
  proof: Proof,
  rules: RuleInput<D>,
  { language = proof.language ?? anyLanguage, given = [], holds }: CheckOptions = {},
): Result<Checked> {
  const known = flatten(rules);
  if (isLeft(known)) return known;
  const rulesByName = new Map(known.right.map((rule) => [rule.name, rule]));
  const numbers = numberTerms(language);
  const { number, above } = numbers;
  const used = new Set<string>();
  const assumptions = new Set<string>();
  const checked = new Set<Proof>();
  let steps = 0;

  const problem = (step: ProofStep): string | undefined => {
    const { from, to } = step;
    if (step._tag === 'Given') {
      assumptions.add(step.reason);
      return given.includes(step.reason)
        ? undefined
        : `\`${step.reason}\` is not among the reasons given`;
    }
    if (step._tag === 'Congruence') {
      const { children } = step;
      const lefts = children.map(({ left }) => number(left));
      const rights = children.map(({ right }) => number(right));
      return children.every((child) => checked.has(child)) &&
        number(from) === above(from, lefts) &&
        number(to) === above(from, rights)
        ? undefined
        : `\`${from.name}\` and \`${to.name}\` are not one operator above proved children`;
    }
    const rule = rulesByName.get(step.rule);
    if (!rule) return `there is no rule \`${step.rule}\``;
    used.add(rule.name);
    const ends = [number(from), number(to)];
    if (step.direction === 'backward') ends.reverse();
    if (!fits(rule, step, ends, language, numbers, checked)) {
      return `the terms are no instance of rule \`${rule.name}\``;
    }
    for (const { text } of rule.conditions) {
      if (!step.conditions.includes(text)) return `the condition ${text} is missing`;
      if (!holds) assumptions.add(`${rule.name}: ${text}`);
      else if (!holds(rule.name, text, step.substitution)) return `${text} does not hold`;
    }
    return undefined;
  };

  for (const part of postOrder(proofParts, [proof])) {
    let at = part.left;
    for (const step of part.steps) {
      steps++;
      const wrong =
        number(at) === number(step.from)
          ? problem(step)
          : 'it does not start where the last one ended';
      if (wrong) return fail(badProof(steps, wrong));
      at = step.to;
    }
    if (number(at) !== number(part.right)) {
      return fail(badProof(steps, 'the last one does not reach the right side'));
    }
    checked.add(part);
  }
  return ok({ steps, rules: [...used], assumptions: [...assumptions] });
}

/** Whether a rule says that two terms, given by their numbers, are equal if its conditions hold. */
function fits<D>(
  { left, right }: Rewrite<D>,
  { premises, substitution }: RuleStep,
  [from, to]: ReadonlyArray<number>,
  language: Language,
  { number, above }: TermNumbers,
  checked: ReadonlySet<Proof>,
): boolean {
  const values = new Map(Object.entries(substitution).map(([v, t]) => [v, number(t)]));
  const instance = (p: Pattern): number => {
    // The rule holds for every term, and so for a leaf with the name of the variable.
    if (p._tag === 'Variable') return values.get(p.name) ?? number(term(p.name));
    const { name, payload } = readOperator(language, p);
    const own = isHole(payload) ? substitution[payload.name]?.payload : payload;
    return above({ name, payload: own }, partsOf(p).map(instance));
  };
  if (isApplier(right)) return false;
  const bound = new Set([MATCHED, ...sideVariables(left)]);
  const isProved = clausesOf(left).every(({ variable, pattern }, i) => {
    const value = instance(pattern);
    if (variable === MATCHED) return values.set(variable, value);
    const premise = premises[i];
    return (
      premise &&
      checked.has(premise) &&
      number(premise.left) === instance(hole(variable)) &&
      number(premise.right) === value
    );
  });
  return (
    isProved &&
    clausesOf(right).some(({ variable, pattern }) => {
      const value = instance(pattern);
      // Its first clause names a variable that the left side does not bind.
      if (!bound.has(variable)) values.set(variable, value);
      bound.add(variable);
      return instance(hole(variable)) === from && value === to;
    })
  );
}
