/** The values that programs compute. */
import { invariant } from '@baton/base';
import type { Constructor, Func } from '@baton/ir';
import type { Tensor } from '@baton/tensor';

export interface TupleValue {
  readonly _tag: 'Tuple';
  readonly fields: ReadonlyArray<Value>;
}

/** A value of an algebraic data type: a constructor applied to values. */
export interface AdtValue {
  readonly _tag: 'Adt';
  readonly ctor: Constructor;
  readonly fields: ReadonlyArray<Value>;
}

/** A reference: a cell, whose identity is the object. Programs write to it. */
export interface RefValue {
  readonly _tag: 'Ref';
  value: Value;
}

/** A function with its captured values. */
export interface Closure {
  readonly _tag: 'Closure';
  /** `undefined` for an operator or a constructor as a function. */
  readonly func: Func | undefined;
  readonly code: Code;
  /** The values of free variables, in the code's own order. */
  readonly captured: ReadonlyArray<Value>;
  /** The home of shared nodes that were not computed when the closure was made. */
  readonly environment: Environment | undefined;
}

export type Value = Tensor | TupleValue | AdtValue | RefValue | Closure;

/** An executor's form of a function, opaque to all others. */
export interface Code {
  readonly _tag: 'Code';
  readonly executor: string;
}

/** The activations around a closure: opaque, for the executor that made it. */
export interface Environment {
  readonly _tag: 'Environment';
}

export function ofKind<T extends Value['_tag']>(
  value: Value | undefined,
  kind: T,
): Extract<Value, { readonly _tag: T }> {
  invariant(value?._tag === kind, kind);
  return value as Extract<Value, { readonly _tag: T }>;
}

export const tupleValue = (fields: ReadonlyArray<Value>): TupleValue => ({ _tag: 'Tuple', fields });

export const adtValue = (ctor: Constructor, fields: ReadonlyArray<Value>): AdtValue => ({
  _tag: 'Adt',
  ctor,
  fields,
});

export const refValue = (value: Value): RefValue => ({ _tag: 'Ref', value });

export const emptyTuple: TupleValue = tupleValue([]);

const none: ReadonlyArray<Value> = [];

/** The values directly inside a value. A function's captured values are its own. */
export function partsOf(value: Value): ReadonlyArray<Value> {
  switch (value._tag) {
    case 'Tuple':
    case 'Adt':
      return value.fields;
    case 'Ref':
      return [value.value];
    case 'Tensor':
    case 'Closure':
      return none;
  }
}

/** Whether a value is of a kind that consists of values. */
export const hasParts = (value: Value): boolean =>
  value._tag !== 'Tensor' && value._tag !== 'Closure';
