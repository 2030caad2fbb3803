/** Evaluates operator calls: the only code that runs kernels. */
import {
  type Diagnostic,
  didYouMean,
  fail,
  failure,
  isLackOfMemory,
  isLeft,
  type Result,
  right,
  type Span,
} from '@baton/base';
import {
  type Attrs,
  type Call,
  describeType,
  noAttrs,
  type OpInfo,
  type OpTable,
  operandNotes,
  type RelationContext,
  type Type,
} from '@baton/ir';
import { checkedSize, dtypeInfo, isTensor, type Memory, type Tensor } from '@baton/tensor';
import { costColumn, kernelColumn } from './columns.ts';
import { byteCount, costOf } from './cost.ts';
import {
  kernelThrew,
  noKernel,
  noMemory,
  relationFailure,
  tooManyBytes,
  tooMuchScratch,
  unknownOp,
  unsolved,
  wrongArity,
  wrongValue,
} from './diagnostics.ts';
import { type Kernel, memoryWithin, NoRoom, outOf } from './kernel.ts';
import { dimsAgree } from './relation/known.ts';
import { meetDTypes, solvedContext } from './relation/solved.ts';
import { conformsTo, type OpValue, staticTensor, typeOfValue } from './value.ts';

/**
 * The value of a call of a primitive operator, from the values of its arguments.
 *
 * The operator's type relation runs on the values' own types, so it also checks facts that types
 * could not state before (a `?` dimension, a bound that was not constant).
 *
 * **Errors** `OP_UNKNOWN`, `OP_ARITY`, `OP_NO_KERNEL`, `TENSOR_TOO_LARGE`, `OP_VALUE` (a kernel
 * whose result differs from its relation), `OP_KERNEL_THREW`, and the errors of the operator's
 * relation; all at the call's span. A call of anything but an operator is `OP_UNKNOWN`.
 */
export function evaluateCall(
  ops: OpTable,
  call: Call,
  values: ReadonlyArray<OpValue>,
): Result<OpValue> {
  const name = call.op._tag === 'Op' ? call.op.name : call.op._tag;
  return evaluateOp(ops, name, call.attrs ?? noAttrs, values, call.span);
}

/** An evaluator of operator calls on values: {@link evaluateCall} itself, or an executor. */
export interface CallEvaluator {
  readonly evaluateCall: typeof evaluateCall;
}

/**
 * Like {@link evaluateCall}, for an operator by name. `attrs` is a complete record.
 *
 * **Errors** also `OP_MEMORY` for a result of more than `maxBytes`, before anything is allocated.
 */
