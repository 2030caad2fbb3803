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
  call,
  constant,
  type Dim,
  dimOf,
  type Expr,
  isStaticDim,
  type OpRef,
  opRef,
  tuple,
  tupleGetItem,
} from '@baton/ir';
import { isInteger, MAX_RANK, normalizeAxis, scalar, shapeSize, toNumbers } from '@baton/tensor';
import {
  located,
  notConstant,
  rankBeyondLimit,
  readingLeftOut,
  tooManyCalls,
} from '../diagnostics.ts';
import { nodeAttributes } from '../operator-api/attributes.ts';
import { formulaReader } from '../operator-api/formula.ts';
import type { Argument, NodeContext } from '../operator-api/importer.ts';
import type { NodeProto } from '../protobuf/messages.ts';
import { Refusal, type Room, roomOf } from '../room.ts';
import { neededEqual } from './equal-sizes.ts';
import { filledTensor } from './filled.ts';
import { computedConstant, dtypeOf, folded, sizesOf } from './folding.ts';
import { denseOf } from './sparse.ts';
import { type ImportState, noteEqual, warn } from './state.ts';
import type { StatedShapes } from './stated.ts';
import { loop } from './tail-call.ts';
import { tensorOf } from './tensors.ts';
import { withoutNames } from './types.ts';

/** The known parts of a node before its operator converts it. */
export interface NodeParts {
  readonly node: NodeProto;
  readonly span: Span;
  readonly version: number;
  readonly inputs: ReadonlyArray<Expr | undefined>;
  readonly isUsed: (name: string) => boolean;
  readonly stated: StatedShapes;
}

