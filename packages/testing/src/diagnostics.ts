/** Every diagnostic of this package, one constructor each. */
import { type Diagnostic, diagnostic } from '@baton/base';
import type { Rule } from '@baton/rewrites';

export const neverChanged = (pass: string, count: number): Diagnostic =>
  diagnostic('TESTING_NEVER_CHANGED', `pass ${pass} changed none of ${count} programs`, {
    hint: 'give a `focus`, or `motifs` of what the pass looks for',
  });

export const invalidCall = (name: string, reason: string, given: string): Diagnostic =>
  diagnostic('TESTING_CALL', `a generated call of ${name} is not valid: ${reason} (${given})`, {
    hint: '`b.attempt` gives the reason in place of an error, where a motif may try a call',
  });

export const motifFailed = (
  needs: string,
  reason: string,
  stack: ReadonlyArray<string>,
): Diagnostic =>
  diagnostic('TESTING_MOTIF', `the motif that needs ${needs || 'nothing'} threw: ${reason}`, {
    related: stack.map((message) => ({ message })),
  });

export const passDiffers = (
  pass: string,
  difference: string,
  seed: number,
  text: string,
): Diagnostic =>
  diagnostic('TESTING_DIFFERENT', `pass ${pass} changed what a program computes: ${difference}`, {
    severity: 'bug',
    related: smallest(seed, text),
  });

/** A trial that shows little: the rule was used on too few of its instances. */
export const neverFired = (
  { name, text }: Rule,
  fired: number,
  wanted: number,
  programs: number,
): Diagnostic =>
  diagnostic(
    'TESTING_RULE_NEVER_FIRED',
    `rule ${name} was used on ${fired} instances of ${wanted}, in ${programs} programs: ${text}`,
    {
      hint: 'its conditions hold for too few random values; `testPass` takes `motifs` of your own',
    },
  );

/** A rule whose sides differ. `text` is the smallest program found. */
export const ruleDiffers = (
  { name, text: equation, place }: Rule,
  engine: string,
  difference: string,
  seed: number,
  text: string,
): Diagnostic => {
  const at = place();
  return diagnostic(
    'TESTING_RULE_DIFFERENT',
    `rule ${name} (${equation}) changed by ${engine} what a program computes: ${difference}`,
    {
      severity: 'bug',
      hint: at === undefined ? undefined : `the rule is at ${at}`,
      related: smallest(seed, text),
    },
  );
};

/** A step of an explanation whose sides differ, though the rule alone goes right there. */
export const stepDiffers = (rule: string, difference: string, text: string): Diagnostic =>
  diagnostic('TESTING_STEP_DIFFERENT', `a step by ${rule} changes a value: ${difference}`, {
    severity: 'bug',
    related: linesOf(text),
  });

/** A program that differs from what it became by steps that are all right. */
export const explainedDiffers = (difference: string): Diagnostic =>
  diagnostic(
    'TESTING_EXPLAINED_DIFFERENT',
    `each step keeps its value, but the program computes another: ${difference}`,
    { severity: 'bug' },
  );

const smallest = (seed: number, text: string): Related => [
  { message: `the smallest program found, from seed ${seed}:` },
  ...linesOf(text),
];

type Related = ReadonlyArray<{ readonly message: string }>;

const linesOf = (text: string): Related =>
  text
    .trimEnd()
    .split('\n')
    .map((message) => ({ message }));
