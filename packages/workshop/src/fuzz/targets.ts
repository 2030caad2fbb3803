/** The targets of fuzzing besides passes: texts, types, executors, operators, files, rules and more. */
import {
  CALLS_A_PROGRAM,
  type CheckedExecutor,
  type CompiledCount,
  checkCompiled,
  checkExecutors,
  checkGradients,
  checkLateTypes,
  checkLimits,
  checkOperatorCalls,
  checkRoundTrip,
  checkShippedRule,
  compiledDifference,
  compiledProgram,
  type ExecutorCount,
  GENERATORS,
  type Generator,
  type LateCount,
  noOperators,
  type OperatorCount,
  SEGMENTS,
} from '@baton/testing';
import { compiledFacts, makeWasm } from '@baton/wasm';
import { checked } from '@baton/wasm/checked';
import { type Executor, standardOps } from 'batonjs';
import { fuzzEGraph } from '../egraph/differential.ts';
import { inspectProofs, type ProofCount } from '../egraph/explanations.ts';
import { findRuntime } from '../onnxruntime/installed.ts';
import { EQUATIONS } from './equations.ts';
import { CALLS, CALLS_A_SEED, checkExport, type ExportCount, noExports } from './exports.ts';
import { checkCorruptedFile, type FileCount, seedFiles } from './files.ts';
import { checkModule, type ModuleCount } from './modules.ts';
import { checkMutatedText, seedTexts } from './text.ts';

export interface Target {
  readonly name: string;
  /** The problems of `count` cases from `seed` on. */
  readonly run: (
    seed: number,
    count: number,
  ) => ReadonlyArray<string> | Promise<ReadonlyArray<string>>;
}

export interface TargetCounts {
  readonly proofs: ProofCount;
  readonly late: LateCount;
  readonly executors: ExecutorCount;
  readonly operators: OperatorCount;
  readonly compiled: CompiledCount;
  readonly modules: ModuleCount;
  readonly exports: ExportCount;
  readonly files: FileCount;
  /** Programs whose gradients were compared, by the outcome. */
  readonly gradients: Map<string, number>;
}

/** One of this number of programs also runs within limits, each amount of fuel among them: 100 runs. */
const LIMITS_EVERY = 20;

export const noCounts = (): TargetCounts => ({
  proofs: { proofs: 0, withSteps: 0 },
  late: { programs: 0, late: 0, runs: 0 },
  executors: { programs: 0, values: 0 },
  operators: noOperators(),
  compiled: { programs: 0, compared: 0 },
  modules: { programs: 0, compiled: 0 },
  exports: noExports(),
  files: { refused: 0, imported: 0 },
  gradients: new Map(),
});

export function makeTargets(counts: TargetCounts): ReadonlyArray<Target> {
  const { proofs, late, executors, operators, exports, files, gradients } = counts;
  const runtime = findRuntime();
  const texts = seedTexts();
  let whole: ReadonlyArray<Uint8Array> | undefined;
  return [
    {
      name: 'parser',
      run: (seed, count) => problemsOf((i) => checkMutatedText(texts, i), seed, count),
    },
    { name: 'round trip', run: (seed, count) => problemsOf(checkRoundTrip, seed, count) },
    {
      name: 'late types',
      run: (seed, count) => problemsOf((i) => checkLateTypes(i, late), seed, count),
    },
    {
      name: 'executors',
      run: (seed, count) =>
        [...GENERATORS, SEGMENTS].flatMap((g) =>
          problemsOf(
            (i) =>
              checkExecutors(g, i, executors) ??
              (i % LIMITS_EVERY === 0 ? checkLimits(g, i) : undefined),
            seed,
            count,
          ),
        ),
    },
    {
      name: 'operators',
      run: (seed, count) =>
        Array.from({ length: count }, (_, i) => compiledCalls(seed + i, operators)).flat(),
    },
    ...compiledTargets(counts),
    {
      name: 'exports',
      run: async (seed, count) => {
        const check = (g: Generator, i: number) => checkExport(g, i, exports, runtime);
        return [
          ...(await eachProgram([...GENERATORS, EQUATIONS], check, seed, count)),
          ...(await eachProgram([CALLS], check, CALLS_A_SEED * seed, CALLS_A_SEED * count)),
        ];
      },
    },
    {
      name: 'files',
      run: (seed, count) => {
        whole ??= seedFiles();
        const all = whole;
        return problemsOf((i) => checkCorruptedFile(all, i, files), seed, count);
      },
    },
    { name: 'rules', run: (seed, count) => problemsOf(checkShippedRule, seed, count) },
    {
      name: 'gradients',
      run: (seed, count) => {
        const found = checkGradients(standardOps, seed, count);
        for (const [outcome, times] of found.counts) {
          gradients.set(outcome, (gradients.get(outcome) ?? 0) + times);
        }
        return found.differs;
      },
    },
    {
      name: 'e-graph',
      run: (seed, count) => fuzzEGraph(seed, count, inspectProofs(proofs)).failures,
    },
  ];
}

