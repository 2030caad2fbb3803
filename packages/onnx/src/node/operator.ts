/** What it takes to import an ONNX operator: one record an operator, and what its code may use. */
import type { Attrs, Dim, Expr, Type } from '@baton/ir';
import type { DType, Tensor } from '@baton/tensor';
import type { TensorProto } from '../protobuf/messages.ts';
import type { AttributeKinds, NodeAttributes } from './attributes.ts';

/** What a node's code gives: its results in order, as many as anybody uses. */
export type Converted = Expr | ReadonlyArray<Expr> | undefined;

/** An operator of ONNX that can be imported. */
export interface OnnxOperator {
  /** ONNX's own where it is left out. */
  readonly domain?: string;
  readonly opType: string;
  /**
   * The versions of the operator set at which its definition changed and that are handled, in
   * ascending order. What came before the first is not; what comes after the last is the last, up
   * to the latest operator set that import knows.
   */
  readonly versions: ReadonlyArray<number>;
  /** The least and the greatest number of inputs. */
  readonly inputs: readonly [number, number];
  readonly attributes?: AttributeKinds;
  /** The operators of Baton without which no node of this one can be imported. */
  readonly needs: ReadonlyArray<string>;
  /** The results; `undefined` after {@link NodeContext.fail}. */
  readonly convert: (context: NodeContext) => Converted;
}

/** A node that is being imported, and the means to say what becomes of it. */
export interface NodeContext {
  /** The version of the operator's definition that holds, one of its `versions`. */
  readonly version: number;
  readonly attributes: NodeAttributes;
  /** The number of inputs, absent ones between others included. */
  readonly inputCount: number;
  /** The input at `index`; required ones are there. */
  readonly input: (index: number) => Expr;
  /** The input at `index`, if the node has it. */
  readonly optional: (index: number) => Expr | undefined;
  /** Whether anybody uses the result at `index`. */
  readonly isUsed: (index: number) => boolean;
  /** The name of the result at `index`. */
  readonly outputName: (index: number) => string;

  /**
   * A call of a Baton operator, with this node as its origin. Its type is found at once; an
   * ill-typed one counts as a failure of the node. Small integer calls of constants are computed.
   */
  readonly call: (name: string, args: ReadonlyArray<Expr>, attrs?: Attrs) => Expr;
  /** A field of a tuple-valued call. */
  readonly field: (tuple: Expr, index: number) => Expr;
  /** A tuple, for the operators that take one. */
  readonly tuple: (fields: ReadonlyArray<Expr>) => Expr;
  readonly constant: (value: Tensor) => Expr;
  /** A constant that tells sizes: floats computed from it are computed at import. */
  readonly computed: (value: Tensor) => Expr;
  /** A constant of rank 0. */
  readonly scalar: (value: number, dtype: DType) => Expr;

  /** The type of an expression, as far as it is known. */
  readonly typeOf: (expr: Expr) => Type | undefined;
  /** The dimensions of a tensor; after a failure there are none. */
  readonly dimsOf: (expr: Expr) => ReadonlyArray<Dim>;
  /** The dimensions of a tensor if all are numbers. */
  readonly shapeOf: (expr: Expr) => ReadonlyArray<number> | undefined;
  readonly dtypeOf: (expr: Expr) => DType;
  /** The value of an expression that is constant. */
  readonly valueOf: (expr: Expr) => Tensor | undefined;
  /**
   * The integers of a constant input of rank 0 or 1; `undefined` for an absent one. What is not
   * constant is a failure.
   */
  readonly ints: (index: number) => ReadonlyArray<number> | undefined;
  /** `axis` counted from the front; one out of range is a failure. */
  readonly axis: (axis: number, rank: number) => number;
  /** The tensor of an attribute. */
  readonly tensor: (proto: TensorProto) => Tensor | undefined;
  /** A tensor of one value everywhere, or the weights that the caller supplies for this name. */
  readonly filled: (
    name: string,
    shape: ReadonlyArray<number>,
    value: Tensor,
  ) => Tensor | undefined;

  /** Whether the node has failed already: what then comes of it does not matter. */
  readonly hasFailed: () => boolean;
  /**
   * Reports that a size or a value of the node is not known at import, with what the caller may
   * give to make it known; `expr` is the value in question, where there is one.
   */
  readonly unknown: (message: string, expr?: Expr) => undefined;
  /** Reports that the node cannot be imported. Returns `undefined`, so that it can be returned. */
  readonly fail: (code: string, message: string, hint?: string) => undefined;
}

/** The operators that can be imported, by {@link operatorKey}. */
export type OperatorIndex = ReadonlyMap<string, OnnxOperator>;

/** What an operator is found by. `ai.onnx` is another name of ONNX's own domain. */
export const operatorKey = (domain: string, opType: string): string =>
  `${domain === 'ai.onnx' ? '' : domain}\n${opType}`;
