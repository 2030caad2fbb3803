/** Proofs as data, and as text. */
import { fail, ok, postOrder, type Result } from '@baton/base';
import { proofTooLong } from '../diagnostics.ts';
import { anyLanguage, type Language, printIn } from '../language.ts';
import { type PrintOperator, printTerm, type Term } from '../term.ts';

/** The direction of a rule: `forward` from its left-hand side to its right-hand side. */
export type Direction = 'forward' | 'backward';

/** A rule says that `from` and `to` are equal. */
export interface RuleStep {
  readonly _tag: 'Rule';
  readonly rule: string;
  readonly direction: Direction;
  readonly from: Term;
  readonly to: Term;
  /** The term of each variable of the rule; a payload is an unnamed leaf that carries it. */
  readonly substitution: Readonly<Record<string, Term>>;
  /** The conditions that held when the rule was applied. */
  readonly conditions: ReadonlyArray<string>;
  /** For a multi-pattern: the proofs that each variable equals its clause. */
  readonly premises: ReadonlyArray<Proof>;
}

/** The same operator above children that are equal. */
export interface CongruenceStep {
  readonly _tag: 'Congruence';
  readonly from: Term;
  readonly to: Term;
  readonly children: ReadonlyArray<Proof>;
}

/** A union that the user or an analysis made. */
export interface GivenStep {
  readonly _tag: 'Given';
  readonly reason: string;
  readonly from: Term;
  readonly to: Term;
}

export type ProofStep = RuleStep | CongruenceStep | GivenStep;

/**
 * A proof that `left` equals `right`: a chain of steps, whose children have proofs of their own. A proof
 * that is used twice is one object, so that a proof is no larger than its log.
 */
export interface Proof {
  readonly left: Term;
  readonly right: Term;
  readonly steps: ReadonlyArray<ProofStep>;
  /** The language of its terms, if an e-graph found it: in this one it is printed and checked. */
  readonly language?: Language;
}

/** Terms of one operator with equal children are equal; without children they are the same. */
export const congruence = (from: Term, to: Term, children: ReadonlyArray<Proof>): Proof => ({
  left: from,
  right: to,
  steps: children.length === 0 ? [] : [{ _tag: 'Congruence', from, to, children }],
});

export const proofParts = (proof: Proof): ReadonlyArray<Proof> =>
  proof.steps.flatMap((step) =>
    step._tag === 'Congruence' ? step.children : step._tag === 'Rule' ? step.premises : [],
  );

export interface FlatStep {
  /** The complete term after the step. */
  readonly term: Term;
  /** The rule, or the reason of a given union. */
  readonly by: string;
  readonly direction: Direction;
}

const MAX_FLAT_STEPS = 100_000;

/**
 * A proof as a chain of whole terms, each rewritten at one place.
 *
 * **Errors** `EGRAPH_PROOF_TOO_LONG`: the flat form repeats shared parts.
 */
export function flatProof(root: Proof): Result<ReadonlyArray<FlatStep>> {
  const flat = new Map<Proof, ReadonlyArray<FlatStep>>();
  for (const proof of postOrder(proofParts, [root])) {
    const steps: FlatStep[] = [];
    for (const step of proof.steps) {
      if (step._tag === 'Rule') {
        steps.push({ term: step.to, by: step.rule, direction: step.direction });
      } else if (step._tag === 'Given') {
        steps.push({ term: step.to, by: step.reason, direction: 'forward' });
      } else {
        const children = [...step.from.children];
        step.children.forEach((child, i) => {
          // One step more than allowed is enough for a refusal.
          for (const inner of flat.get(child)?.slice(0, MAX_FLAT_STEPS + 1 - steps.length) ?? []) {
            children[i] = inner.term;
            steps.push({ ...inner, term: { ...step.from, children: [...children] } });
          }
        });
      }
      if (steps.length > MAX_FLAT_STEPS) return fail(proofTooLong(MAX_FLAT_STEPS));
    }
    flat.set(proof, steps);
  }
  return ok(flat.get(root) ?? []);
}

/** The text of operators in the language of a proof. */
const printerOf =
  ({ language = anyLanguage }: Proof): PrintOperator =>
  (name, payload) =>
    printIn(language, name, payload);

/** The flat form as text: a term per line, each but the first with its rule. */
export function printFlatProof(
  proof: Proof,
  steps: ReadonlyArray<FlatStep>,
  print: PrintOperator = printerOf(proof),
): string {
  const lines = steps.map(({ term, by, direction }) => {
    const arrow = direction === 'forward' ? '=>' : '<=';
    return `${arrow} ${printTerm(term, print)}    ; ${by}`;
  });
  return [printTerm(proof.left, print), ...lines].join('\n');
}

/** The tree form as text: numbered lemmas, each proved from those before it. */
export function printProof(root: Proof, print: PrintOperator = printerOf(root)): string {
  const order = postOrder(proofParts, [root]).filter((proof) => proof.steps.length > 0);
  const numbers = new Map(order.map((proof, i) => [proof, i + 1]));
  const cite = (proofs: ReadonlyArray<Proof>): string =>
    proofs.flatMap((proof) => numbers.get(proof) ?? []).join(', ');
  const line = (step: ProofStep): string => {
    const to = printTerm(step.to, print);
    if (step._tag === 'Given') return `  = ${to}    ; ${step.reason}`;
    if (step._tag === 'Congruence') return `  = ${to}    ; by ${cite(step.children)}`;
    const bindings = Object.entries(step.substitution).map(
      ([name, t]) => `${name} = ${printTerm(t, print)}`,
    );
    const notes = [...bindings, ...step.conditions.map((condition) => `if ${condition}`)];
    const back = step.direction === 'forward' ? '' : ' backward';
    return `  = ${to}    ; ${step.rule}${back} [${notes.join(', ')}]`;
  };
  return order
    .map((proof, i) =>
      [`${i + 1}. ${printTerm(proof.left, print)}`, ...proof.steps.map(line)].join('\n'),
    )
    .join('\n');
}
