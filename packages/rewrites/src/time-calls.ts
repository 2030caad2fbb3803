/** The times of the calls in a module, measured. */
import { isLeft, type Result, remember } from '@baton/base';
import {
  type Expr,
  func,
  type IRModule,
  irModule,
  call as makeCall,
  noAttrs,
  type Type,
  tuple,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import { evaluateOp, type OpCall, type OpValue, staticTensor } from '@baton/ops';
import { dense, isTensor, splat, type Tensor } from '@baton/tensor';
import { type CallTimes, callsIn, keyOf } from './call-times.ts';
import { isComputing, workOf } from './cost.ts';

/** What prepares a program for runs: an executor. */
export interface Preparing {
  readonly prepare: (m: IRModule) => Result<{
    readonly run: (args: ReadonlyArray<Tensor>) => Result<unknown>;
    readonly dispose: () => void;
  }>;
}

/** The options of {@link timeCalls}. */
export interface TimeCallsOptions {
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  /** The times so far, which stay as they are. @defaultValue none */
  readonly known?: CallTimes;
  /** What runs each call, with its constants, as a program of its own. @defaultValue the kernels */
  readonly executor?: Preparing;
  /** Other calls with the same value that are timed too. @defaultValue none */
  readonly alternatives?: (call: OpCall, m: IRModule) => ReadonlyArray<OpCall>;
}

/**
 * A call is run until its runs took this long together, or this often; the fastest counts. The first
 * runs of an operator are slow: its code is not compiled yet.
 */
const ENOUGH_MS = 20;
const [LEAST_RUNS, MOST_RUNS] = [3, 50];

/**
 * The times so far and those of each other call in a module, with its operator, attributes and types,
 * run by itself on tensors of ones. Left out are calls that fail on these, and those with sizes that
 * types leave open.
 */
export function timeCalls(m: IRModule, options: TimeCallsOptions): CallTimes {
  const { known = {}, alternatives = () => [] } = options;
  const times = new Map(Object.entries(known));
  for (const call of [...m.functions.values()].flatMap(callsIn)) {
    const type = typeOf(m, call);
    if (type === undefined || !isComputing(call, m)) continue;
    for (const one of [call, ...alternatives(call, m)]) {
      const key = keyOf(one, type, m);
      const milliseconds = times.has(key) ? undefined : timeOf(one, m, options);
      if (milliseconds === undefined) continue;
      times.set(key, { microseconds: milliseconds * 1_000, ...workOf(one, type, m) });
    }
  }
  return Object.fromEntries(times);
}

/** The least milliseconds of a run of the call; `undefined` if it does not run. */
function timeOf(
  call: OpCall,
  m: IRModule,
  { now, executor }: TimeCallsOptions,
): number | undefined {
  const runner = executor === undefined ? byKernel(call, m) : prepared(call, m, executor);
  if (runner === undefined) return undefined;
  const least = leastTime(runner.run, now);
  runner.dispose();
  return least;
}

function leastTime(run: Runner['run'], now: () => number): number | undefined {
  let least = Number.POSITIVE_INFINITY;
  for (
    let runs = 0, total = 0;
    runs < LEAST_RUNS || (runs < MOST_RUNS && total < ENOUGH_MS);
    runs++
  ) {
    const start = now();
    if (isLeft(run())) return undefined;
    const took = now() - start;
    total += took;
    least = Math.min(least, took);
  }
  return least;
}

interface Runner {
  readonly run: () => Result<unknown>;
  readonly dispose: () => void;
}

function byKernel(call: OpCall, m: IRModule): Runner | undefined {
  const values = call.args.map((arg) => onesOf(typeOf(m, arg))).filter((v) => v !== undefined);
  if (values.length < call.args.length) return undefined;
  const run = () => evaluateOp(m.ops, call.op.name, call.attrs ?? noAttrs, values);
  return { run, dispose: () => {} };
}

/** The call as a program, whose parameters are the operands that are not constants. */
function prepared(call: OpCall, m: IRModule, executor: Preparing): Runner | undefined {
  const params = new Map<Expr, Var>();
  const operand = (expr: Expr): Expr => {
    if (expr._tag === 'Constant') return expr;
    return remember(params, expr, () => variable(`x${params.size}`, typeOf(m, expr)));
  };
  const args = call.args.map((arg) =>
    arg._tag === 'Tuple' ? tuple(arg.fields.map(operand)) : operand(arg),
  );
  const values = [...params.keys()].map((expr) => onesOf(typeOf(m, expr)));
  if (!values.every((value) => value !== undefined && isTensor(value))) return undefined;
  const main = func([...params.values()], makeCall(call.op, args, { attrs: call.attrs }));
  const program = executor.prepare(irModule({ ops: m.ops, functions: new Map([['main', main]]) }));
  if (isLeft(program)) return undefined;
  const { run, dispose } = program.right;
  return { run: () => run(values as ReadonlyArray<Tensor>), dispose };
}

function onesOf(type: Type | undefined): OpValue | undefined {
  if (type?._tag === 'TupleType') {
    const fields = type.fields.map((field) => staticTensor(field));
    const known = fields.filter((field) => field !== undefined);
    return known.length < fields.length ? undefined : known.map(ones);
  }
  const known = type && staticTensor(type);
  return known && ones(known);
}

const ones = ({ shape, dtype }: NonNullable<ReturnType<typeof staticTensor>>) =>
  dense(splat(shape, dtype, 1));
