/** Builds a program call by call, and knows what values each place of it can use. */
import type { Attrs, Expr, OpTable, Type, Var } from '@baton/ir';
import type { Interval } from '@baton/ops';
import type { DType } from '@baton/tensor';
import type { DTypeClass } from './dtypes.ts';
import type { NumericKind } from './numeric-kind.ts';
import type { Choices } from './random.ts';
import type { TensorValue, TupleValue, Value } from './value.ts';

/** What an operand must be. */
export interface Want {
  readonly shape?: ReadonlyArray<number>;
  /** The least and the greatest rank. */
  readonly rank?: readonly [min: number, max: number];
  readonly dtype?: DType;
  /** @defaultValue `float` */
  readonly kind?: DTypeClass;
  readonly fits?: (shape: ReadonlyArray<number>) => boolean;
  /** The shape of a new operand, if it takes one. */
  readonly fresh?: () => ReadonlyArray<number>;
}

/** A function that the program can call. */
export interface Callee {
  readonly expr: Expr;
  readonly params: ReadonlyArray<TensorValue>;
  readonly result: TensorValue;
  /** Whether a call does something besides giving a value. */
  readonly isEffectful: boolean;
}

/** Builds one program. What it makes is visible to what is made later in the same scope. */
export interface Builder {
  readonly ops: OpTable;
  readonly random: Choices;
  readonly numerics: NumericKind;
  /** The dtype of most tensors. */
  readonly float: DType;
  /** How many calls of operators there are so far. */
  readonly callCount: () => number;
  /** Counts calls that are made elsewhere. */
  readonly spend: (calls: number) => void;
  /** The values that can be used here, the latest last. */
  readonly visible: () => ReadonlyArray<Value>;
  /** The functions that can be called here. */
  readonly callees: Callee[];
  /** The variables that are no tensors, or whose value changes: references, data, functions. */
  readonly locals: Var[];
  /** An operand: a visible value, or a new parameter or constant. */
  readonly operand: (want?: Want) => TensorValue;
  /** A new parameter of the function that is being built. */
  readonly param: (shape: ReadonlyArray<number>, dtype?: DType) => TensorValue;
  /** A constant with these numbers in order, repeated as often as it takes. */
  readonly constant: (
    numbers: ReadonlyArray<number>,
    shape: ReadonlyArray<number>,
    dtype?: DType,
  ) => TensorValue;
  /** A constant of small numbers. */
  readonly weights: (shape: ReadonlyArray<number>, dtype?: DType) => TensorValue;
  /** The value kept within an interval, by operators if it takes some. */
  readonly within: (value: TensorValue, interval: Interval) => TensorValue;
  /** A call. The relation of the operator must accept it. */
  readonly call: (name: string, args: ReadonlyArray<Value>, attrs?: Attrs) => Value;
  /** A call that gives a tensor. */
  readonly tensor: (name: string, args: ReadonlyArray<Value>, attrs?: Attrs) => TensorValue;
  /** A call that the relation may refuse; then, why. */
  readonly attempt: (name: string, args: ReadonlyArray<Value>, attrs?: Attrs) => Value | string;
  readonly tuple: (fields: ReadonlyArray<TensorValue>) => TupleValue;
  readonly project: (value: TupleValue, index: number) => TensorValue;
  /** One of two values of the same type. */
  readonly choose: (cond: TensorValue, yes: TensorValue, no: TensorValue) => TensorValue;
  /** A call of a function. */
  readonly apply: (callee: Callee, args: ReadonlyArray<TensorValue>) => TensorValue;
  /** Makes a value visible: as a variable, if evaluating it has an effect, which happens once. */
  readonly keep: (value: Value) => void;
  /** Whether evaluating the value does something besides giving it. */
  readonly hasEffect: (value: Value) => boolean;
  /** The value as a variable, bound in the innermost scope. */
  readonly bind: <V extends Value>(value: V) => V;
  /** A new variable for the value of any expression, bound in the innermost scope. */
  readonly bindExpr: (expr: Expr, type: Type, isEffectful?: boolean) => Var;
  /** Whether programs may call the operator. */
  readonly allows: (name: string) => boolean;
  /**
   * The call that gave a value once more, as another node, with other attributes or arguments if so
   * asked; `undefined` for what is no call, or would not be a valid one.
   */
  readonly again: <V extends Value>(
    value: V,
    attrs?: Attrs,
    change?: (args: ReadonlyArray<Value>) => ReadonlyArray<Value>,
  ) => V | undefined;
  /** What `body` gives, made of constants alone. */
  readonly fromConstants: <A>(body: () => A) => A;
  /** Marks what an expression that is not a call uses. */
  readonly use: (...values: ReadonlyArray<Value>) => void;
  /** The visible values that nothing uses yet. */
  readonly unused: () => ReadonlyArray<Value>;
  /** What `body` gives, with the bindings made there around it; what it makes is visible only there. */
  readonly scoped: (body: () => Value) => Value;
  /** As `scoped`, for a function of its own: nothing from outside is visible if it is `closed`. */
  readonly inFunction: (
    closed: boolean,
    body: () => Value,
  ) => { readonly params: ReadonlyArray<TensorValue>; readonly result: Value };
  /** The parameters made so far by the function that is being built. */
  readonly params: () => ReadonlyArray<TensorValue>;
}
