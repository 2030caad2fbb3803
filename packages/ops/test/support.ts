/** Helpers for the tests of operators. */
import type { Result } from '@baton/base';
import { isLeft } from '@baton/base';
import type { Attrs, AttrValue } from '@baton/ir';
import { evaluateOp, type OpValue, standardOps } from '@baton/ops';
import {
  type DType,
  dtypeInfo,
  fromNumbers,
  isBig,
  isFloat,
  isTensor,
  type Nested,
  type Tensor,
  toNested,
} from '@baton/tensor';

export function right<A>(result: Result<A>): A {
  if (isLeft(result)) throw new Error(result.left.map((d) => `${d.code}: ${d.message}`).join('\n'));
  return result.right;
}

type Numbers = number | ReadonlyArray<Numbers>;

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

const floats = [0, -0, 1, -1, 0.5, 2.5, -2.5, 1e-8, 1e30, 3.4e38, 1e300, 65504, 65520, 1 / 3];
const specials = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Values that expose errors of rounding, wrapping and division. */
export function tellingValues(dtype: DType): ReadonlyArray<number | bigint> {
  if (dtype === 'bool') return [0, 1];
  if (isFloat(dtype)) return [...floats, ...specials];
  const { min, max } = dtypeInfo(dtype);
  const near = [0n, 1n, 2n, 3n, 7n, 31n, 33n, 63n, 64n, BigInt(max) - 1n, BigInt(max)];
  const negative = BigInt(min) < 0n ? [-1n, -2n, -7n, BigInt(min), BigInt(min) + 1n] : [];
  return [...near, ...negative].map((v) => (isBig(dtype) ? v : Number(v)));
}
