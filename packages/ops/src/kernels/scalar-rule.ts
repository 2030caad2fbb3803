/** Scalar expressions on single elements, for tensors of rank 0. */
import { castNumber, type DType } from '@baton/tensor';
import { isTruth, type Scalar } from '../scalar/expr.ts';
import { onElements } from './loops.ts';

/**
 * One element: a bigint of a 64-bit integer, else a number. bool is 0 or 1; a float is exactly
 * what its dtype holds.
 */
export type Element = number | bigint;

export interface ScalarRule {
  readonly out: DType;
  /** The result, rounded or wrapped to `out`. A unary rule ignores `y`. */
  readonly apply: (x: Element, y: Element) => Element;
}

/**
 * The rule of an expression of one or two elements; `undefined` if it is not defined for `dtype`.
 */
export function scalarRule(expr: Scalar, dtype: DType): ScalarRule | undefined {
  const out = isTruth(expr) ? 'bool' : dtype;
  // Numbers or bigints, by the dtype.
  const apply = onElements(expr, dtype) as ScalarRule['apply'] | undefined;
  const store = storing(out);
  return apply && { out, apply: (x, y) => store(apply(x, y)) };
}
/** Converts an element by storing it in a typed array of `dtype`. */
function storing(dtype: DType): (value: Element) => Element {
  const store = STORE[dtype];
  return store ?? ((value) => castNumber(Math.fround(Number(value)), dtype));
}

const STORE: { readonly [D in DType]?: (value: Element) => Element } = {
  bool: (value) => (value as number) & 0xff,
  int8: (value) => ((value as number) << 24) >> 24,
  int16: (value) => ((value as number) << 16) >> 16,
  int32: (value) => (value as number) | 0,
  int64: (value) => BigInt.asIntN(64, value as bigint),
  uint8: (value) => (value as number) & 0xff,
  uint16: (value) => (value as number) & 0xffff,
  uint32: (value) => (value as number) >>> 0,
  uint64: (value) => BigInt.asUintN(64, value as bigint),
  float32: (value) => Math.fround(value as number),
  float64: (value) => value,
};
