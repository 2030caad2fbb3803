/** Costs from the times that calls have taken. */
import { remember } from '@baton/base';
import { type IRModule, typeOf } from '@baton/ir';
import { isOpCall, type OpCall } from '@baton/ops';
import { type CallTime, type CallTimes, callsIn, keyOf } from './call-times.ts';
import { isComputing, type Machine, type NodeCost, ONE_CORE, timeOn, workOf } from './cost.ts';

/**
 * The time of calls in microseconds, as it was measured. A kernel takes as long as the calls in it.
 * A call that was not measured costs what a roofline says, scaled by the ratio of measured to estimated
 * time of its operator's calls, or of all calls if none was measured.
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

/** The ratio of an operator's measured times to the roofline's. */
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
