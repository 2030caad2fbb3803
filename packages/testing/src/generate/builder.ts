/** Builds a program call by call, and tracks the values that are visible in each scope. */
import type { Attrs, Expr, OpTable, Type, Var } from '@baton/ir';
import type { Interval } from '@baton/ops';
import type { DType } from '@baton/tensor';
import type { DTypeClass } from './dtypes.ts';
import type { NumericKind } from './numeric-kind.ts';
import type { Choices } from './random.ts';
import type { TensorValue, TupleValue, Value } from './value.ts';

export interface Want {
  readonly shape?: ReadonlyArray<number>;
  /** The lowest and the highest rank. */
  readonly rank?: readonly [min: number, max: number];
  readonly dtype?: DType;
  /** @defaultValue `float` */
  readonly kind?: DTypeClass;
  readonly fits?: (shape: ReadonlyArray<number>) => boolean;
  /** The shape of a new operand, if one is made. */
  readonly fresh?: () => ReadonlyArray<number>;
}

/** A function that the program can call. */
export interface Callee {
  readonly expr: Expr;
  readonly params: ReadonlyArray<TensorValue>;
  readonly result: TensorValue;
  readonly isEffectful: boolean;
}

/** Builds one program. New values are visible to later code in the same scope. */
export interface Builder {
  readonly ops: OpTable;
  readonly random: Choices;
  readonly numerics: NumericKind;
  /** The dtype of most tensors. */
  readonly float: DType;
  /** The share of the shapes that have an axis of size 0. */
  readonly emptyAxes: number | undefined;
  readonly callCount: () => number;
  readonly spend: (calls: number) => void;
  readonly visible: () => ReadonlyArray<Value>;
  readonly callees: () => Callee[];
  /** The variables whose values are not tensors, or change: references, data, functions. */
  readonly locals: () => Var[];
  readonly operand: (want?: Want) => TensorValue;
  readonly param: (shape: ReadonlyArray<number>, dtype?: DType) => TensorValue;
  /** A constant with these numbers in order, repeated as often as necessary. */
  readonly constant: (
    numbers: ReadonlyArray<number | bigint>,
    shape: ReadonlyArray<number>,
    dtype?: DType,
  ) => TensorValue;
  readonly weights: (shape: ReadonlyArray<number>, dtype?: DType) => TensorValue;
  readonly within: (value: TensorValue, interval: Interval) => TensorValue;
  /** A call. The relation of the operator must accept it. */
  readonly call: (name: string, args: ReadonlyArray<Value>, attrs?: Attrs) => Value;
  readonly tensor: (name: string, args: ReadonlyArray<Value>, attrs?: Attrs) => TensorValue;
  /** A call that the relation may refuse, with the reason. */
  readonly attempt: (name: string, args: ReadonlyArray<Value>, attrs?: Attrs) => Value | string;
  readonly tuple: (fields: ReadonlyArray<TensorValue>) => TupleValue;
  readonly project: (value: TupleValue, index: number) => TensorValue;
  /** One of two values of the same type. */
  readonly choose: (cond: TensorValue, yes: TensorValue, no: TensorValue) => TensorValue;
  readonly apply: (callee: Callee, args: ReadonlyArray<TensorValue>) => TensorValue;
  /** Makes a value visible, as a variable if it has an effect, so that the effect happens once. */
  readonly keep: (value: Value) => void;
  readonly hasEffect: (value: Value) => boolean;
  /** The value as a variable, bound in the innermost scope. */
  readonly bind: <V extends Value>(value: V) => V;
  /** A new variable for the value of any expression, bound in the innermost scope. */
  readonly bindExpr: (expr: Expr, type: Type, isEffectful?: boolean) => Var;
  readonly allows: (name: string) => boolean;
  /**
   * The call of a value once more, as another node, with other attributes or arguments if given;
   * `undefined` if the value is not a call, or the new call would not be valid.
   */
  readonly again: <V extends Value>(
    value: V,
    attrs?: Attrs,
    change?: (args: ReadonlyArray<Value>) => ReadonlyArray<Value>,
  ) => V | undefined;
  /** The result of `body`, made only from constants. */
  readonly fromConstants: <A>(body: () => A) => A;
  /** Marks the values that an expression other than a call uses. */
  readonly use: (...values: ReadonlyArray<Value>) => void;
  readonly unused: () => ReadonlyArray<Value>;
  /** The result of `body`, with its bindings around it; its values are visible only there. */
  readonly scoped: (body: () => Value) => Value;
  /** Like `scoped`, for a function: if it is `closed`, nothing from outside is visible. */
  readonly inFunction: (
    closed: boolean,
    body: () => Value,
  ) => { readonly params: ReadonlyArray<TensorValue>; readonly result: Value };
  readonly params: () => ReadonlyArray<TensorValue>;
}
