/** The comparison that mutants must not pass; `globalThis.mutant` switches one on. */
import { isLeft } from '@baton/base';
import { checkExecutor } from '@baton/equivalence';
import type { IRModule } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { isInteger, type Tensor, toNumbers } from '@baton/tensor';
import {
  CALLS_A_PROGRAM,
  type CheckedExecutor,
  checkExecutors,
  checkLimits,
  checkOperatorCalls,
  GENERATORS,
  type Generator,
  KERNEL_PROGRAMS,
  kernelProgram,
  noOperators,
  SEGMENTS,
} from '@baton/testing';
import { compiledFacts, makeWasm } from '@baton/wasm';
import { type Executor, evaluate, interpreter, optimize, runPass, type Value } from 'batonjs';

export interface Difference {
  readonly problem: string;
  readonly cases: number;
}

const SEED = 16_100;

const MOST_CASES = 200;

const [NEAR, EXACT] = [false, true].map(
  (isExact): CheckedExecutor => ({
    executor: makeWasm({ leastElements: 0, isExact }),
    isExact,
    covers: (m) =>
      compiledFacts(m, { isExact })?.kernels.some(({ isCompiled }) => isCompiled) === true,
  }),
) as [CheckedExecutor, CheckedExecutor];

/** The first difference between the compiled executor and the interpreter, with the switch of a mutant on. */
export function difference(
  mutant: number | undefined,
  shownBy: string,
  most: number = MOST_CASES,
): Difference | undefined {
  const switches = globalThis as { mutant?: number | undefined };
  switches.mutant = mutant;
  const generator = [...GENERATORS, SEGMENTS].find(({ name }) => name === shownBy);
  try {
    if (KERNEL_PROGRAMS.includes(shownBy)) return onKernels(shownBy, most);
    return generator === undefined ? onCalls(shownBy, most) : onPrograms(generator, most);
  } finally {
    switches.mutant = undefined;
  }
}

/** The error of sums in another order, and of transformed convolutions, in parts of the greatest element. */
const MOST_ERROR = 1e-5;

function onKernels(kind: string, most: number): Difference | undefined {
  for (let cases = 0; cases < most; cases++) {
    const { module, args } = kernelProgram(kind, SEED + cases);
    const valueOn = (executor: Executor): Value => {
      const value = evaluate(module, [...args], { executor });
      if (isLeft(value)) throw new Error(value.left[0]?.message);
      return value.right;
    };
    const problem = firstOf([NEAR, EXACT], ({ executor }) => {
      const [found, wanted] = [executor, interpreter].map((one) => tensorsIn(valueOn(one)));
      const error = Math.max(
        ...(wanted ?? []).map((tensor, i) => errorOf(found?.[i] as Tensor, tensor)),
      );
      return error <= MOST_ERROR ? undefined : `an error of ${error}`;
    });
    if (problem !== undefined) return { problem, cases: cases + 1 };
  }
  return undefined;
}

const tensorsIn = (value: Value): ReadonlyArray<Tensor> =>
  value._tag === 'Tuple' ? value.fields.flatMap(tensorsIn) : value._tag === 'Tensor' ? [value] : [];

/** The greatest difference, in parts of the greatest element; 1 for integers that differ. */
function errorOf(found: Tensor, wanted: Tensor): number {
  const [a, b] = [found, wanted].map((tensor) => Array.from(toNumbers(tensor), Number));
  const differences = (b ?? []).map((x, i) => Math.abs(x - Number(a?.[i])));
  const greatest = differences.reduce((sum, x) => Math.max(sum, x), 0);
  if (isInteger(wanted.dtype)) return greatest === 0 ? 0 : 1;
  return greatest / ((b ?? []).reduce((sum, x) => Math.max(sum, Math.abs(x)), 0) || 1);
}

function onCalls(name: string, most: number): Difference | undefined {
  for (let cases = 0; cases < most; cases += CALLS_A_PROGRAM) {
    const seeds = { seed: SEED + cases, count: CALLS_A_PROGRAM };
    const problem = firstOf([EXACT, NEAR], (subject) => {
      const problems = checkOperatorCalls(standardOps, name, seeds, subject, noOperators());
      return problems[0];
    });
    if (problem !== undefined) return { problem, cases: cases + CALLS_A_PROGRAM };
  }
  return undefined;
}

function onPrograms(generator: Generator, most: number): Difference | undefined {
  for (let cases = 0; cases < most; cases++) {
    const seed = SEED + cases;
    const { module } = generator.program(seed);
    const problem = firstOf(
      [
        () => checkExecutors(generator, seed, { programs: 0, values: 0 }, EXACT.executor),
        () => checkLimits(generator, seed, EXACT.executor),
        () => nearProblem(module, seed),
        () => nearProblem(optimized(module), seed),
      ],
      (check) => check(),
    );
    if (problem !== undefined) return { problem, cases: cases + 1 };
  }
  return undefined;
}

function optimized(m: IRModule): IRModule {
  const made = runPass(optimize({ level: 3 }))(m);
  return isLeft(made) ? m : made.right.module;
}

/** A difference that sums in another order and approximated functions cannot explain. */
function nearProblem(m: IRModule, seed: number): string | undefined {
  const needs = ['reassoc', 'contract', 'afn'] as const;
  const found = checkExecutor(m, NEAR.executor, { seed, needs });
  if (isLeft(found)) return undefined;
  for (const verdict of Object.values(found.right.regimes)) {
    if (verdict._tag !== 'Applied' || verdict.equal) continue;
    const { counterexample: shown, largestError } = verdict;
    if (shown === undefined) return `an error of ${largestError}`;
    return `output ${shown.output} at ${shown.element} is ${shown.found}, not ${shown.expected}`;
  }
  return undefined;
}

/** The first problem; what breaks down has one, too. */
function firstOf<A>(
  all: ReadonlyArray<A>,
  check: (one: A) => string | undefined,
): string | undefined {
  for (const one of all) {
    try {
      const problem = check(one);
      if (problem !== undefined) return problem;
    } catch (error) {
      return String(error);
    }
  }
  return undefined;
}
