/** What a generator knows of the values that a program can use. */
import type { Expr, TensorType, TupleType } from '@baton/ir';
import type { Facts } from '@baton/ops';
import type { DType, Tensor } from '@baton/tensor';

/** A tensor that the program can use. */
export interface TensorValue {
  readonly _tag: 'Tensor';
  readonly expr: Expr;
  readonly type: TensorType;
  readonly shape: ReadonlyArray<number>;
  readonly dtype: DType;
  readonly facts: Facts;
}

/** A tuple of tensors that the program can use. */
export interface TupleValue {
  readonly _tag: 'Tuple';
  readonly expr: Expr;
  readonly type: TupleType;
  readonly fields: ReadonlyArray<TensorPart>;
}

/** A tensor inside a tuple, which takes a projection to use. */
export interface TensorPart {
  readonly type: TensorType;
  readonly facts: Facts;
}

/** A value that a program can use. */
export type Value = TensorValue | TupleValue;

/** The constant that a value is, if it is one. */
export const constantOf = (value: Value): Tensor | undefined =>
  value.expr._tag === 'Constant' ? value.expr.data : undefined;

/** A tensor whose type says everything. */
export function tensorValue(expr: Expr, type: TensorType, facts: Facts): TensorValue {
  const shape = '_tag' in type.shape ? [] : type.shape.filter((dim) => typeof dim === 'number');
  // Dimensions that only the values decide stay out of sight: nothing is built on them.
  return { _tag: 'Tensor', expr, type, shape, dtype: type.dtype as DType, facts };
}
