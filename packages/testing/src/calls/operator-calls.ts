/** Calls of one operator on an executor and on the interpreter, in all regimes. */
import { isLeft, orThrow } from '@baton/base';
import { checkExecutor, REGIMES, type Regime, type RegimeVerdict } from '@baton/equivalence';
import type { Executor } from '@baton/executor';
import type { IRModule, OpTable } from '@baton/ir';
import { kindColumn } from '@baton/ops';
import { type FastMath, runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { printModule } from '@baton/text';
import { callsOf } from './single-call.ts';

export interface CheckedExecutor {
  readonly executor: Executor;
  /** Whether it must be bit-identical with the interpreter, sums and functions included. */
  readonly isExact: boolean;
  /** Whether it compiles a program: others are not compared. */
  readonly covers: (m: IRModule) => boolean;
}

export interface OperatorCount {
  readonly operators: Set<string>;
  calls: number;
  readonly applied: Map<Regime, number>;
}

export const noOperators = (): OperatorCount => ({
  operators: new Set(),
  calls: 0,
  applied: new Map(),
});

export const CALLS_A_PROGRAM = 20;

/** A program in float64 has its bits from the others. */
const EXACT_REGIMES: ReadonlyArray<Regime> = ['grid', 'native', 'special'];

/** The freedoms of an executor that sums in another order, and approximates functions. */
export const ROUNDS_ELSEWHERE: ReadonlyArray<FastMath> = ['reassoc', 'contract', 'afn'];

/** Programs by which it is decided whether an executor has code for an operator. */
const PROBES = 2;

/** The differences of `count` random calls of an operator from `seed` on, several in a program. */
export function checkOperatorCalls(
  ops: OpTable,
  name: string,
  { seed, count }: { readonly seed: number; readonly count: number },
  subject: CheckedExecutor,
  counts: OperatorCount,
): ReadonlyArray<string> {
  const problems: string[] = [];
  const programs = Array.from({ length: Math.ceil(count / CALLS_A_PROGRAM) }, (_, n) => {
    const first = seed + n * CALLS_A_PROGRAM;
    const last = Math.min(first + CALLS_A_PROGRAM, seed + count);
    return Array.from({ length: last - first }, (_, i) => first + i);
  });
  const isCovered = programs.slice(0, PROBES).some((seeds) => {
    const m = callsOf(ops, name, seeds, 'float32');
    return m !== undefined && subject.covers(m);
  });
  for (const seeds of isCovered ? programs : []) {
    const found = differences(ops, name, seeds, subject, counts);
    if (found.length === 0) continue;
    const alone = seeds.flatMap((one) => differences(ops, name, [one], subject, noOperators()));
    problems.push(...(alone.length > 0 ? alone : found));
  }
  return problems;
}

function differences(
  ops: OpTable,
  name: string,
  seeds: ReadonlyArray<number>,
  { executor, isExact }: CheckedExecutor,
  counts: OperatorCount,
): ReadonlyArray<string> {
  const m = callsOf(ops, name, seeds, 'float32');
  if (m === undefined) return [];
  const isSpelledOut = !isExact && ops.read(kindColumn, name) === 'normalization';
  const { regimes } = orThrow(
    checkExecutor(m, executor, {
      seed: seeds[0] as number,
      needs: isExact ? [] : ROUNDS_ELSEWHERE,
      ...(isSpelledOut ? { spellOut } : {}),
      ...(isExact ? { regimes: EXACT_REGIMES } : {}),
    }),
  );
  counts.operators.add(name);
  counts.calls += seeds.length;
  return REGIMES.flatMap((regime) => {
    const verdict = regimes[regime];
    if (verdict._tag === 'Applied') {
      counts.applied.set(regime, (counts.applied.get(regime) ?? 0) + 1);
    }
    const problem = problemOf(verdict, isExact);
    return problem === undefined
      ? []
      : [`${name}, seeds from ${seeds[0]}, ${regime}: ${problem}\n${printModule(m)}`];
  });
}

function problemOf(verdict: RegimeVerdict, isExact: boolean): string | undefined {
  if (verdict._tag === 'NotApplied') return undefined;
  const { equal, counterexample, largestError } = verdict;
  if (equal && !(isExact && largestError !== 0)) return undefined;
  if (counterexample === undefined) return `an error of ${largestError}`;
  const { output, element, expected, found } = counterexample;
  return `output ${output} at ${element} is ${found}, not ${expected}`;
}

/** Normalizations as the operators of their formulas, each of which rounds. */
function spellOut(m: IRModule): IRModule {
  const spelled = runPass(passes.simplifyInference())(m);
  return isLeft(spelled) ? m : spelled.right.module;
}
