/** The times that calls have taken, as data. */
import { fail, isLeft, type Result, right } from '@baton/base';
import {
  describeType,
  type Expr,
  type IRModule,
  noAttrs,
  postOrderExprs,
  type Type,
  typeOf,
} from '@baton/ir';
import { attrsKey, isOpCall, type OpCall } from '@baton/ops';
import * as t from 'io-ts';
import type { Work } from './cost.ts';
import { wrongTimes } from './diagnostics.ts';

/** The time that a call took, and its work. */
export interface CallTime extends Work {
  readonly microseconds: number;
}

/** The times of calls by operator, attributes and types: plain data, which `JSON.stringify` writes. */
export type CallTimes = Readonly<Record<string, CallTime>>;

const isAmount = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0;

const amount = new t.Type<number>(
  'a number of at least 0',
  isAmount,
  (value, context) => (isAmount(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
);

const callTimes = t.record(
  t.string,
  t.strict({ microseconds: amount, flops: amount, bytes: amount }),
);

/**
 * The times in a value that was read from JSON.
 *
 * **Errors** `COST_TIMES`.
 */
export function readCallTimes(value: unknown): Result<CallTimes> {
  const read = callTimes.decode(value);
  if (!isLeft(read)) return right(read.right);
  const place = (read.left[0]?.context ?? []).map(({ key }) => key).filter((key) => key !== '');
  return fail(wrongTimes(place));
}

/** The calls of operators in an expression, in kernels too. */
export const callsIn = (root: Expr): ReadonlyArray<OpCall> =>
  postOrderExprs([root]).filter(isOpCall);

/** Equal for calls that take the same time: the operator, a space, then attributes and types. */
export function keyOf({ op, args, attrs = noAttrs }: OpCall, result: Type, m: IRModule): string {
  const types = [...args.map((arg) => typeOf(m, arg)), result].map(
    (type) => type && describeType(type),
  );
  return `${op.name} ${attrsKey(attrs)} ${types.join(' ')}`;
}
