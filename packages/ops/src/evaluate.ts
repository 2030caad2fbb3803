/** The one place where operators are computed. */
import {
  type Diagnostic,
  didYouMean,
  fail,
  failure,
  isLeft,
  type Result,
  right,
  type Span,
} from '@baton/base';
import {
  type Attrs,
  type Call,
  type DTypeTerm,
  describeType,
  noAttrs,
  type OpInfo,
  type OpTable,
  operandNotes,
  type RelationContext,
  type Type,
} from '@baton/ir';
import { checkedSize, dtypeInfo, isDType, isFloat, isTensor } from '@baton/tensor';
import { kernelColumn } from './columns.ts';
import {
  kernelThrew,
  noKernel,
  relationFailure,
  tooManyBytes,
  unknownOp,
  unsolved,
  wrongArity,
  wrongValue,
} from './diagnostics.ts';
import { dimsAgree } from './relation/known.ts';
import { conformsTo, type OpValue, staticTensor, typeOfValue } from './value.ts';

/**
 * The value of a call of a primitive operator, from the values of its arguments.
 *
 * The operator's type relation is run on the values' own types, so whatever types could not say
 * before (a `?` dimension, a bound that was not constant) is checked here.
 *
 * **Errors** `OP_UNKNOWN`, `OP_ARITY`, `OP_NO_KERNEL`, `TENSOR_TOO_LARGE`, `OP_VALUE` (a kernel
 * that does not do what its relation says), `OP_KERNEL_THREW`, and the errors of the operator's relation; all at the call's span. A call of anything but an operator is
 * `OP_UNKNOWN`.
 */
export function evaluateCall(
  ops: OpTable,
  call: Call,
  values: ReadonlyArray<OpValue>,
): Result<OpValue> {
  const name = call.op._tag === 'Op' ? call.op.name : call.op._tag;
  return evaluateOp(ops, name, call.attrs ?? noAttrs, values, call.span);
}

/** What computes calls of operators on values: {@link evaluateCall} itself, or an executor. */
export interface CallEvaluator {
  readonly evaluateCall: typeof evaluateCall;
}

/**
 * As {@link evaluateCall}, for an operator by name. `attrs` is a complete record.
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
  const op = ops.get(name);
  if (op === undefined) return fail(unknownOp(name, didYouMean(name, ops.names), span));
  if (values.length !== op.inputs.length) {
    return fail(wrongArity(name, op.inputs.length, values.length, span));
  }
  const kernel = ops.read(kernelColumn, name);
  if (kernel === undefined) return fail(noKernel(name, span));
  const problems: Diagnostic[] = [];
  const types = values.map(typeOfValue);
  const context = valueContext(op, types, values, problems, span);
  const result = op.relation(types, attrs, context);
  const failed = failure(problems);
  if (failed !== undefined) return failed;
  if (result === undefined) return fail(unsolved(name, span));
  const oversized = checkSize(name, result, span, maxBytes);
  if (oversized !== undefined) return oversized;
  const value = runKernel(name, () => kernel(values, attrs, result), span);
  if (isLeft(value) || conformsTo(value.right, result)) return value;
  const found = describeType(typeOfValue(value.right));
  return fail(wrongValue(name, describeType(result), found, span));
}

/** A kernel may be a user's own: what it throws is told with the operator's name. */
function runKernel(name: string, run: () => OpValue, span: Span | undefined): Result<OpValue> {
  try {
    return right(run());
  } catch (error) {
    return fail(kernelThrew(name, error, span));
  }
}

/** Nothing is allocated for a result that is larger than a tensor, or the caller's limit, may be. */
function checkSize(
  name: string,
  result: Type,
  span: Span | undefined,
  maxBytes: number,
): Result<never> | undefined {
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
  return bytes > maxBytes ? fail(tooManyBytes(name, maxBytes, bytes, span)) : undefined;
}

/** What a relation sees when every argument is a value: no holes, and every constant is known. */
function valueContext(
  { name, inputs }: OpInfo,
  types: ReadonlyArray<Type>,
  values: ReadonlyArray<OpValue>,
  problems: Diagnostic[],
  span: Span | undefined,
): RelationContext {
  const failWith = (code: string, message: string, hint?: string): undefined => {
    const operands = operandNotes(inputs, types);
    problems.push(relationFailure(name, code, message, hint, span, operands));
    return undefined;
  };
  return {
    constant: (index) => {
      const value = values[index];
      return value !== undefined && isTensor(value) ? value : undefined;
    },
    unify: (a, b) => {
      if (sameKnownType(a, b)) return true;
      failWith('OP_TYPE_MISMATCH', 'the types of the arguments do not match');
      return false;
    },
    unifyDTypes: meetDTypes,
    resolve: (type) => type,
    undecided: () => undefined,
    fail: failWith,
  };
}

/** Types of values hold no holes; a relation may bring one in to state a class of dtypes. */
function meetDTypes(a: DTypeTerm, b: DTypeTerm): DTypeTerm | undefined {
  if (a === b) return a;
  if (typeof b !== 'string') return fitsHole(a, b) ? a : undefined;
  return typeof a !== 'string' && fitsHole(b, a) ? b : undefined;
}

const fitsHole = (dtype: DTypeTerm, hole: Exclude<DTypeTerm, string>): boolean => {
  if (!isDType(dtype) || hole._tag !== 'IncompleteType') return false;
  if (hole.literal === undefined) return true;
  return hole.literal === 'float' ? isFloat(dtype) : dtype !== 'bool';
};

function sameKnownType(a: Type, b: Type): boolean {
  if (a._tag !== 'TensorType' || b._tag !== 'TensorType') return a === b;
  if ('_tag' in a.shape || '_tag' in b.shape) return false;
  return meetDTypes(a.dtype, b.dtype) !== undefined && dimsAgree(a.shape, b.shape);
}
