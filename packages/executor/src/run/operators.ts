/** Calls of operators on values. */
import { isLeft, type Result, right } from '@baton/base';
import type { OpTable } from '@baton/ir';
import { fitsCall, prepareCall, runCall } from '@baton/ops';
import type { OperatorSite } from '../code/instruction.ts';
import { fromOpValue, toOpValue } from '../values/op-value.ts';
import { Scalar } from '../values/scalar.ts';
import type { Value } from '../values/value.ts';
import type { Pool } from './pool.ts';

/**
 * The value of a call of an operator, held in `pool`. The site keeps what its last call found out:
 * the type of the result, for as long as arguments have the same types; and of scalars of one dtype
 * the operator's rule, since its type relation holds for every other pair of such scalars, too.
 */
export function callOperator(
  ops: OpTable,
  site: OperatorSite,
  args: ReadonlyArray<Value>,
  maxBytes: number,
  pool: Pool,
): Result<Value> {
  const values = args.map(toOpValue);
  if (site.call === undefined || !fitsCall(site.call, values)) {
    const prepared = prepareCall(ops, site.name, site.attrs, values, site.span);
    if (isLeft(prepared)) return prepared;
    site.call = prepared.right;
  }
  const mark = pool.mark();
  const result = runCall(site.call, values, maxBytes, pool);
  const value = isLeft(result) ? undefined : fromOpValue(result.right, pool.tuple);
  pool.settle(mark, value);
  if (value === undefined) return result as Result<never>;
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
