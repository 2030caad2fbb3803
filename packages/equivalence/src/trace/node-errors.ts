/** The errors of a program's nodes, each compared with its counterpart in another program. */
import type { Call } from '@baton/ir';
import { compareTensors, sameShape } from '@baton/tensor';
import type { Traced } from './dataflow.ts';
import { isSame, type TracedPair } from './first-difference.ts';

export interface NodeError {
  readonly first: Call;
  readonly second: Call;
  /** max |a − b|; infinite if only one is NaN, or if infinities differ. */
  readonly maxAbsError: number;
  /** max |a − b| / max(|a|, rms a), where a is the value of the first program. */
  readonly maxRelError: number;
  /** Whether the error is more than rounding. */
  readonly isDifferent: boolean;
}

/**
 * The error of each call of the second program. If its counterpart by `twinOf` has another value, a
 * call of the first program with the same value replaces it: passes move work between nodes. Calls
 * whose counterparts have another shape are omitted.
 *
 * **Complexity** a comparison for each call; if counterparts differ, one with each value of the
 * first program of its shape.
 */
export function nodeErrors(
  { a, b }: TracedPair,
  twinOf: (call: Call) => Call | undefined,
): ReadonlyArray<NodeError> {
  const values = new Map(a.map((one) => [one.call, one]));
  return b.flatMap((found): NodeError[] => {
    const twin = twinOf(found.call);
    const aligned = twin && values.get(twin);
    const isAligned = aligned !== undefined && isSame(aligned.value, found.value);
    const same = isAligned ? aligned : a.find(({ value }) => isSame(value, found.value));
    const against = same ?? aligned;
    if (against === undefined || !sameShape(against.value.shape, found.value.shape)) return [];
    return [errorOf(against, found, same === undefined)];
  });
}

function errorOf(first: Traced, second: Traced, isDifferent: boolean): NodeError {
  const { maxAbsError, maxRelError } = compareTensors(second.value, first.value);
  return { first: first.call, second: second.call, maxAbsError, maxRelError, isDifferent };
}
