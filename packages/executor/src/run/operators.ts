/** Calls of operators on values. */
import { isLeft } from '@baton/base';
import type { OpTable } from '@baton/ir';
import { fitsCall, prepareCall, runCall } from '@baton/ops';
import type { OperatorSite } from '../code/instruction.ts';
import type { Meter } from '../limits.ts';
import { stop } from '../stop.ts';
import { toOpValue } from '../values/op-value.ts';
import { Scalar } from '../values/scalar.ts';
import type { Value } from '../values/value.ts';
import type { Pool } from './pool.ts';

export interface CallContext {
  readonly executor: string;
  readonly ops: OpTable;
  readonly meter: Meter;
  readonly pool: Pool;
}

const SCALAR_BYTES = 8;

/**
 * The scalar that the rule kept at a site gives for scalars, if it holds for them. A run with a limit
 * that a scalar may be beyond leaves rules of other runs alone.
 */
export function onScalars(
  site: OperatorSite,
  x: Value,
  y: Value,
  meter: Meter,
): Scalar | undefined {
  if (meter.maxBytes < SCALAR_BYTES) return undefined;
  if (!(x instanceof Scalar && x.dtype === site.dtype)) return undefined;
  if (!(y instanceof Scalar && y.dtype === site.dtype)) return undefined;
  return new Scalar(site.out, site.apply(x.element, y.element));
}

/**
 * The value of a call of an operator, with a holder in the pool. The site keeps what its last call
 * found out: the type of the result, for as long as arguments have the same types; and of scalars of
 * one dtype the operator's rule, since its type relation holds for every other pair of such scalars,
 * too.
 */
export function callOperator(
  { ops, meter, pool }: CallContext,
  site: OperatorSite,
  args: ReadonlyArray<Value>,
): Value {
  const values = args.map(toOpValue);
  if (site.call === undefined || !fitsCall(site.call, values)) {
    const prepared = prepareCall(ops, site.name, site.attrs, values, site.span);
    if (isLeft(prepared)) return stop(...prepared.left);
    site.call = prepared.right;
  }
  meter.countWork(site.call.steps, site.span);
  const mark = pool.mark();
  const result = runCall(site.call, values, meter.maxBytes, pool);
  const value = pool.settle(mark, isLeft(result) ? [] : result.right);
  if (isLeft(result)) return stop(...result.left);
  if (value instanceof Scalar) keepRule(site, args, value);
  return value;
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
