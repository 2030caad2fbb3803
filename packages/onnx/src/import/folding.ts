/** The values of calls that the import computes: of constants, and of sizes. */
import { isLeft, type Result, right, type Span } from '@baton/base';
import { type Call, constant, type Dim, type Expr, isStaticDim, type Type } from '@baton/ir';
import { FOLDING, foldedValue } from '@baton/ops';
import {
  type DType,
  isDType,
  isFloat,
  isInteger,
  isTensor,
  shapeSize,
  type Tensor,
  tensor,
} from '@baton/tensor';
import { constantSizes, type Sizes, sizesOfCall } from './sizes.ts';
import type { ImportState } from './state.ts';

/** The number of elements that one import reads and computes, so that a long file takes no longer. */
export const FOLD_BUDGET_ELEMENTS: number = 2 ** 26;

/**
 * Integers and bools are mostly shapes, which other nodes need to be constants. Floats are computed
 * if they come from shapes: sizes are scaled and rounded on their way.
 */
export function folded(
  state: ImportState,
  made: Call,
  name: string,
  type: Type,
): Result<Expr | undefined> {
  const value = knownValue(state, made, name, type);
  return isLeft(value) || value.right !== undefined
    ? value
    : right(fromSizes(state, made, name, type));
}

/** The value of a short call of constants. */
function knownValue(
  state: ImportState,
  made: Call,
  name: string,
  type: Type,
): Result<Expr | undefined> {
  const values = made.args.flatMap(constantsOf);
  if (values.length === 0 || !values.every((value) => value !== undefined)) return right(undefined);
  if (type._tag !== 'TensorType' || '_tag' in type.shape) return right(undefined);
  if (isFloat(dtypeOf(type)) && !made.args.some((arg) => isComputed(state, arg)))
    return right(undefined);
  const shape = type.shape.filter(isStaticDim);
  if (shape.length < type.shape.length) return right(undefined);
  // A size that no tensor has would be an error of the call.
  if (shapeSize(shape) > FOLDING.onnxImport.resultElements) return right(undefined);
  const total = [{ shape }, ...values].reduce((sum, value) => sum + shapeSize(value.shape), 0);
  const takes = (): boolean => {
    if (total > state.foldBudget) return false;
    state.foldBudget -= total;
    return true;
  };
  const args = made.args.map((arg) =>
    arg._tag === 'Tuple' ? constantsOf(arg).filter(isTensor) : (constantsOf(arg)[0] as Tensor),
  );
  const call = { name, attrs: made.attrs ?? {}, span: made.span };
  const result = foldedValue(state.ops, call, args, FOLDING.onnxImport, takes);
  if (isLeft(result)) return result;
  return right(
    result.right && isTensor(result.right)
      ? computedConstant(state, result.right, made.span)
      : undefined,
  );
}

/** The operators whose results are sizes, whatever their arguments. */
const READS_SHAPES = ['shape_of', 'ndarray_size'];

/** The constant of a call whose elements are known sizes; others are noted. */
function fromSizes(state: ImportState, made: Call, name: string, type: Type): Expr | undefined {
  if (type._tag !== 'TensorType' || '_tag' in type.shape) return undefined;
  const shape = type.shape.filter(isStaticDim);
  if (shape.length < type.shape.length) return undefined;
  const hasSizes = (arg: Expr): boolean =>
    arg._tag === 'Tuple' ? arg.fields.some(isKnown) : state.sizes.has(arg);
  // A list may have numbers and parts that are unknown.
  const isKnown = (field: Expr): boolean => field._tag === 'Constant' || hasSizes(field);
  if (!made.args.some(hasSizes) && !READS_SHAPES.includes(name)) return undefined;
  const dtype = dtypeOf(type);
  const sizes = sizesOfCall(made, name, {
    ops: state.ops,
    attrs: made.attrs ?? {},
    shape,
    isInteger: isInteger(dtype) || dtype === 'bool',
    dimsOf: (arg) => dimsOf(state.types.typeOf(arg)),
    sizesOf: (arg) => sizesOf(state, arg),
  });
  if (sizes === undefined) return undefined;
  const known = sizes.values.filter(isStaticDim);
  if (known.length === sizes.values.length) {
    return computedConstant(state, tensor(known, shape, dtype), made.span);
  }
  state.sizes.set(made, sizes);
  return undefined;
}

/** The sizes in a value, as far as they are known. */
export const sizesOf = (state: ImportState, expr: Expr): Sizes | undefined =>
  expr._tag === 'Constant' ? constantSizes(expr.data) : state.sizes.get(expr);

const dimsOf = (type: Type | undefined): ReadonlyArray<Dim> | undefined =>
  type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape : undefined;

/** A constant that import has computed. */
export function computedConstant(state: ImportState, value: Tensor, span: Span | undefined): Expr {
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

/** The element type of a tensor; float32 if a failure has left none. */
export function dtypeOf(type: Type | undefined): DType {
  const dtype = type?._tag === 'TensorType' ? type.dtype : undefined;
  return typeof dtype === 'string' && isDType(dtype) ? dtype : 'float32';
}
