/** The first node of a program whose value does not occur in another program. */
import { isLeft, type Result, right } from '@baton/base';
import type { Value } from '@baton/executor';
import type { Call, IRModule } from '@baton/ir';
import {
  allClose,
  cast,
  compareTensors,
  isDType,
  sameShape,
  type Tensor,
  type Tolerance,
} from '@baton/tensor';
import { sourcesOf, type Traced, traced } from './dataflow.ts';

/** A node whose value differs although its arguments agree. */
export interface FirstDifference {
  readonly call: Call;
  /** The closest value of the other program, if one has the same shape. */
  readonly closest: { readonly call: Call; readonly error: number } | undefined;
}

/** Values this close count as equal: reordered sums in float32 differ by less. */
const TOLERANCE: Tolerance = { atol: 1e-5, rtol: 1e-3 };

export interface TracedPair {
  readonly a: ReadonlyArray<Traced>;
  readonly b: ReadonlyArray<Traced>;
}

export function tracedPair(
  a: IRModule,
  b: IRModule,
  inputs: ReadonlyArray<Value>,
): Result<TracedPair> {
  const args = inputs.map((input, i) => ownDtype(a, i, input));
  const known = traced(a, args);
  if (isLeft(known)) return known;
  const found = traced(b, args);
  return isLeft(found) ? found : right({ a: known.right, b: found.right });
}

/**
 * The first call of `b` whose value does not occur in `a`, although the values of its arguments do.
 * The programs need not have the same structure: values are compared, not names.
 *
 * **Complexity** a comparison of each value of `b` with the values of `a` of its shape.
 */
export function firstDifference(
  a: IRModule,
  b: IRModule,
  inputs: ReadonlyArray<Value>,
): Result<FirstDifference | undefined> {
  const pair = tracedPair(a, b, inputs);
  return isLeft(pair) ? pair : right(firstDifferenceOf(pair.right));
}

export function firstDifferenceOf({ a, b }: TracedPair): FirstDifference | undefined {
  const agreeing = new Set<Call>();
  for (const { call, value } of b) {
    if (a.some((other) => isSame(other.value, value))) agreeing.add(call);
  }
  const watched = new Set(b.map(({ call }) => call));
  const first = b.find(
    ({ call }) =>
      !agreeing.has(call) &&
      sourcesOf(call).every((source) => agreeing.has(source) || !watched.has(source)),
  );
  return first && { call: first.call, closest: closestTo(first, a) };
}

/** The value in the dtype of its parameter: comparisons in float64 have wider ones. */
function ownDtype(m: IRModule, index: number, value: Value): Value {
  const type = m.functions.get('main')?.params[index]?.typeAnnotation;
  const dtype = type?._tag === 'TensorType' ? type.dtype : undefined;
  const isWider = value._tag === 'Tensor' && isDType(dtype) && dtype !== value.dtype;
  return isWider ? cast(value, dtype) : value;
}

const isAlike = (a: Tensor, b: Tensor): boolean =>
  a.dtype === b.dtype && sameShape(a.shape, b.shape);

/** Whether two values are equal up to rounding. */
export const isSame = (a: Tensor, b: Tensor): boolean => isAlike(a, b) && allClose(a, b, TOLERANCE);

function closestTo({ value }: Traced, known: ReadonlyArray<Traced>): FirstDifference['closest'] {
  let closest: FirstDifference['closest'];
  for (const other of known) {
    if (!isAlike(other.value, value)) continue;
    const error = compareTensors(value, other.value).maxAbsError;
    if (closest === undefined || error < closest.error) closest = { call: other.call, error };
  }
  return closest;
}
