/** Describes a difference in a line of text. */
import { type Equivalence, REGIMES } from './verdicts.ts';

export function describeDifference(equivalence: Equivalence): string {
  for (const regime of REGIMES) {
    const verdict = equivalence.regimes[regime];
    if (verdict._tag === 'NotApplied' || verdict.counterexample === undefined) continue;
    const { output, element, expected, found } = verdict.counterexample;
    const place = `result ${output}, element ${element}`;
    return `expected ${expected}, found ${found} (${regime} regime, ${place})`;
  }
  return 'no difference was found';
}
