/** Calls of operators under short names, in which gradients and definitions are written. */
import type { Span } from '@baton/base';
import { type Attrs, constant, type Expr, noAttrs, type OpTable, tuple } from '@baton/ir';
import { type DType, fromNumbers, scalar } from '@baton/tensor';
import { callOp, fieldOf } from '../build.ts';

export interface Calculus {
  readonly op: (name: string, args: ReadonlyArray<Expr>, attrs?: Attrs) => Expr;
  readonly plus: (a: Expr, b: Expr) => Expr;
  readonly minus: (a: Expr, b: Expr) => Expr;
  readonly times: (a: Expr, b: Expr) => Expr;
  readonly over: (a: Expr, b: Expr) => Expr;
  readonly negative: (a: Expr) => Expr;
  readonly sum: (a: Expr, axis: ReadonlyArray<number>, keepdims?: boolean) => Expr;
  readonly mean: (a: Expr, axis: ReadonlyArray<number>, keepdims?: boolean) => Expr;
  /** Sums over broadcast axes, to the shape of `like`. */
  readonly sumLike: (a: Expr, like: Expr) => Expr;
  /** Broadcasts `a` to the shape of `like`. */
  readonly spreadLike: (a: Expr, like: Expr) => Expr;
  readonly reshapeLike: (a: Expr, like: Expr) => Expr;
  readonly reshape: (a: Expr, shape: ReadonlyArray<number>) => Expr;
  readonly transpose: (a: Expr, axes: ReadonlyArray<number>) => Expr;
  /** 1 in the dtype of `a` if `a` and `b` are equal, else 0. */
  readonly isEqual: (a: Expr, b: Expr) => Expr;
  readonly zerosLike: (a: Expr) => Expr;
  /** Inserts axes of size 1 at ascending indices of the result. */
  readonly withAxes: (a: Expr, axes: ReadonlyArray<number>) => Expr;
  readonly crop: (a: Expr, begin: ReadonlyArray<number>, end: ReadonlyArray<number>) => Expr;
  readonly item: (a: Expr, index: number) => Expr;
  readonly items: (...fields: ReadonlyArray<Expr>) => Expr;
  readonly scalar: (value: number, dtype: DType) => Expr;
  readonly integers: (values: ReadonlyArray<number>) => Expr;
}

export function calculus(ops: OpTable, span: Span | undefined): Calculus {
  const op: Calculus['op'] = (name, args, attrs = noAttrs) => callOp(ops, name, args, attrs, span);
  return {
    op,
    plus: (a, b) => op('add', [a, b]),
    minus: (a, b) => op('subtract', [a, b]),
    times: (a, b) => op('multiply', [a, b]),
    over: (a, b) => op('divide', [a, b]),
    negative: (a) => op('negative', [a]),
    sum: (a, axis, keepdims = false) => op('sum', [a], { axis, keepdims }),
    mean: (a, axis, keepdims = false) => op('mean', [a], { axis, keepdims }),
    sumLike: (a, like) => op('collapse_sum_like', [a, like]),
    spreadLike: (a, like) => op('broadcast_to_like', [a, like]),
    reshapeLike: (a, like) => op('reshape_like', [a, like]),
    reshape: (a, newshape) => op('reshape', [a], { newshape }),
    transpose: (a, axes) => op('transpose', [a], { axes }),
    isEqual: (a, b) => op('cast_like', [op('equal', [a, b]), a]),
    zerosLike: (a) => op('zeros_like', [a]),
    withAxes: (a, axes) => axes.reduce((made, axis) => op('expand_dims', [made], { axis }), a),
    crop: (a, begin, end) => op('strided_slice', [a], { begin, end }),
    item: (a, index) => fieldOf(a, index, span),
    items: (...fields) => tuple(fields, span),
    scalar: (value, dtype) => constant(scalar(value, dtype), span),
    integers: (values) => constant(fromNumbers(values, [values.length], 'int64'), span),
  };
}
