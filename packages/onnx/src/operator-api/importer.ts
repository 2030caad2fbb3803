/** The record of an importable ONNX operator, and the interface for its code. */
import type { Attrs, Dim, Expr, Type } from '@baton/ir';
import type { DType, Tensor } from '@baton/tensor';
import type { AttributeProto, SparseTensorProto, TensorProto } from '../protobuf/messages.ts';
import type { Room } from '../room.ts';
import type { NodeAttributes } from './attributes.ts';
import type { ReadFormula } from './formula.ts';

/** The results of a node's code, in order: at least those that are used. */
export type Converted = Expr | ReadonlyArray<Expr> | undefined;

/** An operator of ONNX that can be imported. */
export interface OnnxImporter {
  /** The domain; ONNX's own by default. */
  readonly domain?: string;
  readonly opType: string;
  /** Whether only onnxruntime has it, although its domain is ONNX's. */
  readonly isRuntimeOnly?: boolean;
  /** Whether each node draws random numbers of its own. */
  readonly isRandom?: boolean;
  /** The first version of its definition that is supported, if not all are. */
  readonly since?: number;
  /** Attributes that are not supported. */
  readonly lacks?: ReadonlyArray<string>;
  /**
   * States that a node stays whole: it becomes a call of a kernel whose body is the result of
   * `convert`, and the export writes that call as the node. The number is the first operator set
   * whose nodes mean what they mean in the latest.
   */
  readonly kernelSince?: number;
  /** Whether a node stays whole; `context` is only read. By default all nodes do. */
  readonly kernelWhen?: (context: NodeContext) => boolean;
  /** The inputs whose constants `convert` reads also in a node that stays whole. */
  readonly kernelReads?: ReadonlyArray<number>;
  /**
   * Nodes that the export recognises by the calls that `convert` makes of them, and writes whole
   * again. An operator without attributes that count has one without any.
   */
  readonly formulas?: ReadonlyArray<StandIns>;
  /** Other formulas of the input `x`, without attributes, which the export writes as this operator. */
  readonly spellings?: ReadonlyArray<string>;
  /** The node of the latest operator set that says the same, if this one is imported as that. */
  readonly laterNode?: (context: NodeContext) => LaterNode | undefined;
  /** The results; `undefined` after {@link NodeContext.fail}. */
  readonly convert: (context: NodeContext) => Converted;
}

/** A node of the latest operator set in place of an early one with the same results. */
export interface LaterNode {
  readonly opType: string;
  readonly attributes: ReadonlyArray<AttributeProto>;
  readonly inputs: ReadonlyArray<Expr | undefined>;
}

/** Attributes by name: `any` stands for any float, and other texts and numbers for themselves. */
export type StandIns = Readonly<Record<string, number | string>>;

/** A loop: a function that calls itself in last position. */
export interface LoopParts<Fixed extends Values, State extends ReadonlyArray<Expr>> {
  /** What all rounds use: each is computed once. */
  readonly fixed: Fixed;
  readonly start: State;
  /** Whether another round follows this state. */
  readonly goesOn: (fixed: Fixed, state: State) => Expr;
  /** The state after a round, with the types of the state before. */
  readonly next: (fixed: Fixed, state: State) => ReadonlyArray<Expr>;
}

/** Values, some of which may be absent. */
export type Values = ReadonlyArray<Expr | undefined>;

/** An argument of a call: a value, or the fields of a tuple. */
export type Argument = Expr | ReadonlyArray<Expr>;

/** A node during its import, and the tools for converting it. */
export interface NodeContext {
  /** The applicable version of the operator's definition. */
  readonly version: number;
  readonly attributes: NodeAttributes;
  /** The number of inputs, absent ones between others included. */
  readonly inputCount: number;
  readonly input: (index: number) => Expr;
  readonly optional: (index: number) => Expr | undefined;
  /** The number of results that the node states, those without a name included. */
  readonly outputCount: number;
  /** Whether the result at `index` is used. */
  readonly isUsed: (index: number) => boolean;
  readonly outputName: (index: number) => string;
  /**
   * The dimensions of the result at `index` as the file states them, or as the nodes that use it
   * need them, `?` for those that nothing tells; `undefined` if not even their number is known.
   */
  readonly stated: (index: number) => ReadonlyArray<Dim> | undefined;

