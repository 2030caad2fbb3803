import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Outcome, outcomeOf, type Task } from '../../workshop/src/node-tests/outcome.ts';
import { corpus } from './helpers/corpus.ts';

type Outcomes = ReadonlyArray<readonly [string, Outcome]>;

/** The outcomes of a group of tests on one way. */
const outcomes = (group: string, task: Omit<Task, 'folder'>): Outcomes => {
  const root = join(corpus ?? '', group);
  return readdirSync(root).map((name) => [name, outcomeOf({ folder: join(root, name), ...task })]);
};

const reasonsOf = (found: Outcomes): ReadonlyArray<string> =>
  found.flatMap(([name, outcome]) =>
    outcome._tag === 'Refused' ? outcome.reasons.map((reason) => `${name}: ${reason}`) : [],
  );

const failures = (found: Outcomes): ReadonlyArray<string> =>
  found.flatMap(([name, outcome]) =>
    outcome._tag === 'Failed' || outcome._tag === 'Thrown' ? [`${name}: ${outcome.reason}`] : [],
  );

const passed = (found: Outcomes): number =>
  found.filter(([, outcome]) => outcome._tag === 'Passed').length;

/** The codes of refusals for unsupported features. */
const REFUSALS = /: ONNX_(UNSUPPORTED|NOT_CONSTANT|ELEMENT_TYPE|INPUT_TYPE)/;

describe.runIf(corpus !== undefined)("ONNX's own tests of single operators", () => {
  test.each([
    ['node', 604],
    ['node-expanded', 189],
  ] as const)('in %s: what is imported computes what is expected', (group, least) => {
    const found = outcomes(group, { way: 'imported', free: false });
    const reasons = reasonsOf(found);
    const operators = reasons.flatMap(
      (text) => /operator (\S+) is not imported/.exec(text)?.[1] ?? [],
    );
    console.log(
      `${group}: ${passed(found)} of ${found.length} pass; operators not yet imported: ${[
        ...new Set(operators),
      ]
        .sort()
        .join(' ')}`,
    );
    expect(failures(found)).toEqual([]);
    expect(passed(found)).toBeGreaterThanOrEqual(least);
    // A file of the corpus is never damaged: a refusal always reports an unsupported feature.
    expect(reasons.filter((text) => !REFUSALS.test(text))).toEqual([]);
  });

  test.each([
    ['node', 601],
    ['node-expanded', 189],
  ] as const)(
    'O.1 in %s, with every dimension free: what is imported computes what is expected',
    (group, least) => {
      const found = outcomes(group, { way: 'imported', free: true });
      console.log(`${group}, with every dimension free: ${passed(found)} of ${found.length} pass`);
      expect(failures(found)).toEqual([]);
      expect(passed(found)).toBeGreaterThanOrEqual(least);
      // A refusal names a missing operator, or the sizes to give.
      expect(reasonsOf(found).filter((text) => !REFUSALS.test(text))).toEqual([]);
    },
  );
});

describe.runIf(corpus !== undefined)("ONNX's own tests, exported and imported again", () => {
  test.each([
    ['node', 604],
    ['node-expanded', 189],
  ] as const)('in %s: what comes back computes what is expected', (group, least) => {
    const found = outcomes(group, { way: 'exported', free: false });
    const lost = reasonsOf(found).filter((text) => /ONNX_EXPORT/.test(text));
    console.log(
      `${group}, exported: ${passed(found)} of ${found.length} pass; lost: ${lost.join('; ')}`,
    );
    expect(failures(found)).toEqual([]);
    expect(passed(found)).toBeGreaterThanOrEqual(least);
  });
});
