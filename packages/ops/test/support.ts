/** Helpers for the tests of operators. */
import type { Result } from '@baton/base';
import { isLeft } from '@baton/base';
import type { Attrs, AttrValue } from '@baton/ir';
import { evaluateOp, type OpValue, standardOps } from '@baton/ops';
import {
  type DType,
  fromNumbers,
  isTensor,
  type Nested,
  type Tensor,
  toNested,
} from '@baton/tensor';

/** The value of a successful result. */
export function right<A>(result: Result<A>): A {
  if (isLeft(result)) throw new Error(result.left.map((d) => `${d.code}: ${d.message}`).join('\n'));
  return result.right;
}

type Numbers = number | ReadonlyArray<Numbers>;

/** A tensor from nested numbers. */
export function t(values: Numbers, dtype: DType = 'float32'): Tensor {
  const shape: number[] = [];
  for (let level: Numbers | undefined = values; Array.isArray(level); level = level[0]) {
    shape.push(level.length);
  }
  const flat = Array.isArray(values) ? (values.flat(16) as number[]) : [values as number];
  return fromNumbers(flat, shape, dtype);
}

/** The result of an operator for these arguments; missing attributes get their defaults. */
export function run(
  name: string,
  args: ReadonlyArray<OpValue>,
  attrs: Readonly<Record<string, AttrValue>> = {},
): OpValue {
  return right(tryRun(name, args, attrs));
}

/** Like {@link run}, with errors as values. */
export function tryRun(
  name: string,
  args: ReadonlyArray<OpValue>,
  attrs: Attrs = {},
): Result<OpValue> {
  const decoded = standardOps.get(name)?.attrs.decode(attrs);
  if (decoded === undefined) throw new Error(`no operator ${name}`);
  if (isLeft(decoded)) return decoded;
  return evaluateOp(standardOps, name, decoded.right, args);
}

/** A value as nested arrays: numbers, with 64-bit integers as numbers too. */
export function nested(value: OpValue): unknown {
  if (!isTensor(value)) return value.map(nested);
  const plain = (x: Nested): unknown =>
    Array.isArray(x) ? x.map(plain) : typeof x === 'bigint' ? Number(x) : x;
  return plain(toNested(value));
}