  /**
   * A call of a Baton operator, with this node as its origin. A number has the element type of the
   * last tensor among the arguments. The type of the call is computed at once; a type error is a
   * failure of the node, and so is an operator that the table lacks. Small integer calls of
   * constants are computed.
   */
  readonly call: (name: string, args: ReadonlyArray<Argument | number>, attrs?: Attrs) => Expr;
  /** Calls in the notation of patterns: `formula('?x * sigmoid(?x)', { x })`. */
  readonly formula: ReadFormula<Expr, Argument>;
  /** The fields of a formula that is a tuple: `results('%0 = abs(?x); (%0, sqrt(%0))', { x })`. */
  readonly results: ReadFormula<ReadonlyArray<Expr>, Argument>;
  /** The state in which a loop ends, field by field. */
  readonly loop: <const Fixed extends Values, const State extends ReadonlyArray<Expr>>(
    parts: LoopParts<Fixed, State>,
  ) => State;
  readonly field: (tuple: Expr, index: number) => Expr;
  readonly tuple: (fields: ReadonlyArray<Expr>) => Expr;
  readonly constant: (value: Tensor) => Expr;
  /** A constant that depends on sizes: the import also computes floats made from it. */
  readonly computed: (value: Tensor) => Expr;
  readonly scalar: (value: number, dtype: DType) => Expr;

  /** The type of an expression, as far as it is known. */
  readonly typeOf: (expr: Expr) => Type | undefined;
  /** The dimensions of a tensor; empty after a failure. */
  readonly dimsOf: (expr: Expr) => ReadonlyArray<Dim>;
  /** The dimensions of a tensor if all are numbers. */
  readonly shapeOf: (expr: Expr) => ReadonlyArray<number> | undefined;
  readonly dtypeOf: (expr: Expr) => DType;
  /** States that the operator needs two dimensions to be the same: names of theirs become one. */
  readonly sameSize: (a: Dim, b: Dim) => void;
  /** The value of an expression that is constant. */
  readonly valueOf: (expr: Expr) => Tensor | undefined;
  /**
   * The integers of a constant input of rank 0 or 1; `undefined` for an absent one. Another input
   * is a failure.
   */
  readonly ints: (index: number) => ReadonlyArray<number> | undefined;
  /**
   * The sizes in an input of rank 0 or 1, `?` for those that the run computes; `undefined` for an
   * absent input, and for one of which nothing is known.
   */
  readonly sizes: (index: number) => ReadonlyArray<Dim> | undefined;
  /** `axis` counted from the front; an axis out of range is a failure. */
  readonly axis: (axis: number, rank: number) => number;
  /**
   * Asks for room for a table of these sizes, before it is made. Without room the code of the node goes no
   * further, and the failure is reported.
   */
  readonly room: Room;
  readonly tensor: (proto: TensorProto) => Tensor | undefined;
  /** The sparse tensor of an attribute as a dense one. */
  readonly dense: (proto: SparseTensorProto) => Tensor | undefined;
  /** A tensor filled with one value, or the weights that the caller supplies for this name. */
  readonly filled: (
    name: string,
    shape: ReadonlyArray<number>,
    value: Tensor,
  ) => Tensor | undefined;

  /** Whether the node has failed already: its results then do not matter. */
  readonly hasFailed: () => boolean;
  /**
   * Reports that a size or a value of the node is not known at import, with a hint how to give it;
   * `expr` is the value in question, if there is one.
   */
  readonly unknown: (message: string, expr?: Expr) => undefined;
  /**
   * Which of two readings of the node is imported: the first, which `what` says, unless no run gets past
   * a later node with it.
   */
  readonly reading: (what: string) => 'first' | 'second';
  /** Tells the caller of something that the import takes for granted. */
  readonly warn: (code: string, message: string) => void;
  /** Reports that the node cannot be imported. Returns `undefined`, for the caller to return. */
  readonly fail: (code: string, message: string, hint?: string) => undefined;
}

/** The operators that can be imported, by {@link operatorKey}. */
export type ImporterIndex = ReadonlyMap<string, OnnxImporter>;

/** The key of an operator. `ai.onnx` is another name of ONNX's own domain. */
export const operatorKey = (domain: string, opType: string): string =>
  `${domain === 'ai.onnx' ? '' : domain}\n${opType}`;

/** The names of operator sets. */

/** The operators of ONNX Runtime, which its optimizer and its quantizer write. */
export const MICROSOFT = 'com.microsoft';

/** The attribute with the places of a kernel's parameters among the inputs of its node. */
export const KERNEL_INPUTS = 'Inputs';

/** The name of the domain of ONNX itself. */
const OWN = 'onnx';

/** The attribute `Composite` of a kernel: `onnx.LSTM`. */
export const kernelName = (domain: string, opType: string): string =>
  `${domain === '' || domain === 'ai.onnx' ? OWN : domain}.${opType}`;

/** The domain and the name of the operator that a kernel's name states. */
export function operatorOfKernel(name: string): {
  readonly domain: string;
  readonly opType: string;
} {
  const dot = name.lastIndexOf('.');
  const domain = name.slice(0, Math.max(dot, 0));
  return { domain: domain === OWN ? '' : domain, opType: name.slice(dot + 1) };
}
