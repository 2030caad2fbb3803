/**
 * DivToMul: quotients by constants become products.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { isLeft } from '@baton/base';
import { constant } from '@baton/ir';
import { callOp, evaluateOp, isCallOf, operandOf } from '@baton/ops';
import { inferType, type Pass, rewriteFunc, rewritingPass } from '@baton/pass-manager';
import { dtypeInfo, isFloat, isTensor, splat, type Tensor, toNumbers } from '@baton/tensor';
import { constantOf } from './facts.ts';

/**
 * Multiplies by the reciprocals of constants:
 *
 * ```
 * divide(%x, 4f)   =>   multiply(%x, 0.25f)
 * ```
 *
 * Integers are left alone, and so are constants whose reciprocals are too large or too small for
 * their element type.
 *
 * **Complexity** linear in the function and in the constants.
 */
export const divToMul: Pass = rewritingPass({
  name: 'DivToMul',
  doc: 'Multiplies by the reciprocals of constants.',
  level: 0,
  requires: [inferType],
  needs: ['arcp'],
  rows: ['reciprocal'],
  isIdempotent: true,
  run: (f, m, { count }) =>
    rewriteFunc(f, m, (node, get) => {
      if (!isCallOf(node, 'divide')) return undefined;
      const by = operandOf(node, 1);
      const divisor = constantOf(get(by));
      if (divisor === undefined || !isFloat(divisor.dtype)) return undefined;
      const ones = splat(divisor.shape, divisor.dtype, 1);
      const value = evaluateOp(m.ops, 'divide', node.attrs, [ones, divisor], by.span);
      if (isLeft(value) || !isTensor(value.right)) return undefined;
      const reciprocal = value.right;
      if (!isAsExact(divisor, reciprocal)) return undefined;
      count('reciprocal');
      const args = [get(operandOf(node, 0)), constant(reciprocal, by.span)];
      return callOp(m.ops, 'multiply', args, {}, node.span);
    }),
});

/** Whether reciprocals have all the digits of their divisors: none is subnormal, or overflows. */
function isAsExact(divisor: Tensor, reciprocal: Tensor): boolean {
  const reciprocals = toNumbers(reciprocal);
  const least = 1 / Number(dtypeInfo(divisor.dtype).max);
  return Array.from(toNumbers(divisor)).every((number, i) => {
    const inverse = Math.abs(reciprocals[i] as number);
    if (number === 0 || !Number.isFinite(number)) return true;
    // The least normal number is at most 4 times the reciprocal of the greatest.
    return Number.isFinite(inverse) && inverse >= 4 * least;
  });
}
