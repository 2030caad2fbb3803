/** Scales and zero points, for rules on quantized integers. */
import { type Expr, structuralEqual } from '@baton/ir';
import { fromNumbers, scalar, type Tensor, toNumbers } from '@baton/tensor';
import { quantizedRange } from '../kernels/quantized.ts';
import type { Affine, IntegerArgument, IntegerSite, Integers } from './column.ts';

export const integers = (value: Expr, affine: Affine): Integers => ({
  _tag: 'Integers',
  value,
  affine,
});

export const asIntegers = (arg: IntegerArgument | undefined): Integers | undefined =>
  arg?._tag === 'Integers' ? arg : undefined;

type AnySite = Pick<IntegerSite<unknown>, 'op' | 'constant'>;

/** Whether scale and zero point are scalars. */
export const isUniform = ({ axis }: Affine): boolean => axis === -1;

export const elementsOf = (expr: Expr): ReadonlyArray<number> | undefined =>
  expr._tag === 'Constant' ? Array.from(toNumbers(expr.data), Number) : undefined;

/** The value of a constant of rank 0; `undefined` for anything else. */
export function numberIn(expr: Expr): number | undefined {
  const elements = elementsOf(expr);
  return expr._tag === 'Constant' && expr.data.shape.length === 0 ? elements?.[0] : undefined;
}

/** Scales with at most this relative difference count as equal: products of scales are rounded. */
const NEAR = 1e-6;

const isSame = (a: Expr, b: Expr, tolerance: number): boolean => {
  if (a === b) return true;
  const [left, right] = [elementsOf(a), elementsOf(b)];
  if (left === undefined || right === undefined) return structuralEqual(a, b);
  const near = (x: number, i: number): boolean =>
    Math.abs(x - (right[i] ?? Number.NaN)) <= tolerance * Math.abs(x);
  return left.length === right.length && left.every(near);
};

export const sameScales = (a: Affine, b: Affine): boolean => isSame(a.scale, b.scale, NEAR);

/** Whether integers of two dtypes represent the same numbers. */
export const sameAffine = (a: Affine, b: Affine): boolean =>
  a.dtype === b.dtype && sameScales(a, b) && isSame(a.zero, b.zero, 0);

export const noZero = ({ constant }: AnySite): Expr => constant(scalar(0, 'int32'));

export function timesScale({ op, constant }: AnySite, a: Expr, b: Expr): Expr {
  const [left, right] = [elementsOf(a), elementsOf(b)];
  if (a._tag !== 'Constant' || b._tag !== 'Constant' || !left || !right) {
    return op('multiply', [a, b]);
  }
  const [shape, size] = [[...a.data.shape, ...b.data.shape], Math.max(left.length, right.length)];
  const at = (of: ReadonlyArray<number>, i: number): number => of[of.length === 1 ? 0 : i] ?? 0;
  const products = Array.from({ length: size }, (_, i) => at(left, i) * at(right, i));
  return constant(fromNumbers(products, shape.slice(0, 1), a.data.dtype));
}

/** The scale divided into `steps` smaller ones. */
export const finer = (site: AnySite, scale: Expr, steps: number): Expr =>
  timesScale(site, scale, site.constant(scalar(1 / steps, realOf(scale))));

const realOf = (scale: Expr): 'float32' | 'float64' =>
  scale._tag === 'Constant' && scale.data.dtype === 'float64' ? 'float64' : 'float32';

export const widened = ({ op }: AnySite, x: Integers): Integers =>
  x.affine.dtype === 'int32'
    ? x
    : integers(op('cast', [x.value], { dtype: 'int32' }), { ...x.affine, dtype: 'int32' });

/** Integers in int32 minus their zero point, which is a scalar. */
export function centred(site: AnySite, x: Integers): Expr {
  const { value, affine } = widened(site, x);
  return numberIn(affine.zero) === 0 ? value : site.op('subtract', [value, affine.zero]);
}

/** Converts integers to another scale and zero point, which are scalars. */
export function broughtTo(site: AnySite, x: Integers, to: Affine): Integers | undefined {
  if (sameAffine(x.affine, to)) return x;
  if (!isUniform(to)) return undefined;
  const { scale, zero, axis } = x.affine;
  const value = site.op('qnn.requantize', [x.value, scale, zero, to.scale, to.zero], {
    axis,
    out_dtype: to.dtype,
  });
  return integers(value, to);
}

/** Whether a constant is in the range of a quantization whose scale is known, up to half a step. */
export function fits(data: Tensor, { scale, zero, dtype }: Affine): boolean {
  const [step, point] = [numberIn(scale), numberIn(zero)];
  if (step === undefined || point === undefined) return false;
  const [least, most] = quantizedRange(dtype);
  return Array.from(toNumbers(data), Number).every(
    (x) => x / step + point >= least - 0.5 && x / step + point <= most + 0.5,
  );
}
