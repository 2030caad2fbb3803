/** The record of a Baton operator that can be exported, and the interface for its code. */
import type { Attrs, AttrValue, Dim, TensorType } from '@baton/ir';
import type { DType, Tensor } from '@baton/tensor';
import type { AttributeValue } from '../protobuf/messages.ts';
import type { Room } from '../room.ts';
import type { ReadFormula } from './formula.ts';

/** An operator of Baton that ONNX can say. */
export interface OnnxExporter {
  readonly op: string;
  /** The results; `undefined` after {@link CallContext.fail}. */
  readonly write: (context: CallContext) => Written;
}

/** The results of a writer, one for each result of the call. */
export type Written = Operand | ReadonlyArray<Operand> | undefined;

/** A tensor of the graph under way. Its identity is the object. */
export interface Operand {
  readonly _tag: 'Tensor';
  readonly type: TensorType;
  /** The elements, if they are known. */
  readonly constant: Tensor | undefined;
  /** The name to prefer, if the program has one. */
  readonly hint: string | undefined;
}

/** An argument of a call: a tensor, or the fields of a tuple. */
export type Argument = Operand | ReadonlyArray<Operand>;

/** The attributes of a node to be, by name. */
export type NodeAttributeValues = Readonly<Record<string, AttributeValue>>;

/** A call during its export, and the tools for writing it. */
export interface CallContext {
  /** The version of ONNX's operator set to write. */
  readonly opset: number;
  /** The complete attributes of the call. */
  readonly attrs: CallAttributes;
  readonly args: ReadonlyArray<Argument>;
  readonly arg: (index: number) => Argument;
  readonly inputs: ReadonlyArray<Operand>;
  readonly input: (index: number) => Operand;
  readonly fields: (index: number) => ReadonlyArray<Operand>;
  readonly results: ReadonlyArray<TensorType>;

  /**
   * Adds a node with one result, whose type is the call's by default. `undefined` is an absent
   * input.
   */
  readonly node: (
    opType: string,
    inputs: ReadonlyArray<Operand | undefined>,
    attributes?: NodeAttributeValues,
    type?: TensorType,
  ) => Operand;
  /** Adds a node with results of these types. */
  readonly nodeOf: (
    opType: string,
    inputs: ReadonlyArray<Operand | undefined>,
    attributes: NodeAttributeValues,
    types: ReadonlyArray<TensorType>,
  ) => ReadonlyArray<Operand>;
  /**
   * Writes a call of another Baton operator with one result. A number has the element type of the
   * last tensor among the arguments. Small calls of constants are computed.
   */
  readonly call: (name: string, args: ReadonlyArray<Argument | number>, attrs?: Attrs) => Operand;
  /**
   * Calls in the notation of patterns: `formula('?x * sigmoid(?x)', { x })`. A name in capitals is an
   * operator of ONNX, whose node has the type of this call: `Reciprocal(sqrt(?x))`.
   */
  readonly formula: ReadFormula<Operand, Argument>;
  /** Like {@link call}, with all results of a tuple. */
  readonly callOf: (
    name: string,
    args: ReadonlyArray<Argument | number>,
    attrs?: Attrs,
  ) => ReadonlyArray<Operand>;
  /** Writes the call's definition in other operators, which the operator has. */
  readonly definition: () => Operand;
  readonly constant: (value: Tensor) => Operand;
  /**
   * Asks for room for a table of these sizes, before it is made. Without room the writer goes no further,
   * and the failure is reported.
   */
  readonly room: Room;
  /** A list of int64. */
  readonly ints: (values: ReadonlyArray<number>) => Operand;
  readonly scalar: (value: number, dtype: DType) => Operand;

  /** The dimensions of a tensor; empty after a failure. */
  readonly dims: (operand: Operand) => ReadonlyArray<Dim>;
  /** The dimensions of a tensor if all are numbers; else a failure. */
  readonly shape: (operand: Operand) => ReadonlyArray<number> | undefined;
  readonly dtype: (operand: Operand) => DType;

  /** Reports that a size is not known, with a hint how to give it. */
  readonly unknown: (message: string) => undefined;
  /**
   * Whether the operator set has `what`, which came with `version`; otherwise a failure. A later set
   * is taken then, unless the user has chosen one.
   */
  readonly since: (version: number, what: string) => boolean;
  /** Reports that the call cannot be exported. Returns `undefined`, for the caller to return. */
  readonly fail: (message: string, hint?: string) => undefined;
}

/** The attributes of a call, by their kinds in its schema. */
export interface CallAttributes {
  readonly all: Attrs;
  readonly value: (name: string) => AttrValue;
  readonly int: (name: string) => number;
  readonly float: (name: string) => number;
  readonly bool: (name: string) => boolean;
  readonly text: (name: string) => string;
  readonly ints: (name: string) => ReadonlyArray<number>;
  /** A list of pairs: what comes before and after each axis. */
  readonly pairs: (name: string) => ReadonlyArray<readonly [number, number]>;
}
