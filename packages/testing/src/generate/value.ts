/** The known facts about the values of a program. */
import type { Expr, TensorType, TupleType } from '@baton/ir';
import type { Facts } from '@baton/ops';
import type { DType, Tensor } from '@baton/tensor';

export interface TensorValue {
  readonly _tag: 'Tensor';
  readonly expr: Expr;
  readonly type: TensorType;
  readonly shape: ReadonlyArray<number>;
  readonly dtype: DType;
  readonly facts: Facts;
}

export interface TupleValue {
  readonly _tag: 'Tuple';
  readonly expr: Expr;
  readonly type: TupleType;
  readonly fields: ReadonlyArray<TensorPart>;
}

/** A tensor inside a tuple, used by a projection. */
export interface TensorPart {
  readonly type: TensorType;
  readonly facts: Facts;
}

export type Value = TensorValue | TupleValue;

export const constantOf = (value: Value): Tensor | undefined =>
  value.expr._tag === 'Constant' ? value.expr.data : undefined;

export function tensorValue(expr: Expr, type: TensorType, facts: Facts): TensorValue {
  const shape = '_tag' in type.shape ? [] : type.shape.filter((dim) => typeof dim === 'number');
  // Nothing is built on dimensions that only values decide.
  return { _tag: 'Tensor', expr, type, shape, dtype: type.dtype as DType, facts };
}
