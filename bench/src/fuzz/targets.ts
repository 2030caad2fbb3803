/** What is fuzzed besides passes: the parser and the e-graph. */
import { fuzzEGraph } from '../egraph/fuzz/differential.ts';
import { inspectProofs, type ProofCount } from '../egraph/fuzz/explanations.ts';
import { checkMutatedText, seedTexts } from './text.ts';

/** Something that random cases are tried on. */
export interface Target {
  readonly name: string;
  /** Problems of `count` cases from `seed` on. */
  readonly run: (seed: number, count: number) => ReadonlyArray<string>;
}

/** The targets; `proofs` counts the proofs that were replayed. */
export function makeTargets(proofs: ProofCount): ReadonlyArray<Target> {
  const texts = seedTexts();
  return [
    {
      name: 'parser',
      run: (seed, count) => {
        const problems: string[] = [];
        for (let i = seed; i < seed + count; i++) {
          const problem = checkMutatedText(texts, i);
          if (problem !== undefined) problems.push(`seed ${i}: ${problem}`);
        }
        return problems;
      },
    },
    {
      name: 'e-graph',
      run: (seed, count) => fuzzEGraph(seed, count, inspectProofs(proofs)).failures,
    },
  ];
}
