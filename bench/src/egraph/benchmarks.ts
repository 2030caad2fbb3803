/** The benchmarks by name, with their runs and expected counts. */
import { orThrow } from '@baton/base';
import {
  backoffScheduler,
  EGraph,
  type Report,
  type RunOptions,
  run,
  simpleScheduler,
} from '@baton/egraph';
import { lambdaProblems, proveLambda } from './languages/lambda.ts';
import {
  acRules,
  acTerm,
  type Constant,
  constantFolding,
  MATH7,
  math,
  mathRules,
  microRules,
} from './languages/math.ts';
import { propProblems, proveProp } from './languages/prop.ts';

/** A benchmark. */
export interface Benchmark {
  readonly name: string;
  /** The count by egg. */
  readonly nodes: number;
  readonly classes: number;
  /** Whether it is one of the ten benchmarks in the reported mean. */
  readonly inMean: boolean;
  /** Builds the e-graph, with proofs or without, and runs the rules. */
  readonly run: (
    now: () => number,
    explanations: boolean,
  ) => {
    readonly report: Report;
    readonly nodes: number;
    readonly classes: number;
    /** Bytes in the flat arrays at the end. */
    readonly bytes: number;
  };
}

/** A limit far above every benchmark. */
const NO_LIMIT = 1_000_000_000;

const outcome = ([egraph, report]: readonly [
  Pick<EGraph, 'nodeCount' | 'classCount' | 'byteSize'>,
  Report,
]) => ({
  report,
  nodes: egraph.nodeCount,
  classes: egraph.classCount,
  bytes: egraph.byteSize,
});

function runPlain(
  terms: ReadonlyArray<string>,
  rules: typeof microRules,
  explanations: boolean,
  options: RunOptions<undefined>,
): readonly [EGraph, Report] {
  const egraph = new EGraph({ language: math, explanations });
  for (const term of terms) orThrow(egraph.addExpr(term));
  const report = run(egraph, rules, {
    nodeLimit: NO_LIMIT,
    scheduler: simpleScheduler,
    ...options,
  });
  return [egraph, report];
}

function runMath(
  explanations: boolean,
  options: RunOptions<Constant>,
): readonly [EGraph<Constant>, Report] {
  const analysis = constantFolding;
  const egraph = new EGraph<Constant>({ language: math, analysis, explanations });
  for (const term of MATH7) orThrow(egraph.addExpr(term));
  return [egraph, run(egraph, mathRules, { nodeLimit: NO_LIMIT, ...options })];
}

const micro = (rounds: number): Benchmark['run'] => {
  return (now, explanations) =>
    outcome(runPlain(MATH7, microRules, explanations, { iterationLimit: rounds, now }));
};

const ac = (n: number): Benchmark['run'] => {
  return (now, explanations) =>
    outcome(runPlain([acTerm(n)], acRules, explanations, { iterationLimit: NO_LIMIT, now }));
};

const math7 = (kind: 'simple' | 'backoff', rounds: number): Benchmark['run'] => {
  const scheduler = kind === 'simple' ? simpleScheduler : backoffScheduler();
  return (now, explanations) =>
    outcome(runMath(explanations, { iterationLimit: rounds, scheduler, now }));
};

const lambda = (name: keyof typeof lambdaProblems): Benchmark['run'] => {
  return (now, explanations) =>
    outcome(proveLambda(lambdaProblems[name], { now }, { explanations }));
};

const prop = (name: keyof typeof propProblems): Benchmark['run'] => {
  return (now, explanations) => outcome(proveProp(propProblems[name], { now }, { explanations }));
};

const row = (
  name: string,
  nodes: number,
  classes: number,
  mean: 'mean' | 'beside',
  runIt: Benchmark['run'],
): Benchmark => ({ name, nodes, classes, inMean: mean === 'mean', run: runIt });

/** All benchmarks, in the order of the report. */
// biome-ignore format: a table reads best in columns
export const benchmarks: ReadonlyArray<Benchmark> = [
  row('micro-8',                 8_113,   3_576, 'beside', micro(8)),
  row('micro-9',                28_303,  12_445, 'mean',   micro(9)),
  row('micro-10',              136_446,  58_464, 'mean',   micro(10)),
  row('micro-11',            1_047_896, 443_832, 'mean',   micro(11)),
  row('math7-simple-7',         52_432,  20_449, 'mean',   math7('simple', 7)),
  row('math7-backoff-30',       37_080,  19_353, 'mean',   math7('backoff', 30)),
  row('math7-backoff-60',      133_713,  72_945, 'mean',   math7('backoff', 60)),
  row('ac-9',                   18_669,     511, 'mean',   ac(9)),
  row('ac-10',                  57_012,   1_023, 'mean',   ac(10)),
  row('lambda-fib',             14_582,   4_996, 'mean',   lambda('lambda-fib')),
  row('lambda-repeat',          32_636,   6_825, 'mean',   lambda('lambda-repeat')),
  row('prop-contrapositive',        14,       6, 'beside', prop('prop-contrapositive')),
  row('prop-chain',                 31,      12, 'beside', prop('prop-chain')),
  row('prop-const-fold',             5,       2, 'beside', prop('prop-const-fold')),
];
