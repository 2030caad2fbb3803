/** Compares outputs with each other, and with expected outputs. */
import {
  allClose,
  type Comparison,
  compareTensors,
  reshapeView,
  type Tolerance,
} from '@baton/tensor';
import type { Tensor, Value } from 'batonjs';
import type { Golden } from './schema.ts';

export function tensorsOf(value: Value): ReadonlyArray<Tensor> {
  const found: Tensor[] = [];
  const pending: Value[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next?._tag === 'Tensor') found.push(next);
    else if (next?._tag === 'Tuple') pending.push(...[...next.fields].reverse());
  }
  return found;
}

/** The largest errors over all outputs; infinite if shapes or dtypes differ. */
export function worst(
  found: ReadonlyArray<Tensor>,
  reference: ReadonlyArray<Tensor>,
): Pick<Comparison, 'maxAbsError' | 'maxRelError'> {
  const different = Number.POSITIVE_INFINITY;
  if (found.length !== reference.length) return { maxAbsError: different, maxRelError: different };
  let maxAbsError = 0;
  let maxRelError = 0;
  found.forEach((tensor, i) => {
    const other = reference[i] as Tensor;
    const sameShape = `${tensor.shape}` === `${other.shape}` && tensor.dtype === other.dtype;
    const { maxAbsError: abs, maxRelError: rel } = sameShape
      ? compareTensors(tensor, other)
      : { maxAbsError: different, maxRelError: different };
    maxAbsError = Math.max(maxAbsError, abs);
    maxRelError = Math.max(maxRelError, rel);
  });
  return { maxAbsError, maxRelError };
}

/** The expected output is a flat list for the first output, whatever its shape. */
export function golden(
  before: ReadonlyArray<Tensor>,
  after: ReadonlyArray<Tensor>,
  expected: Tensor,
  tolerance: Tolerance,
): Golden {
  const check = ([output]: ReadonlyArray<Tensor>) => {
    const size = expected.shape[0] ?? 0;
    if (output === undefined || output.data.length !== size) {
      return { ok: false, maxError: Number.POSITIVE_INFINITY };
    }
    const flat = reshapeView(output, [size]);
    return {
      ok: allClose(flat, expected, tolerance),
      maxError: compareTensors(flat, expected).maxAbsError,
    };
  };
  const [first, last] = [check(before), check(after)];
  return {
    ok: first.ok && last.ok,
    maxError: Math.max(first.maxError, last.maxError),
    before: first,
    after: last,
    tolerance,
  };
}
