/** Verdicts from comparisons. */
import type { Run } from '../baseline.ts';
import type { Applied, RegimeVerdict } from '../verdicts.ts';
import type { Compared } from './compare.ts';

/** The verdict of a comparison of results. */
export function verdictOf(expected: Run, compared: Compared, finiteShare: number): Applied {
  const { largestError, difference } = compared;
  const applied = { _tag: 'Applied' as const, largestError, finiteShare };
  return difference === undefined
    ? { ...applied, equal: true }
    : { ...applied, equal: false, counterexample: { inputs: expected.inputs, ...difference } };
}

/** The second program failed on inputs on which the first ran. */
export const evaluationFailed = (expected: Run, message: string): Applied =>
  whollyDifferent(expected, 'a value', message);

/** The programs evaluated other stateful operators, or in another order. */
export function differentEffects(expected: Run, found: Run): RegimeVerdict | undefined {
  const [wanted, answer] = [expected.effects, found.effects];
  const same = wanted.length === answer.length && wanted.every((effect, i) => effect === answer[i]);
  const shown = (effects: ReadonlyArray<string>): string =>
    `effects: ${effects.join('; ') || 'none'}`;
  return same ? undefined : whollyDifferent(expected, shown(wanted), shown(answer));
}

/** The verdict if the results differ as a whole, and not in one element. */
const whollyDifferent = (run: Run, expected: string, found: string): Applied => ({
  _tag: 'Applied',
  equal: false,
  largestError: Number.POSITIVE_INFINITY,
  finiteShare: 1,
  counterexample: { inputs: run.inputs, output: 0, element: 0, expected, found },
});
