/** The tools of an operator's `convert` for one node. */
import {
  type Diagnostic,
  diagnostic,
  invariant,
  isLeft,
  type Result,
  type Span,
} from '@baton/base';
import {
  type Attrs,
  type Call,
  call,
  constant,
  type Dim,
  type Expr,
  isStaticDim,
  type OpRef,
  type OpTable,
  opRef,
  type Type,
  tuple,
  tupleGetItem,
} from '@baton/ir';
import { evaluateOp } from '@baton/ops';
import {
  type DType,
  isDType,
  isFloat,
  isInteger,
  isTensor,
  MAX_RANK,
  normalizeAxis,
  scalar,
  shapeSize,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { located, notConstant, rankBeyondLimit, tooManyCalls } from '../diagnostics.ts';
import { nodeAttributes } from '../node/attributes.ts';
import type { NodeContext } from '../node/operator.ts';
import type { Budget } from '../protobuf/budget.ts';
import type { NodeProto } from '../protobuf/messages.ts';
import { filledTensor } from './filled.ts';
import { loop } from './loop.ts';
import type { ImportOptions, WeightSource } from './options.ts';
import { tensorOf } from './tensors.ts';
import type { ValueTypes } from './types.ts';

/** The state that all nodes of one import share. */
export interface ImportState {
  readonly ops: OpTable;
  readonly options: ImportOptions;
  readonly weights: WeightSource;
  readonly types: ValueTypes;
  /** The one reference to each operator. */
  readonly opRefs: Map<string, OpRef>;
  /** The names of dimensions without a size. */
  readonly openDims: ReadonlyArray<string>;
  /** Constants that the import has computed from sizes: expressions of them are computed, too. */
  readonly computed: Set<Expr>;
  /** The number of elements that may still be computed, arguments and results. */
  foldBudget: number;
  /** The rest of the heap that a file of this size may use. */
  readonly budget: Budget;
}

/** The known parts of a node before its operator converts it. */
export interface NodeParts {
  readonly node: NodeProto;
  readonly span: Span;
  readonly version: number;
  readonly inputs: ReadonlyArray<Expr | undefined>;
  readonly isUsed: (name: string) => boolean;
}

/** The import computes calls of integer constants up to this size. */
const MAX_FOLDED_ELEMENTS = 4096;

/** The number of elements that one import computes, so that a long file takes no longer. */
export const FOLD_BUDGET_ELEMENTS: number = 2 ** 26;

/** The context of a node, and the list of its failures. */
export function nodeContext(
  state: ImportState,
  parts: NodeParts,
): { readonly context: NodeContext; readonly problems: ReadonlyArray<Diagnostic> } {
  const { node, span, inputs } = parts;
  const failures = nodeFailures(state, span);
  const { problems, fail, unknown, orFailed } = failures;
  return {
    context: {
      version: parts.version,
      attributes: nodeAttributes(node),
      inputCount: inputs.length,
      input: (index) => {
        const expr = inputs[index];
        invariant(expr !== undefined, `required inputs are checked: ${node.opType} ${index}`);
        return expr;
      },
      optional: (index) => inputs[index],
      isUsed: (index) => parts.isUsed(node.outputs[index] ?? ''),
      outputName: (index) => node.outputs[index] ?? '',
      call: (name, args, attrs = {}) =>
        typedCall(state, name, withNumbers(state, args, span), attrs, span, failures),
      loop: (parts) => loop(state.types, parts, span),
      field: (of, index) => tupleGetItem(of, index, span),
      tuple: (fields) => tuple(fields, span),
      constant: (value) => constant(value, span),
      computed: (value) => computedConstant(state, value, span),
      scalar: (value, dtype) => constant(scalar(value, dtype), span),
      ...valueReaders(state.types, failures),
      ints: (index) => {
        const expr = inputs[index];
        return expr && intsOf(expr, index, failures);
      },
      axis: (axis, rank) => {
        const normal = normalizeAxis(axis, rank);
        if (normal === undefined) {
          fail('ONNX_AXIS', `expected an axis of a tensor of rank ${rank}, found ${axis}`);
        }
        return normal ?? 0;
      },
      tensor: (proto) => orFailed(tensorOf(proto, span, state.options.externalData)),
      filled: (name, shape, value) =>
        orFailed(located(filledTensor(state, name, shape, value), span)),
      hasFailed: () => problems.length > 0,
      unknown,
      fail,
    },
    problems,
  };
}

/** The failures of a node, and the ways to report them. */
interface NodeFailures extends Pick<NodeContext, 'fail' | 'unknown'> {
  readonly problems: Diagnostic[];
  /** The value of a result; a failure is recorded. */
  readonly orFailed: <A>(result: Result<A>) => A | undefined;
}

function nodeFailures(state: ImportState, span: Span): NodeFailures {
  const problems: Diagnostic[] = [];
  return {
    problems,
    fail: (code, message, hint) => {
      problems.push(diagnostic(code, message, { span, hint }));
      return undefined;
    },
    unknown: (message, expr) => {
      const input = expr?._tag === 'Var' ? expr.nameHint : undefined;
      problems.push(notConstant(message, input, state.openDims, span));
      return undefined;
    },
    orFailed: (result) => {
      if (isLeft(result)) problems.push(...result.left);
      return isLeft(result) ? undefined : result.right;
    },
  };
}

/** The known facts about values, for a node's code. */
function valueReaders(
  { typeOf }: ImportState['types'],
  { problems, fail }: NodeFailures,
): Pick<NodeContext, 'typeOf' | 'dimsOf' | 'shapeOf' | 'dtypeOf' | 'valueOf'> {
  const dimsOf = (expr: Expr): ReadonlyArray<Dim> => {
    const type = typeOf(expr);
    if (type?._tag === 'TensorType' && !('_tag' in type.shape)) return type.shape;
    if (problems.length === 0) fail('ONNX_TYPE', 'expected a tensor of known rank');
    return [];
  };
  return {
    typeOf,
    dimsOf,
    shapeOf: (expr) => {
      const dims = dimsOf(expr);
      const shape = dims.filter(isStaticDim);
      return shape.length === dims.length ? shape : undefined;
    },
    dtypeOf: (expr) => dtypeOf(typeOf(expr)),
    valueOf: (expr) => (expr._tag === 'Constant' ? expr.data : undefined),
  };
}

/** The integers of the input at `index`. */
function intsOf(
  expr: Expr,
  index: number,
  { fail, unknown }: NodeFailures,
): ReadonlyArray<number> | undefined {
  if (expr._tag !== 'Constant') return unknown(`expected a constant as input ${index}`, expr);
  const { data } = expr;
  return data.shape.length > 1 || !isInteger(data.dtype)
    ? fail('ONNX_TYPE', `expected a list of integers as input ${index}`)
    : Array.from(toNumbers(data));
}

/** The arguments of a call, with its numbers as constants. */
function withNumbers(
  { types }: ImportState,
  args: ReadonlyArray<Expr | number>,
  span: Span,
): ReadonlyArray<Expr> {
  const isExpr = (arg: Expr | number): arg is Expr => typeof arg !== 'number';
  if (args.every(isExpr)) return args;
  const last = args.findLast(isExpr);
  const dtype = dtypeOf(last && types.typeOf(last));
  return args.map((arg) => (typeof arg === 'number' ? constant(scalar(arg, dtype), span) : arg));
}

/** Heap of a call with its arguments, type and origin: one input of three bytes may become one. */
const CALL_HEAP_BYTES = 400;

/** The call with its type, or its value if that is cheap. */
function typedCall(
  state: ImportState,
  name: string,
  args: ReadonlyArray<Expr>,
  given: Attrs,
  span: Span,
  { problems, fail, orFailed }: NodeFailures,
): Expr {
  const callee = operatorRef(state, name);
  if (!state.budget.takeHeap(CALL_HEAP_BYTES)) {
    problems.push(tooManyCalls(span));
    return call(callee, args, { span });
  }
  const info = state.ops.get(name);
  if (info === undefined) {
    fail('ONNX_UNSUPPORTED', `the operator table lacks ${name}, which this node needs`);
    return call(callee, args, { span });
  }
  invariant(args.length === info.inputs.length, `a call of ${name} has all its arguments`);
  const attrs = orFailed(located(info.attrs.decode(given), span));
  if (attrs === undefined) return call(callee, args, { span });
  const made = call(callee, args, { attrs, span });
  // After a first failure, later type errors are not reported.
  if (problems.length > 0) return made;
  const type = state.types.ofCall(name, args, attrs, fail);
  if (type === undefined) {
    if (problems.length === 0) fail('ONNX_TYPE', `the types of the inputs of ${name} are unknown`);
    return made;
  }
  if (type._tag === 'TensorType' && !('_tag' in type.shape) && type.shape.length > MAX_RANK) {
    problems.push(rankBeyondLimit(type.shape.length, span));
    return made;
  }
  state.types.set(made, type);
  return folded(state, made, name, type, orFailed) ?? made;
}

/**
 * Integers and bools are mostly shapes, which other nodes need to be constants. Floats are computed
 * if they come from shapes: sizes are scaled and rounded on their way.
 */
function folded(
  state: ImportState,
  made: Call,
  name: string,
  type: Type,
  orFailed: NodeFailures['orFailed'],
): Expr | undefined {
  const values = made.args.flatMap(constantsOf);
  if (values.length === 0 || !values.every((value) => value !== undefined)) return undefined;
  if (type._tag !== 'TensorType' || '_tag' in type.shape) return undefined;
  if (isFloat(dtypeOf(type)) && !made.args.some((arg) => isComputed(state, arg))) return undefined;
  const shape = type.shape.filter(isStaticDim);
  if (shape.length < type.shape.length) return undefined;
  const sizes = [shapeSize(shape), ...values.map((value) => shapeSize(value.shape))];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (Math.max(...sizes) > MAX_FOLDED_ELEMENTS || total > state.foldBudget) return undefined;
  state.foldBudget -= total;
  const args = made.args.map((arg) =>
    arg._tag === 'Tuple' ? constantsOf(arg).filter(isTensor) : (constantsOf(arg)[0] as Tensor),
  );
  const result = orFailed(evaluateOp(state.ops, name, made.attrs ?? {}, args, made.span));
  return isTensor(result) ? computedConstant(state, result, made.span) : undefined;
}

/** A constant that import has computed. */
function computedConstant(state: ImportState, value: Tensor, span: Span | undefined): Expr {
  const made = constant(value, span);
  state.computed.add(made);
  return made;
}

const isComputed = (state: ImportState, arg: Expr): boolean =>
  arg._tag === 'Tuple'
    ? arg.fields.some((field) => state.computed.has(field))
    : state.computed.has(arg);

const constantsOf = (arg: Expr): ReadonlyArray<Tensor | undefined> =>
  arg._tag === 'Tuple'
    ? arg.fields.map((field) => (field._tag === 'Constant' ? field.data : undefined))
    : [arg._tag === 'Constant' ? arg.data : undefined];

function operatorRef(state: ImportState, name: string): OpRef {
  const old = state.opRefs.get(name);
  if (old !== undefined) return old;
  const made = opRef(name);
  state.opRefs.set(name, made);
  return made;
}

/** The element type of a tensor; float32 if a failure has left none. */
function dtypeOf(type: Type | undefined): DType {
  const dtype = type?._tag === 'TensorType' ? type.dtype : undefined;
  return typeof dtype === 'string' && isDType(dtype) ? dtype : 'float32';
}
