/**
 * The measure that guards against endless calls:
 * [passes §13](https://batonjs.github.io/baton/spec/passes#13).
 */
import type { Func } from '@baton/ir';
import { readNumber } from '@baton/tensor';
import type { Fuel, Measure, Value } from './value.ts';

/** The calls in progress with one more, whether or not it makes progress. */
export const entered = (outer: Fuel | undefined, func: Func, args: ReadonlyArray<Value>): Fuel => ({
  func,
  left: args.map(measureOf),
  outer,
});

/**
 * The calls in progress with one more; `undefined` if a call of the function is in progress and no
 * argument is older or smaller than all before it.
 *
 * **Complexity** linear in the calls since the latest one of the function.
 */
export function burnt(
  outer: Fuel | undefined,
  func: Func,
  args: ReadonlyArray<Value>,
): Fuel | undefined {
  let before = outer;
  while (before !== undefined && before.func !== func) before = before.outer;
  const made = args.map(measureOf);
  if (before === undefined) return { func, left: made, outer };
  let isLess = false;
  const left = made.map((measure, i) => {
    const known = before.left[i] ?? measure;
    isLess ||= measure.time < known.time || measure.size < known.size;
    return {
      time: Math.min(measure.time, known.time),
      size: Math.min(measure.size, known.size),
    };
  });
  return isLess ? { func, left, outer } : undefined;
}

function measureOf({ time, known }: Value): Measure {
  if (known?._tag !== 'tensor') return { time, size: Number.POSITIVE_INFINITY };
  const { data } = known;
  const isCount = (data.dtype === 'int32' || data.dtype === 'int64') && data.shape.length === 0;
  const number = isCount ? readNumber(data, 0) : -1;
  return { time, size: number < 0 ? Number.POSITIVE_INFINITY : number };
}
