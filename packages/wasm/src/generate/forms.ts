/** What code of vectors is made of: four elements at once, or two doubles, and the forms of nodes. */
import type { Scalar } from '@baton/ops';
import type { FunctionBuilder, Value } from '../emit/index.ts';

type Vector = Value<'v128'>;

/** Four elements, or two if these are doubles; masks are as wide as what they choose from. */
export interface Lanes {
  readonly kind: 'floats' | 'doubles' | 'ints' | 'masks' | 'bits';
  readonly vector: Vector;
  /** Whether all are one value. */
  readonly isSame?: boolean | undefined;
  /** The operands, if it is a product that a single sum or difference uses. */
  readonly factors?: readonly [Vector, Vector] | undefined;
  /** Whether none of them is −0. */
  readonly isNeverMinusZero?: boolean | undefined;
}

/** The form of a node kind: what it takes and gives, and its code. */
export interface Form {
  readonly takes: Lanes['kind'];
  readonly gives: Lanes['kind'];
  /** The error of one float: none, a rounding, or the error of a polynomial. */
  readonly accuracy: 'exact' | 'rounded' | 'approximate';
  /** Whether it gives one of its operands, but for the sign: it may be rounded before or after. */
  readonly isOfOperand?: boolean;
  readonly code: (
    args: ReadonlyArray<Vector>,
    f: FunctionBuilder,
    exprs: ReadonlyArray<Scalar>,
  ) => Vector;
}
