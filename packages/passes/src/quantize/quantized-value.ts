/** Integers that represent multiples of a scale, and the conversions between scales and types. */
import type { Span } from '@baton/base';
import { constant, type Expr, type IRModule, type TempExpr, tempExpr } from '@baton/ir';
import { callOp } from '@baton/ops';
import { type DType, dtypeInfo, scalar } from '@baton/tensor';
import { REAL } from './marks.ts';

/** The type in which integers are computed with. */
export const SUMS: DType = 'int32';

/** Integers, or integral floats, with the real numbers that they represent. */
export interface Quantized {
  readonly data: Expr;
  readonly dtype: DType;
  /** The real number that one represents; a number of float32. */
  readonly scale: number;
  /** No magnitude is larger. */
  readonly most: number;
}

export interface Arithmetic {
  readonly m: IRModule;
  readonly roundForShift: boolean;
  readonly rounding: 'UPWARD' | 'TONEAREST';
}

/** The value as a replacement of an expression; it becomes floats where no rule takes it. */
export function quantizedExpr(at: Arithmetic, value: Quantized, span: Span | undefined): TempExpr {
  let made: Expr | undefined;
  return tempExpr(
    value,
    () => {
      made ??= op(at, 'multiply', [inType(at, value, REAL), number(value.scale)], {}, span);
      return made;
    },
    span,
  );
}

/** The quantized value of an expression; `undefined` for floats. */
export const quantizedOf = (expr: Expr | undefined): Quantized | undefined =>
  // The payload is what `quantizedExpr` put there.
  expr?._tag === 'TempExpr' ? (expr.payload as Quantized) : undefined;

export const holds = (dtype: DType, most: number): boolean =>
  dtype === REAL ? most <= 2 ** 24 : most <= Number(dtypeInfo(dtype).max);

export const inType = (at: Arithmetic, { data, dtype: from }: Quantized, dtype: DType): Expr =>
  from === dtype ? data : op(at, 'cast', [data], { dtype }, data.span);

/** The value in a type; `undefined` if it does not fit. */
export const asType = (at: Arithmetic, value: Quantized, dtype: DType): Quantized | undefined =>
  holds(dtype, value.most) ? { ...value, dtype, data: inType(at, value, dtype) } : undefined;

/** The value in a smaller scale, `data * (scale / to)`; `undefined` if it overflows. */
export function finer(at: Arithmetic, value: Quantized, to: number): Quantized | undefined {
  const ratio = Math.fround(value.scale / to);
  const most = Math.ceil(value.most * ratio);
  if (!holds(SUMS, value.most) || !holds(SUMS, most)) return undefined;
  return { dtype: SUMS, scale: to, most, data: timesRatio(at, inType(at, value, SUMS), ratio) };
}

/** Integers times a ratio of at least 1: by a shift or a product where that is all it takes. */
function timesRatio(at: Arithmetic, data: Expr, ratio: number): Expr {
  if (ratio === 1) return data;
  const shift = Math.log2(ratio);
  if (Number.isInteger(shift)) return op(at, 'left_shift', [data, integer(shift)], {}, data.span);
  if (Number.isInteger(ratio)) return op(at, 'multiply', [data, integer(ratio)], {}, data.span);
  return inFixedPoint(at, data, ratio);
}

function inFixedPoint(at: Arithmetic, data: Expr, ratio: number): Expr {
  const operands = [data, number(ratio), integer(0), number(1), integer(0)];
  const attrs = { rounding: at.rounding, out_dtype: SUMS };
  return op(at, 'qnn.requantize', operands, attrs, data.span);
}

export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** The value as a multiple of another scale, within bounds; `undefined` if it overflows. */
export function requantized(
  at: Arithmetic,
  value: Quantized,
  to: number,
  bounds: Bounds,
): Quantized | undefined {
  const { least, most } = bounds;
  if (value.scale === to) return { ...within(at, value, bounds), scale: to };
  if (!holds(SUMS, value.most)) return undefined;
  const data = inType(at, value, SUMS);
  const shift = Math.log2(Math.fround(to / value.scale));
  if (!Number.isInteger(shift)) {
    const other = inFixedPoint(at, data, Math.fround(value.scale / to));
    const room = Math.ceil((value.most * value.scale) / to);
    return within(at, { data: other, dtype: SUMS, scale: to, most: room }, bounds);
  }
  if (shift > 0) {
    if (shift > MOST_BITS) return undefined;
    const half = at.roundForShift ? 2 ** (shift - 1) : 0;
    if (!holds(SUMS, value.most + half)) return undefined;
    const raised = half === 0 ? data : op(at, 'add', [data, integer(half)], {}, data.span);
    const down = op(at, 'right_shift', [raised, integer(shift)], {}, data.span);
    return within(at, { data: down, dtype: SUMS, scale: to, most: value.most }, bounds);
  }
  // What will be beyond the bounds is brought near them first, so that it does not overflow.
  const factor = 2 ** -shift;
  const near = { least: Math.floor(least / factor), most: Math.ceil(most / factor) };
  if (!holds(SUMS, factor * Math.max(-near.least, near.most))) return undefined;
  const small = within(at, { ...value, data, dtype: SUMS }, near);
  const up = op(at, 'left_shift', [small.data, integer(-shift)], {}, data.span);
  return within(at, { data: up, dtype: SUMS, scale: to, most: factor * small.most }, bounds);
}

const MOST_BITS = 30;

export function within(at: Arithmetic, value: Quantized, { least, most }: Bounds): Quantized {
  const attrs = { a_min: least, a_max: most };
  const data = op(at, 'clip', [value.data], attrs, value.data.span);
  const into = (x: number): number => Math.abs(Math.min(Math.max(x, least), most));
  return { ...value, data, most: Math.max(into(-value.most), into(value.most)) };
}

/** Floats as integral multiples of a scale, within bounds: still floats. */
export function quantizedReal(
  at: Arithmetic,
  data: Expr,
  scale: number,
  bounds: Bounds,
): Quantized {
  const scaled = op(at, 'multiply', [data, number(1 / scale)], {}, data.span);
  const whole = op(at, 'round', [scaled], {}, data.span);
  return within(at, { data: whole, dtype: REAL, scale, most: Number.POSITIVE_INFINITY }, bounds);
}

export const op = (
  { m }: Arithmetic,
  name: string,
  args: ReadonlyArray<Expr>,
  attrs: Parameters<typeof callOp>[3],
  span: Span | undefined,
): Expr => callOp(m.ops, name, args, attrs, span);

const number = (value: number): Expr => constant(scalar(value, REAL));
const integer = (value: number): Expr => constant(scalar(value, SUMS));
