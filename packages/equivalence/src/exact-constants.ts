/** Finds constants of a program that were rounded since another program. */
import { type IRModule, postOrderExprs } from '@baton/ir';
import { hashTensor, isFloat, type Tensor, tensorsEqual, toNumbers } from '@baton/tensor';

/** The bits of a number that was written and not computed: 1, 0.5, 3. */
const PLAIN_BITS = 12;

/**
 * Whether the float64 version of `after` is also one of `before`: each of its floating-point
 * constants occurs in `before`, or is too plain to come from rounding.
 *
 * **Complexity** linear in the constants.
 */
export function exactInFloat64(before: IRModule, after: IRModule): boolean {
  const known = new Map<number, Tensor[]>();
  for (const t of floatConstants(before)) {
    const hash = hashTensor(t);
    known.set(hash, [...(known.get(hash) ?? []), t]);
  }
  return floatConstants(after).every(
    (t) => isPlain(t) || known.get(hashTensor(t))?.some((other) => tensorsEqual(t, other)) === true,
  );
}

const floatConstants = (m: IRModule): ReadonlyArray<Tensor> =>
  postOrderExprs([...m.functions.values()]).flatMap((node) =>
    node._tag === 'Constant' && isFloat(node.data.dtype) && node.data.dtype !== 'float64'
      ? [node.data]
      : [],
  );

function isPlain(t: Tensor): boolean {
  const splitter = 2 ** (53 - PLAIN_BITS) + 1;
  for (const value of toNumbers(t)) {
    const product = value * splitter;
    if (Number.isFinite(value) && product - (product - value) !== value) return false;
  }
  return true;
}
