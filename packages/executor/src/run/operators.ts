/** Calls of operators on values. */
import { isLeft, type Result, right } from '@baton/base';
import type { OpTable } from '@baton/ir';
import { evaluateOp } from '@baton/ops';
import type { OperatorSite } from '../code/instruction.ts';
import { fromOpValue, toOpValue } from '../values/op-value.ts';
import { Scalar } from '../values/scalar.ts';
import type { Value } from '../values/value.ts';

/**
 * The value of a call of an operator. The first call on scalars of one dtype keeps the operator's
 * rule for them at the site: the operator's type relation holds for every other pair of such
 * scalars, too.
 */
export function callOperator(
  ops: OpTable,
  site: OperatorSite,
  args: ReadonlyArray<Value>,
  maxBytes: number,
): Result<Value> {
  const values = args.map(toOpValue);
  const result = evaluateOp(ops, site.name, site.attrs, values, site.span, maxBytes);
  if (isLeft(result)) return result;
  const value = fromOpValue(result.right);
  if (value instanceof Scalar) keepRule(site, args, value);
  return right(value);
}

function keepRule(site: OperatorSite, args: ReadonlyArray<Value>, value: Scalar): void {
  const [first] = args;
  if (site.scalar === undefined || !(first instanceof Scalar)) return;
  const { dtype } = first;
  if (!args.every((arg) => arg instanceof Scalar && arg.dtype === dtype)) return;
  const rule = site.scalar(dtype);
  if (rule === undefined || rule.out !== value.dtype) return;
  site.dtype = dtype;
  site.out = rule.out;
  site.apply = rule.apply;
}
