/** Costs from the times that calls have taken. */
import { fail, isLeft, type Result, remember, right } from '@baton/base';
import {
  describeType,
  type Expr,
  type IRModule,
  noAttrs,
  postOrderExprs,
  type Type,
  typeOf,
} from '@baton/ir';
import { evaluateOp, isOpCall, type OpCall, type OpValue, staticTensor } from '@baton/ops';
import { dense, splat } from '@baton/tensor';
import * as t from 'io-ts';
import { attrsKey } from './attrs-key.ts';
import {
  isComputing,
  type Machine,
  type NodeCost,
  ONE_CORE,
  timeOn,
  type Work,
  workOf,
} from './cost.ts';
import { wrongTimes } from './diagnostics.ts';

/** The time that a call took, and its work. */
export interface CallTime extends Work {
  readonly microseconds: number;
}

/** The times of calls by operator, attributes and types: plain data, which `JSON.stringify` writes. */
export type CallTimes = Readonly<Record<string, CallTime>>;

const isAmount = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0;

const amount = new t.Type<number>(
  'a number of at least 0',
  isAmount,
  (value, context) => (isAmount(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
);

const callTimes = t.record(
  t.string,
  t.strict({ microseconds: amount, flops: amount, bytes: amount }),
);

/**
 * The times in a value that was read from JSON.
 *
 * **Errors** `COST_TIMES`.
 */
export function readCallTimes(value: unknown): Result<CallTimes> {
  const read = callTimes.decode(value);
  if (!isLeft(read)) return right(read.right);
  const place = (read.left[0]?.context ?? []).map(({ key }) => key).filter((key) => key !== '');
  return fail(wrongTimes(place));
}

/**
 * The time of calls in microseconds, as it was measured. A kernel takes as long as the calls in it.
 * A call that was not measured costs what a roofline says, scaled by what measured calls of its
 * operator take beside theirs, or all calls if none was measured.
 *
 * The cost follows from the times alone: the same times give the same costs on every machine.
 */
export function measured(times: CallTimes, machine: Machine = ONE_CORE): NodeCost {
  const known = new Map(Object.entries(times));
  const scaleOf = scales(known, machine);
  const ofCall = (call: OpCall, m: IRModule): number => {
    const type = typeOf(m, call);
    if (type === undefined || !isComputing(call, m)) return 0;
    const time = known.get(keyOf(call, type, m));
    if (time !== undefined) return time.microseconds;
    return scaleOf(call.op.name) * timeOn(machine, workOf(call, type, m));
  };
  return (node, m) => {
    if (isOpCall(node)) return ofCall(node, m);
    if (!isComputing(node, m) || node.op._tag !== 'Function') return 0;
    return callsIn(node.op.body).reduce((sum, call) => sum + ofCall(call, m), 0);
  };
}

/** What an operator's measured calls take beside a roofline. */
function scales(
  known: ReadonlyMap<string, CallTime>,
  machine: Machine,
): (operator: string) => number {
  const sums = new Map<string, { took: number; expected: number }>();
  const add = (name: string, time: CallTime): void => {
    const sum = remember(sums, name, () => ({ took: 0, expected: 0 }));
    sum.took += time.microseconds;
    sum.expected += timeOn(machine, time);
  };
  for (const [key, time] of known) {
    add(key.slice(0, key.indexOf(' ')), time);
    add(ALL, time);
  }
  return (operator) => {
    const { took, expected } = sums.get(operator) ?? sums.get(ALL) ?? { took: 1, expected: 1 };
    return took / expected;
  };
}

/** Stands for all operators; none has this name. */
const ALL = '';

/** The options of {@link timeCalls}. */
export interface TimeCallsOptions {
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  /** The times so far, which stay as they are. @defaultValue none */
  readonly known?: CallTimes;
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
export function timeCalls(m: IRModule, { now, known = {} }: TimeCallsOptions): CallTimes {
  const times = new Map(Object.entries(known));
  for (const call of [...m.functions.values()].flatMap(callsIn)) {
    const type = typeOf(m, call);
    if (type === undefined || !isComputing(call, m)) continue;
    const key = keyOf(call, type, m);
    const milliseconds = times.has(key) ? undefined : timeOf(call, m, now);
    if (milliseconds === undefined) continue;
    times.set(key, { microseconds: milliseconds * 1_000, ...workOf(call, type, m) });
  }
  return Object.fromEntries(times);
}

/** The least milliseconds of a run of the call; `undefined` if it does not run. */
function timeOf(call: OpCall, m: IRModule, now: () => number): number | undefined {
  const values = call.args.map((arg) => onesOf(typeOf(m, arg))).filter((v) => v !== undefined);
  if (values.length < call.args.length) return undefined;
  let least = Number.POSITIVE_INFINITY;
  for (
    let runs = 0, total = 0;
    runs < LEAST_RUNS || (runs < MOST_RUNS && total < ENOUGH_MS);
    runs++
  ) {
    const start = now();
    if (isLeft(evaluateOp(m.ops, call.op.name, call.attrs ?? noAttrs, values))) return undefined;
    const took = now() - start;
    total += took;
    least = Math.min(least, took);
  }
  return least;
}

/** Ones of a type. */
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

const callsIn = (root: Expr): ReadonlyArray<OpCall> => postOrderExprs([root]).filter(isOpCall);

/** Equal for calls that take the same time: the operator, a space, then attributes and types. */
function keyOf({ op, args, attrs = noAttrs }: OpCall, result: Type, m: IRModule): string {
  const types = [...args.map((arg) => typeOf(m, arg)), result].map(
    (type) => type && describeType(type),
  );
  return `${op.name} ${attrsKey(attrs)} ${types.join(' ')}`;
}