export function evaluateOp(
  ops: OpTable,
  name: string,
  attrs: Attrs,
  values: ReadonlyArray<OpValue>,
  span?: Span,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Result<OpValue> {
  const prepared = prepareCall(ops, name, attrs, values, span);
  return isLeft(prepared) ? prepared : runCall(prepared.right, values, maxBytes);
}

export interface PreparedCall {
  readonly name: string;
  readonly attrs: Attrs;
  readonly span: Span | undefined;
  readonly kernel: Kernel;
  readonly types: ReadonlyArray<Type>;
  readonly result: Type;
  readonly bytes: number;
  /** The work of the call, in units of `WORK_OF_STEP` operations and bytes moved. */
  readonly steps: number;
  /** Whether the relation read types only, so that it holds for all values of these types. */
  readonly isForAll: boolean;
}

/** Operations and moved bytes per step of a run. */
export const WORK_OF_STEP = 4096;

/** {@link evaluateOp} without the kernel: runs the type relation. */
export function prepareCall(
  ops: OpTable,
  name: string,
  attrs: Attrs,
  values: ReadonlyArray<OpValue>,
  span: Span | undefined,
): Result<PreparedCall> {
  const op = ops.get(name);
  if (op === undefined) return fail(unknownOp(name, didYouMean(name, ops.names), span));
  const constant = (index: number): Tensor | undefined => {
    const value = values[index];
    return value !== undefined && isTensor(value) ? value : undefined;
  };
  return prepareTyped(ops, { op, attrs, types: values.map(typeOfValue), constant, span });
}

export interface KnownCall {
  readonly op: OpInfo;
  readonly attrs: Attrs;
  readonly types: ReadonlyArray<Type>;
  /** `undefined` if the value is unknown. */
  readonly constant: (index: number) => Tensor | undefined;
  readonly span: Span | undefined;
}

/** {@link prepareCall} for arguments that are known by type, some also by value. */
export function prepareTyped(
  ops: OpTable,
  { op, attrs, types, constant, span }: KnownCall,
): Result<PreparedCall> {
  const { name } = op;
  if (types.length !== op.inputs.length) {
    return fail(wrongArity(name, op.inputs.length, types.length, span));
  }
  const kernel = ops.read(kernelColumn, name);
  if (kernel === undefined) return fail(noKernel(name, span));
  const problems: Diagnostic[] = [];
  let isForAll = true;
  const context = valueContext(op, types, problems, span, (index) => {
    isForAll = false;
    return constant(index);
  });
  const result = op.relation(types, attrs, context);
  const failed = failure(problems);
  if (failed !== undefined) return failed;
  if (result === undefined) return fail(unsolved(name, span));
  const bytes = sizeOf(result, span);
  if (isLeft(bytes)) return bytes;
  const { flops, bytesRead, bytesWritten } =
    ops.read(costColumn, name)?.(types, result, attrs) ?? costOf(types, result, 0);
  const steps = Math.floor((flops + bytesRead + bytesWritten) / WORK_OF_STEP);
  return right({ name, attrs, span, kernel, types, result, bytes: bytes.right, steps, isForAll });
}

/** Whether a call prepared for other values fits these: they have the same types. */
export function fitsCall(call: PreparedCall, values: ReadonlyArray<OpValue>): boolean {
  if (!call.isForAll) return false;
  for (let i = 0; i < values.length; i++) {
    if (!conformsTo(values[i] as OpValue, call.types[i] as Type)) return false;
  }
  return true;
}

export function runCall(
  { name, attrs, span, kernel, types, result, bytes }: PreparedCall,
  values: ReadonlyArray<OpValue>,
  maxBytes: number,
  memory?: Memory,
): Result<OpValue> {
  if (bytes > maxBytes) return fail(tooManyBytes(name, maxBytes, bytes, span));
  const room = memoryWithin(() => mostAtOnce(types, bytes, maxBytes), memory);
  const value = runKernel(name, () => kernel(values, attrs, outOf(result, room)), span);
  if (isLeft(value) || conformsTo(value.right, result)) return value;
  const found = describeType(typeOfValue(value.right));
  return fail(wrongValue(name, describeType(result), found, span));
}

/** An intermediate of 64 bits may represent an element of 8. */
const WIDENED = 8;

/**
 * The bounds of the bytes that an intermediate may always take, however small operands and result
 * are.
 */
const LEAST_ROOM = { least: 2 ** 24, most: 2 ** 30 };

/**
 * The most bytes of an intermediate, proportional to the operands and the result. Windows, padding
 * and bands have sizes of their own, which attributes state.
 */
const mostAtOnce = (types: ReadonlyArray<Type>, bytes: number, maxBytes: number): number =>
  Math.max(
    Math.min(Math.max(maxBytes, LEAST_ROOM.least), LEAST_ROOM.most),
    types.reduce((sum, type) => sum + byteCount(type), bytes) * WIDENED,
  );

/** A kernel may be a user's own: its exception is reported with the operator's name. */
function runKernel(name: string, run: () => OpValue, span: Span | undefined): Result<OpValue> {
  try {
    return right(run());
  } catch (error) {
    if (error instanceof NoRoom) return fail(tooMuchScratch(name, error.bytes, span));
    return fail(isLackOfMemory(error) ? noMemory(name, span) : kernelThrew(name, error, span));
  }
}

/** The bytes of a result. Nothing is allocated for a result beyond the limit of tensors. */
function sizeOf(result: Type, span: Span | undefined): Result<number> {
  let bytes = 0;
  const fields = result._tag === 'TupleType' ? result.fields : [result];
  for (const field of fields) {
    const known = staticTensor(field);
    const size = known === undefined ? right(0) : checkedSize(known.shape);
    if (isLeft(size)) {
      const [first, ...rest] = size.left;
      return fail(span === undefined ? first : { ...first, span }, ...rest);
    }
    if (known !== undefined) bytes += size.right * dtypeInfo(known.dtype).bytes;
  }
  return right(bytes);
}

/** The context of a relation on values: no holes, and every constant is known. */
function valueContext(
  { name, inputs }: OpInfo,
  types: ReadonlyArray<Type>,
  problems: Diagnostic[],
  span: Span | undefined,
  constant: RelationContext['constant'],
): RelationContext {
  const failWith = (code: string, message: string, hint?: string): undefined => {
    const operands = operandNotes(inputs, types);
    problems.push(relationFailure(name, code, message, hint, span, operands));
    return undefined;
  };
  return solvedContext({
    constant,
    unify: (a, b) => {
      if (sameKnownType(a, b)) return true;
      failWith('OP_TYPE_MISMATCH', 'the types of the arguments do not match');
      return false;
    },
    fail: failWith,
  });
}

function sameKnownType(a: Type, b: Type): boolean {
  if (a._tag !== 'TensorType' || b._tag !== 'TensorType') return a === b;
  if ('_tag' in a.shape || '_tag' in b.shape) return false;
  return meetDTypes(a.dtype, b.dtype) !== undefined && dimsAgree(a.shape, b.shape);
}
