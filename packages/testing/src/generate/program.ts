/** One program from one seed. */
import { InvariantError } from '@baton/base';
import {
  type Func,
  freeVars,
  func,
  globalVar,
  type IRModule,
  inferTypes,
  irModule,
  type OpInfo,
  type OpTable,
  printModule,
} from '@baton/ir';
import { standardOps } from '@baton/ops';
import { isLeft } from 'fp-ts/lib/Either.js';
import { samplerOf } from '../samplers/standard.ts';
import { type Builder, type Callee, makeBuilder } from './builder.ts';
import { type Numerics, numericsColumn, standardNumerics } from './numerics.ts';
import type { ProgramOptions } from './options.ts';
import { makeChoices, type Weighted } from './random.ts';
import {
  type ChooseOp,
  callFunction,
  callStep,
  functionStep,
  ifStep,
  latest,
  letStep,
  type Step,
  tupleStep,
} from './steps.ts';
import type { TensorValue, Value } from './value.ts';

/** A generated program. */
export interface Program {
  /** Inferred; `main` takes tensors and gives a tensor or a tuple of tensors, of static shapes. */
  readonly module: IRModule;
  /** The seed that gives this program, before any shrinking. */
  readonly seed: number;
}

/**
 * The program of a seed: the same text for the same seed and options.
 *
 * **Complexity** linear in the calls, times a small constant.
 */
export function programOf(seed: number, options: ProgramOptions = {}): Program {
  const ops = options.ops ?? standardOps;
  const random = makeChoices(seed);
  const b = makeBuilder({
    ops: withNumerics(ops),
    random,
    numerics: options.numerics ?? 'any',
    float: options.dtype ?? 'float32',
  });
  const most = Math.max(1, options.maxCalls ?? 12);
  const size = random.int(Math.ceil(most / 3), most);
  const step = someStep(chooser(b));
  const functions = new Map<string, Func>();
  const callees = random.chance(0.15) ? helperFunctions(b, functions, step) : [];
  const main = b.inFunction(true, () => {
    b.callees.push(...callees);
    b.keep(b.operand());
    for (let tries = 0; b.callCount() < size && tries < 4 * size; tries++) step(b);
    return resultOf(b);
  });
  functions.set('main', functionOf(main.params, main.result));
  return { module: typed(irModule({ functions, ops }), seed), seed };
}

/** Global functions, of which some are called. */
function helperFunctions(
  b: Builder,
  functions: Map<string, Func>,
  step: Step,
): ReadonlyArray<Callee> {
  return Array.from({ length: b.random.int(1, 2) }, (_, index) => {
    const name = `helper${index}`;
    const { params, result } = b.inFunction(true, () => {
      b.keep(b.operand());
      step(b);
      return latest(b);
    });
    const f = functionOf(params, result);
    functions.set(name, f);
    const used = params.filter((param) => f.params.some((p) => p === param.expr));
    return { expr: globalVar(name), params: used, result: result as TensorValue };
  });
}

/** What `main` gives: all that nothing else uses, as far as there is room. */
function resultOf(b: Builder): Value {
  const params = new Set(b.params().map((param) => param.expr));
  const ends = b.unused().filter((value) => !params.has(value.expr));
  const tensors = ends.filter((value) => value._tag === 'Tensor');
  const last = tensors.slice(-MOST_RESULTS);
  const [only] = last;
  if (only === undefined) return latest(b);
  return last.length === 1 ? only : b.tuple(last);
}

const MOST_RESULTS = 6;

function functionOf(params: ReadonlyArray<TensorValue>, result: Value): Func {
  const free = new Set(freeVars(result.expr));
  const own = params.flatMap(({ expr }) => (expr._tag === 'Var' && free.has(expr) ? [expr] : []));
  return func(own, result.expr, { retType: result.type });
}

/** Inference has the last word: a program that it refuses is a fault of the generator. */
function typed(m: IRModule, seed: number): IRModule {
  const inferred = inferTypes(m);
  if (!isLeft(inferred)) return inferred.right;
  const reasons = inferred.left.map((d) => d.message).join('; ');
  throw new InvariantError(`program ${seed} is well-typed: ${reasons}\n${printModule(m)}`);
}

function someStep(choose: ChooseOp): Step {
  const one = callStep(choose);
  const inner: Step = (b) => one(b);
  const steps: ReadonlyArray<Weighted<Step>> = [
    [30, one],
    [2, letStep(inner)],
    [1.5, ifStep(inner)],
    [1, functionStep(inner)],
    [1.5, tupleStep],
  ];
  return (b) => {
    if (b.callees.length > 0 && b.random.chance(0.15)) {
      callFunction(b, b.random.pick(b.callees));
    } else b.random.weighted(steps)(b);
  };
}

/** Operators that models are full of come up more often than the others. */
const POPULAR = [
  'add',
  'multiply',
  'nn.relu',
  'nn.conv2d',
  'nn.dense',
  'transpose',
  'reshape',
  'concatenate',
];

function chooser(b: Builder): ChooseOp {
  const all = eligible(b);
  const popular = all.filter((op) => POPULAR.includes(op.name));
  return () => b.random.pick(popular.length > 0 && b.random.chance(0.4) ? popular : all);
}

function eligible(b: Builder): ReadonlyArray<OpInfo> {
  return b.ops.names.flatMap((name) => {
    const op = b.ops.get(name);
    if (op === undefined || samplerOf(b.ops, op) === undefined) return [];
    const numerics = b.ops.read(numericsColumn, name);
    if (b.numerics === 'exact' && numerics?.exact !== true) return [];
    if (b.numerics === 'smooth' && numerics?.smooth !== true) return [];
    return [op];
  });
}

const decorated = new WeakMap<OpTable, OpTable>();

/** The table with what this package knows of numbers, where the table does not say. */
function withNumerics(ops: OpTable): OpTable {
  const known = decorated.get(ops);
  if (known !== undefined) return known;
  const missing = new Map<string, Numerics>();
  for (const [name, numerics] of standardNumerics) {
    if (ops.read(numericsColumn, name) === undefined) missing.set(name, numerics);
  }
  const next = ops.withColumn(numericsColumn, missing);
  decorated.set(ops, next);
  return next;
}
