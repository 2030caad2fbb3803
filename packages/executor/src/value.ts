/** The values that programs compute. */
import type { Func } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import type { Frame } from './frame.ts';

/** A tuple of values. */
export interface TupleValue {
  readonly _tag: 'Tuple';
  readonly fields: ReadonlyArray<Value>;
}

/** A function together with the activation that it was created in. */
export interface Closure {
  readonly _tag: 'Closure';
  readonly func: Func;
  readonly frame: Frame;
}

/** A value. */
export type Value = Tensor | TupleValue | Closure;

/** A tuple of values. */
export const tupleValue = (fields: ReadonlyArray<Value>): TupleValue => ({ _tag: 'Tuple', fields });
