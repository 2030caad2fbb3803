/** Asks a finished e-graph for proofs, replays them, and checks that corrupted ones are refused. */
import { isLeft, isRight, orThrow } from '@baton/base';
import {
  type ClassId,
  checkProof,
  type EGraph,
  explain,
  extractTree,
  type Proof,
  parseTerm,
  sumOf,
  type Term,
} from '@baton/egraph';
import { fastRule, type Inspect } from './differential.ts';
import type { FuzzCase } from './generate.ts';
import { printTree } from './naive.ts';

export interface ProofCount {
  proofs: number;
  withSteps: number;
}

/** Explains every start term against other terms of its class. */
export function inspectProofs(count: ProofCount): Inspect {
  return (egraph, fuzzCase) => {
    if (egraph.proofs === undefined) return [];
    return fuzzCase.terms.flatMap((tree) => {
      const start = orThrow(parseTerm(printTree(tree)));
      const id = egraph.lookupTerm(start);
      if (id === undefined) return [`${printTree(tree)} is not found`];
      return others(egraph, id).flatMap((other) => checkOne(egraph, fuzzCase, start, other, count));
    });
  };
}

/** Terms of a class that are cheapest under several cost functions. */
function others(egraph: EGraph<boolean>, id: ClassId): ReadonlyArray<Term> {
  return [1, 2, 3].map((taste) => {
    const cost = sumOf(({ name }) => 1 + ((name.charCodeAt(0) * 7 * taste) % 11));
    const [term] = orThrow(extractTree(egraph, [id], cost)).terms;
    if (term === undefined) throw new Error('one root gives one term');
    return term;
  });
}

function checkOne(
  egraph: EGraph<boolean>,
  { rules }: FuzzCase,
  left: Term,
  right: Term,
  count: ProofCount,
): ReadonlyArray<string> {
  const fast = rules.map(fastRule);
  const explained = explain(egraph, left, right, fast);
  if (isLeft(explained)) return explained.left.map((d) => `no proof: ${d.message}`);
  const proof = explained.right;
  const checked = checkProof(proof, fast);
  const problems = isLeft(checked) ? checked.left.map((d) => d.message) : [];
  count.proofs += 1;
  if (proof.steps.length > 0) count.withSteps += 1;
  for (const [kind, corrupted] of corruptions(proof)) {
    if (isRight(checkProof(corrupted, fast))) problems.push(`accepted: ${kind}`);
  }
  return problems;
}

/** Invalid proofs, each with a description of its corruption. */
function corruptions(proof: Proof): ReadonlyArray<readonly [kind: string, corrupted: Proof]> {
  const stranger: Term = { name: 'stranger', payload: undefined, children: [] };
  const broken: (readonly [string, Proof])[] = [
    ['another right side', { ...proof, right: stranger }],
    ['another left side', { ...proof, left: stranger }],
  ];
  proof.steps.forEach((step, index) => {
    const replaced = (other: typeof step): Proof => ({
      ...proof,
      steps: proof.steps.map((it, i) => (i === index ? other : it)),
    });
    broken.push([`step ${index} to elsewhere`, replaced({ ...step, to: stranger })]);
    if (step._tag === 'Rule') {
      broken.push([`step ${index} by no rule`, replaced({ ...step, rule: 'no-such-rule' })]);
    }
  });
  return broken;
}