/** The context of a node, and the list of its failures. */
export function nodeContext(
  state: ImportState,
  parts: NodeParts,
): { readonly context: NodeContext; readonly problems: ReadonlyArray<Diagnostic> } {
  const { node, span, inputs } = parts;
  const failures = nodeFailures(state, span);
  const { problems, fail, unknown, orFailed } = failures;
  const room = roomOf(state.room, `\`${node.opType}\``, span);
  const makeCall: NodeContext['call'] = (name, args, attrs = {}) =>
    typedCall(state, name, asExprs(state, args, span), attrs, span, failures);
  const makeScalar: NodeContext['scalar'] = (value, dtype) => constant(scalar(value, dtype), span);
  const formula = formulaReader<Expr, Argument>({
    call: makeCall,
    scalar: makeScalar,
    tuple: (fields) => tuple(asExprs(state, fields, span), span),
    field: (of, index) => tupleGetItem(of, index, span),
  });
  return {
    context: {
      version: parts.version,
      attributes: nodeAttributes(node, parts.version),
      inputCount: inputs.length,
      outputCount: node.outputs.length,
      input: (index) => {
        const expr = inputs[index];
        invariant(expr !== undefined, `required inputs are checked: ${node.opType} ${index}`);
        return expr;
      },
      optional: (index) => inputs[index],
      isUsed: (index) => parts.isUsed(node.outputs[index] ?? ''),
      outputName: (index) => node.outputs[index] ?? '',
      stated: (index) => parts.stated(node.outputs[index] ?? '')?.map(state.dimensions.known),
      call: makeCall,
      formula,
      results: (...given) => {
        const made = formula(...given);
        invariant(made._tag === 'Tuple', 'a formula of results is a tuple');
        return made.fields;
      },
      loop: (parts) => loop(state.types, parts, span),
      field: (of, index) => tupleGetItem(of, index, span),
      tuple: (fields) => tuple(fields, span),
      constant: (value) => constant(value, span),
      computed: (value) => computedConstant(state, value, span),
      scalar: makeScalar,
      ...valueReaders(state.types, failures),
      sameSize: (a, b) => noteEqual(state, a, b, span),
      sizes: (index) => {
        const expr = inputs[index];
        return expr && sizesOf(state, expr)?.values;
      },
      ints: (index) => {
        const expr = inputs[index];
        return expr && intsOf(expr, index, failures, room);
      },
      axis: (axis, rank) => {
        const normal = normalizeAxis(axis, rank);
        if (normal === undefined) {
          fail('ONNX_AXIS', `expected an axis of a tensor of rank ${rank}, found ${axis}`);
        }
        return normal ?? 0;
      },
      room,
      tensor: (proto) => orFailed(tensorOf(proto, span, state.options)),
      dense: (proto) => orFailed(denseOf(proto, state.options, span)),
      filled: (name, shape, value) =>
        orFailed(located(filledTensor(state, name, shape, value), span)),
      hasFailed: () => problems.length > 0,
      reading: (what) => {
        const taken = state.choices.next((_, reason) => readingLeftOut(what, reason, span));
        return taken === 'else_branch' ? 'second' : 'first';
      },
      warn: (code, message) =>
        warn(state, diagnostic(code, message, { span, severity: 'warning' })),
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

/** Lists up to this length are read without a question. */
const LONG_LIST = 1024;

/** The integers of the input at `index`. */
function intsOf(
  expr: Expr,
  index: number,
  { fail, unknown }: NodeFailures,
  room: Room,
): ReadonlyArray<number> | undefined {
  if (expr._tag !== 'Constant') return unknown(`expected a constant as input ${index}`, expr);
  const { data } = expr;
  if (data.shape.length > 1 || !isInteger(data.dtype)) {
    return fail('ONNX_TYPE', `expected a list of integers as input ${index}`);
  }
  // A long list may be one element that is repeated.
  if (shapeSize(data.shape) > LONG_LIST) room(shapeSize(data.shape));
  return Array.from(toNumbers(data));
}

/** The arguments of a call, with its numbers as constants, and its lists as tuples. */
function asExprs(
  { types }: ImportState,
  args: ReadonlyArray<Argument | number>,
  span: Span,
): ReadonlyArray<Expr> {
  const given = args.map((arg) =>
    typeof arg === 'number' || '_tag' in arg ? arg : tuple(arg, span),
  );
  const isExpr = (arg: Expr | number): arg is Expr => typeof arg !== 'number';
  if (given.every(isExpr)) return given;
  const last = given.findLast(isExpr);
  const dtype = dtypeOf(last && types.typeOf(last));
  return given.map((arg) => (typeof arg === 'number' ? constant(scalar(arg, dtype), span) : arg));
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
  failures: NodeFailures,
): Expr {
  const { problems, fail, orFailed } = failures;
  const callee = operatorRef(state, name);
  if (!state.budget.takeHeap(CALL_HEAP_BYTES)) throw new Refusal(tooManyCalls(span));
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
  const fitting = fittingArguments(state, name, args, attrs, span);
  if (fitting !== args) return typedCall(state, name, fitting, given, span, failures);
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
  return orFailed(folded(state, made, name, type)) ?? made;
}

/**
 * The arguments, without the names of their dimensions if the operator's relation does not hold of
 * these: names differ, and the sizes may still agree, or be 1.
 */
function fittingArguments(
  state: ImportState,
  name: string,
  args: ReadonlyArray<Expr>,
  attrs: Attrs,
  span: Span,
): ReadonlyArray<Expr> {
  const { types } = state;
  if (!args.some((arg) => types.typeOf(arg)?.mentions)) return args;
  const holds = (given: ReadonlyArray<Expr>): boolean => {
    let isRefused = false;
    const refuse = (): undefined => {
      isRefused = true;
      return undefined;
    };
    return types.ofCall(name, given, attrs, refuse) !== undefined && !isRefused;
  };
  if (holds(args)) return args;
  for (const [a, b] of neededEqual(types, args, holds)) {
    noteEqual(state, dimOf(a), typeof b === 'number' ? b : dimOf(b), span);
  }
  const unnamed = args.map((arg) =>
    arg._tag === 'Tuple'
      ? tuple(
          arg.fields.map((field) => withoutNames(types, field)),
          arg.span,
        )
      : withoutNames(types, arg),
  );
  return holds(unnamed) ? unnamed : args;
}

function operatorRef(state: ImportState, name: string): OpRef {
  const old = state.opRefs.get(name);
  if (old !== undefined) return old;
  const made = opRef(name);
  state.opRefs.set(name, made);
  return made;
}
