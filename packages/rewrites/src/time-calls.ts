/** The times of the calls in a module, measured. */
import { isLeft } from '@baton/base';
import { type IRModule, noAttrs, type Type, typeOf } from '@baton/ir';
import { evaluateOp, type OpCall, type OpValue, staticTensor } from '@baton/ops';
import { dense, splat } from '@baton/tensor';
import { type CallTimes, callsIn, keyOf } from './call-times.ts';
import { isComputing, workOf } from './cost.ts';

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
