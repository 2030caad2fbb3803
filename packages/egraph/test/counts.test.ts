import { orThrow } from '@baton/base';
import { backoffScheduler, EGraph, type Report, run, simpleScheduler } from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import { lambdaProblems, proveLambda } from '../../../bench/src/egraph/languages/lambda.ts';
import {
  acRules,
  acTerm,
  constantFolding,
  MATH7,
  math,
  mathRules,
  microRules,
} from '../../../bench/src/egraph/languages/math.ts';
import { checkInvariants } from './invariants.ts';

const UNLIMITED = 1e8;

type Counts = readonly [nodes: number, classes: number];

const counts = (egraph: { nodeCount: number; classCount: number }): Counts => [
  egraph.nodeCount,
  egraph.classCount,
];

function micro(iterationLimit: number): Counts {
  const egraph = new EGraph({ language: math });
  for (const text of MATH7) orThrow(egraph.addExpr(text));
  run(egraph, microRules, { iterationLimit, nodeLimit: UNLIMITED, scheduler: simpleScheduler });
  if (iterationLimit < 10) expect(checkInvariants(egraph)).toEqual([]);
  return counts(egraph);
}

function math7(iterationLimit: number, scheduler: typeof simpleScheduler): Counts {
  const egraph = new EGraph({ language: math, analysis: constantFolding });
  for (const text of MATH7) orThrow(egraph.addExpr(text));
  run(egraph, mathRules, { iterationLimit, nodeLimit: UNLIMITED, scheduler });
  expect(checkInvariants(egraph)).toEqual([]);
  return counts(egraph);
}

function ac(n: number, delta: boolean): readonly [...Counts, Report['stopReason']['_tag']] {
  const egraph = new EGraph({ language: math });
  orThrow(egraph.addExpr(acTerm(n)));
  const options = { iterationLimit: 1000, nodeLimit: UNLIMITED, scheduler: simpleScheduler };
  const report = run(egraph, acRules, { ...options, delta });
  expect(checkInvariants(egraph)).toEqual([]);
  return [...counts(egraph), report.stopReason._tag];
}

describe("node and class counts equal egg's", () => {
  const microCounts: ReadonlyArray<readonly [number, ...Counts]> = [
    [8, 8_113, 3_576],
    [9, 28_303, 12_445],
    [10, 136_446, 58_464],
    [11, 1_047_896, 443_832],
  ];
  it.each(microCounts)('micro-%i', (n, nodes, classes) => {
    expect(micro(n)).toEqual([nodes, classes]);
  });

  it('math7-simple-7', () => {
    expect(math7(7, simpleScheduler)).toEqual([52_432, 20_449]);
  });

  it.each([
    [30, 37_080, 19_353],
    [60, 133_713, 72_945],
  ] as const)('math7-backoff-%i', (n, nodes, classes) => {
    expect(math7(n, backoffScheduler())).toEqual([nodes, classes]);
  });

  it.each([
    [9, true, 18_669, 511],
    [10, true, 57_012, 1_023],
    [9, false, 18_669, 511],
  ] as const)('ac-%i with delta matching %s', (n, delta, nodes, classes) => {
    expect(ac(n, delta)).toEqual([nodes, classes, 'Saturated']);
  });

  it('lambda-fib and lambda-repeat', () => {
    const [fib, fibReport] = proveLambda(lambdaProblems['lambda-fib']);
    expect(counts(fib)).toEqual([14_582, 4_996]);
    expect(fibReport.stopReason).toEqual({ _tag: 'Hook', message: 'proved all goals' });
    const [repeat] = proveLambda(lambdaProblems['lambda-repeat']);
    expect(counts(repeat)).toEqual([32_636, 6_825]);
  });

  it('are the same when code generation is not used', () => {
    const egraph = new EGraph({ language: math, analysis: constantFolding });
    for (const text of MATH7) orThrow(egraph.addExpr(text));
    run(egraph, mathRules, {
      iterationLimit: 30,
      nodeLimit: UNLIMITED,
      codeGeneration: 'never',
    });
    expect(counts(egraph)).toEqual([37_080, 19_353]);
  });
});
