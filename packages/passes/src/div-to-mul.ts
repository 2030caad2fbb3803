/**
 * DivToMul: quotients by constants become products.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { isLeft } from '@baton/base';
import { constant } from '@baton/ir';
import { callOp, evaluateOp, isCallOf, operandOf } from '@baton/ops';
import { inferType, type Pass, rewriteFunc, rewritingPass } from '@baton/pass-manager';
import { beforeSteps, holds } from '@baton/rewrites';
import { isFloat, isTensor, splat, type Tensor, toNumbers } from '@baton/tensor';
import { constantOf } from './facts.ts';

/**
 * Multiplies by the reciprocals of constants:
 *
 * ```
 * divide(%x, 4f)   =>   multiply(%x, 0.25f)
 * ```
 *
 * Integers are left alone, and so are constants whose reciprocals are too large or too small for
 * their element type. So is a quotient that a rounding, a comparison or a cast to integers reads, unless
 * the reciprocal is exact: on ties the last bit decides.
 *
 * **Complexity** linear in the function and in the constants.
 */
export const divToMul: Pass = rewritingPass({
  name: 'DivToMul',
  doc: 'Multiplies by the reciprocals of constants.',
  subject: 'sizes',
  level: 0,
  requires: [inferType],
  needs: ['arcp'],
  rows: ['reciprocal'],
  isIdempotent: true,
  run: (f, m, { count }) => {
    const stepped = beforeSteps(f, m);
    return rewriteFunc(f, m, (node, get) => {
      if (!isCallOf(node, 'divide')) return undefined;
      const by = operandOf(node, 1);
      const divisor = constantOf(get(by));
      if (divisor === undefined || !isFloat(divisor.dtype)) return undefined;
      const ones = splat(divisor.shape, divisor.dtype, 1);
      const value = evaluateOp(m.ops, 'divide', node.attrs, [ones, divisor], by.span);
      if (isLeft(value) || !isTensor(value.right)) return undefined;
      const reciprocal = value.right;
      if (!isAsExact(divisor, reciprocal)) return undefined;
      if (stepped.has(node) && !isExact(divisor, reciprocal)) return undefined;
      count('reciprocal');
      const args = [get(operandOf(node, 0)), constant(reciprocal, by.span)];
      return callOp(m.ops, 'multiply', args, {}, node.span);
    });
  },
});

/** Whether reciprocals have all the digits of their divisors: none is subnormal, or overflows. */
const isAsExact = ({ dtype }: Tensor, reciprocal: Tensor): boolean =>
  toNumbers(reciprocal).every((inverse) => Number.isFinite(inverse) && holds(dtype, inverse));

/** Whether reciprocals are not rounded: those of powers of two. */
function isExact(divisor: Tensor, reciprocal: Tensor): boolean {
  const inverses = toNumbers(reciprocal);
  return toNumbers(divisor).every((number, i) => {
    const exponent = Math.round(Math.log2(Math.abs(number)));
    return 2 ** exponent === Math.abs(number) && Math.abs(inverses[i] as number) === 2 ** -exponent;
  });
}
