import { postOrder, type Result } from '@baton/base';
import { proofTooLong } from '../diagnostics.ts';
import { ok } from '../result.ts';
import { type PrintOperator, printOperator, printTerm, type Term } from '../term.ts';

/** Which way a rule was used: `forward` from its left-hand side to its right-hand side. */
export type Direction = 'forward' | 'backward';

/** A rule says that `from` and `to` are equal. */
export interface RuleStep {
  readonly _tag: 'Rule';
  readonly rule: string;
  readonly direction: Direction;
  readonly from: Term;
  readonly to: Term;
  /** What each variable of the rule stands for. */
  readonly substitution: Readonly<Record<string, Term>>;
  /** The conditions that held when the rule was applied. */
  readonly conditions: ReadonlyArray<string>;
  /** For a multi-pattern: why each variable equals its clause. */
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

/** One step of a proof. */
export type ProofStep = RuleStep | CongruenceStep | GivenStep;

/**
 * Why `left` equals `right`: a chain of steps. Proofs of children are proofs in turn; one that is
 * used twice is one object, so that a proof stays as small as its log.
 */
export interface Proof {
  readonly left: Term;
  readonly right: Term;
  readonly steps: ReadonlyArray<ProofStep>;
}

/** Terms of one operator are equal because their children are; without any they are the same. */
export const congruence = (from: Term, to: Term, children: ReadonlyArray<Proof>): Proof => ({
  left: from,
  right: to,
  steps: children.length === 0 ? [] : [{ _tag: 'Congruence', from, to, children }],
});

/** The proofs that a proof is made of. */
export const proofParts = (proof: Proof): ReadonlyArray<Proof> =>
  proof.steps.flatMap((step) =>
    step._tag === 'Congruence' ? step.children : step._tag === 'Rule' ? step.premises : [],
  );

/** One rewriting of a whole term. */
export interface FlatStep {
  /** The whole term after the step. */
  readonly term: Term;
  /** The rule, or the reason of a union that was given. */
  readonly by: string;
  readonly direction: Direction;
}

/** How many steps the flat form of a proof may have. */
const MAX_FLAT_STEPS = 100_000;

/**
 * A proof as a chain of whole terms, each rewritten at one place.
 *
 * **Errors** `EGRAPH_PROOF_TOO_LONG`: the flat form writes shared parts out.
 */
export function flatProof(root: Proof): Result<ReadonlyArray<FlatStep>> {
  const order = postOrder(proofParts, [root]);
  const lengths = new Map<Proof, number>();
  for (const proof of order) {
    let length = 0;
    for (const step of proof.steps) {
      if (step._tag !== 'Congruence') length++;
      else for (const child of step.children) length += lengths.get(child) ?? 0;
    }
    lengths.set(proof, length);
    if (length > MAX_FLAT_STEPS) return { _tag: 'Left', left: [proofTooLong(MAX_FLAT_STEPS)] };
  }
  const flat = new Map<Proof, ReadonlyArray<FlatStep>>();
  for (const proof of order) {
    flat.set(
      proof,
      proof.steps.flatMap((step) => flatSteps(step, flat)),
    );
  }
  return ok(flat.get(root) ?? []);
}

function flatSteps(
  step: ProofStep,
  flat: ReadonlyMap<Proof, ReadonlyArray<FlatStep>>,
): ReadonlyArray<FlatStep> {
  if (step._tag === 'Rule') {
    return [{ term: step.to, by: step.rule, direction: step.direction }];
  }
  if (step._tag === 'Given') return [{ term: step.to, by: step.reason, direction: 'forward' }];
  const steps: FlatStep[] = [];
  const children = [...step.from.children];
  step.children.forEach((proof, i) => {
    for (const inner of flat.get(proof) ?? []) {
      children[i] = inner.term;
      steps.push({ ...inner, term: { ...step.from, children: [...children] } });
    }
  });
  return steps;
}

/** The flat form as text: a term a line, each but the first with the rule that led to it. */
export function printFlatProof(
  proof: Proof,
  steps: ReadonlyArray<FlatStep>,
  print: PrintOperator = printOperator,
): string {
  const lines = steps.map(({ term, by, direction }) => {
    const arrow = direction === 'forward' ? '=>' : '<=';
    return `${arrow} ${printTerm(term, print)}    ; ${by}`;
  });
  return [printTerm(proof.left, print), ...lines].join('\n');
}

/** The tree form as text: numbered lemmas, each proved from those before it. */
export function printProof(root: Proof, print: PrintOperator = printOperator): string {
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
