/** Every diagnostic of this package, one constructor each. */
import { type Diagnostic, diagnostic } from '@baton/base';

/** A trial that shows nothing: the pass changed no program. */
export const neverChanged = (pass: string, count: number): Diagnostic =>
  diagnostic('TESTING_NEVER_CHANGED', `pass ${pass} changed none of ${count} programs`, {
    hint: 'give a `focus`, or `motifs` of what the pass looks for',
  });

/** A program with other results after the pass. `text` is the smallest one found. */
export const passDiffers = (
  pass: string,
  difference: string,
  seed: number,
  text: string,
): Diagnostic =>
  diagnostic('TESTING_DIFFERENT', `pass ${pass} changed what a program computes: ${difference}`, {
    severity: 'bug',
    related: [
      { message: `the smallest program found, from seed ${seed}:` },
      ...text
        .trimEnd()
        .split('\n')
        .map((message) => ({ message })),
    ],
  });