/** The compiled executors: one has every bit of the interpreter. */
const COMPILED: ReadonlyArray<CheckedExecutor> = [false, true].map((isExact) => ({
  executor: makeWasm({ leastElements: 0, isExact }),
  isExact,
  covers: (m) =>
    compiledFacts(m, { isExact })?.kernels.some(({ isCompiled }) => isCompiled) === true,
}));

/** Programs on compiled code as its users have it, and as modules. */
const compiledTargets = ({ compiled, modules }: TargetCounts): ReadonlyArray<Target> => [
  {
    name: 'compiled',
    run: (seed, count) => [
      ...GENERATORS.flatMap((g) =>
        problemsOf((i) => checkCompiled(g, i, executorOf(i), compiled), seed, count),
      ),
      ...problemsOf((i) => checkBits(i, compiled), seed, count),
    ],
  },
  {
    name: 'modules',
    run: (seed, count) =>
      eachProgram([...GENERATORS, CODED], (g, i) => checkModule(g, i, modules), seed, count),
  },
];

const CODED: Generator = {
  name: 'compiled code',
  program: (seed) => {
    const { module } = compiledProgram(seed);
    return { module, stated: module };
  },
};

/** The compiled executor as users have it, and one for small programs, with checked accesses. */
const AS_USED: ReadonlyArray<Executor> = [
  makeWasm({ checks: checked }),
  makeWasm({ checks: checked, leastElements: 0 }),
];

/** Each of the ways to prepare a program is combined with each of the executors. */
const executorOf = (seed: number): Executor =>
  AS_USED[Math.floor(seed / 4) % AS_USED.length] as Executor;

/** Products of tenths are rounded together with sums where the host can do so. */
const withoutFusedSums = makeWasm({ checks: checked, level: 'simd' });

/** A program whose sums have the same bits in every order. */
function checkBits(seed: number, count: CompiledCount): string | undefined {
  const program = compiledProgram(seed);
  count.programs++;
  count.compared++;
  return compiledDifference(program, program.isFractional ? withoutFusedSums : executorOf(0));
}

function compiledCalls(seed: number, counts: OperatorCount): ReadonlyArray<string> {
  const name = standardOps.names[seed % standardOps.names.length] as string;
  const seeds = { seed: seed * CALLS_A_PROGRAM, count: CALLS_A_PROGRAM };
  return COMPILED.flatMap((it) => checkOperatorCalls(standardOps, name, seeds, it, counts));
}

function problemsOf(
  check: (seed: number) => string | undefined,
  seed: number,
  count: number,
): ReadonlyArray<string> {
  const problems: string[] = [];
  for (let i = seed; i < seed + count; i++) {
    const problem = check(i);
    if (problem !== undefined) problems.push(`seed ${i}: ${problem}`);
  }
  return problems;
}

async function eachProgram(
  generators: ReadonlyArray<Generator>,
  check: (generator: Generator, seed: number) => Promise<string | undefined>,
  seed: number,
  count: number,
): Promise<ReadonlyArray<string>> {
  const problems: string[] = [];
  for (const generator of generators) {
    for (let i = seed; i < seed + count; i++) {
      const problem = await check(generator, i);
      if (problem !== undefined) problems.push(`${generator.name}, seed ${i}: ${problem}`);
    }
  }
  return problems;
}
