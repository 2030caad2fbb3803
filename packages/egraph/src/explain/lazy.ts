/** Proofs on demand. */
import { remember } from '@baton/base';
import type { Term } from '../term.ts';
import type { Proof, ProofStep } from './proof.ts';

type Steps = ReadonlyArray<ProofStep>;

/** Proofs whose steps are computed on demand. */
export interface LazyProofs {
  /** The proof that `left` equals `right` by these steps. */
  readonly proof: (left: Term, right: Term, write: () => Steps) => Proof;
  readonly backwards: (forth: Proof) => Proof;
}

/** Lazy proofs of terms, which are compared by `number`. */
export function makeLazyProofs(number: (t: Term) => number): LazyProofs {
  const turned = new Map<Proof, Proof>();

  const proof: LazyProofs['proof'] = (left, right, write) => {
    let steps: Steps | undefined;
    return {
      left,
      right,
      get steps() {
        steps ??= direct(left, write(), number);
        return steps;
      },
    };
  };

  const backwards = (forth: Proof): Proof =>
    remember(turned, forth, () => {
      const made = proof(forth.right, forth.left, () => back(forth.steps, backwards));
      turned.set(made, forth);
      return made;
    });

  return { proof, backwards };
}

/** The steps from a term without detours that lead back to an earlier term. */
function direct(from: Term, steps: Steps, number: (t: Term) => number): Steps {
  const terms = [from, ...steps.map((step) => step.to)].map(number);
  const last = new Map(terms.map((t, i) => [t, i]));
  const kept: ProofStep[] = [];
  // The last occurrence of a term starts the part of the proof that never returns to it.
  for (let i = last.get(terms[0] as number) as number; i < steps.length; ) {
    kept.push(steps[i] as ProofStep);
    i = last.get(terms[i + 1] as number) as number;
  }
  return kept;
}

/** Steps in the other direction, given the function that turns a proof. */
export const back = (steps: Steps, backwards: LazyProofs['backwards']): Steps =>
  steps.toReversed().map((step): ProofStep => {
    const ends = { from: step.to, to: step.from };
    if (step._tag === 'Given') return { ...step, ...ends };
    if (step._tag === 'Congruence') {
      return { ...step, ...ends, children: step.children.map(backwards) };
    }
    return { ...step, ...ends, direction: step.direction === 'forward' ? 'backward' : 'forward' };
  });
