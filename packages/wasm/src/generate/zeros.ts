/** Which results are never −0, so that code need not tell the two zeros apart. */
import type { NodeName, Scalar } from '@baton/ops';

type Operation = Extract<Scalar, { _tag: 'Operation' }>;

/** Whether operand `i` is never −0. */
type OfOperand = (i: number) => boolean;

/**
 * A number that no product cancels to less than the least float: a product and a sum that are rounded
 * once may else give −0.
 */
const LEAST = 2 ** -100;

const isPositiveZero = (x: number): boolean => Object.is(x, 0);

const constantOf = (expr: Scalar | undefined): number | undefined =>
  expr?._tag === 'Constant' ? expr.value : undefined;

const isLarge = (expr: Scalar | undefined): boolean => Math.abs(constantOf(expr) ?? 0) >= LEAST;

/** The greater of two numbers is never −0 if one of them is never less than +0, or both are never −0. */
const isBounded = ({ args }: Operation, ofOperand: OfOperand): boolean =>
  args.some((arg) => {
    const bound = constantOf(arg) ?? -1;
    return bound > 0 || isPositiveZero(bound);
  }) ||
  (ofOperand(0) && ofOperand(1));

const RESULTS: {
  readonly [Name in NodeName]?: (expr: Operation, ofOperand: OfOperand) => boolean;
} = {
  abs: () => true,
  exp: () => true,
  add: ({ args }) => args.some(isLarge),
  sub: ({ args }) => args.some(isLarge),
  max: isBounded,
  min: (_, ofOperand) => ofOperand(0) && ofOperand(1),
};

/** Whether the result of an operation is never −0. A NaN is none. */
export const isNeverMinusZero = (expr: Operation, ofOperand: OfOperand): boolean =>
  RESULTS[expr.name]?.(expr, ofOperand) === true;
