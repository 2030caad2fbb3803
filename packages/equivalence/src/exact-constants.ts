/** Finds constants of a program that were rounded compared with another program. */
import { type IRModule, postOrderExprs } from '@baton/ir';
import {
  type DType,
  dtypeInfo,
  hashTensor,
  isFloat,
  type Tensor,
  tensorsEqual,
  toNumbers,
} from '@baton/tensor';

/**
 * Whether the float64 version of `after` is also one of `before`: each of its floating-point
 * constants occurs in `before`, or is too simple to come from rounding.
 *
 * **Complexity** linear in the constants.
 */
export function exactInFloat64(before: IRModule, after: IRModule): boolean {
  return constantsOccur(before, after, isPlain);
}

/**
 * Whether each floating-point constant of `after` occurs in `before`: a constant that is simple in
 * its dtype may be rounded to a narrower one.
 *
 * **Complexity** linear in the constants.
 */
export const hasConstantsOf = (before: IRModule, after: IRModule): boolean =>
  constantsOccur(before, after, () => false);

/** Whether each floating-point constant of `after` occurs in `before` or is allowed. */
function constantsOccur(
  before: IRModule,
  after: IRModule,
  isAllowed: (t: Tensor) => boolean,
): boolean {
  const known = new Map<number, Tensor[]>();
  for (const t of floatConstants(before)) {
    const hash = hashTensor(t);
    known.set(hash, [...(known.get(hash) ?? []), t]);
  }
  return floatConstants(after).every(
    (t) =>
      isAllowed(t) || known.get(hashTensor(t))?.some((other) => tensorsEqual(t, other)) === true,
  );
}

const floatConstants = (m: IRModule): ReadonlyArray<Tensor> =>
  postOrderExprs([...m.functions.values()]).flatMap((node) =>
    node._tag === 'Constant' && isFloat(node.data.dtype) && node.data.dtype !== 'float64'
      ? [node.data]
      : [],
  );

/** Whether numbers need at most half the bits of their dtype, as 1, 0.5 and 3 do. */
function isPlain(t: Tensor): boolean {
  const splitter = 2 ** (53 - Math.floor(significandBits(t.dtype) / 2)) + 1;
  for (const value of toNumbers(t)) {
    const product = value * splitter;
    if (Number.isFinite(value) && product - (product - value) !== value) return false;
  }
  return true;
}

function significandBits(dtype: DType): number {
  const most = Number(dtypeInfo(dtype).max);
  return 1 - Math.round(Math.log2(2 - most / 2 ** Math.floor(Math.log2(most))));
}
