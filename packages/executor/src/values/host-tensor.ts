/** Tensors from plain JavaScript data: numbers, nested arrays, typed arrays. */
import { fail, failure, isLeft, type Result, right } from '@baton/base';
import type { Dim, TensorType } from '@baton/ir';
import {
  allocate,
  castNumber,
  type DType,
  dense,
  describeTensor,
  dtypeInfo,
  isDType,
  isFloat,
  isStorageOf,
  isTensorData,
  MAX_RANK,
  makeTensor,
  scalar,
  shapeSize,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import * as diagnostics from '../diagnostics.ts';
import {
  arrayName,
  describe,
  type HostValue,
  isTagged,
  mismatch,
  type Target,
} from './host-value.ts';
import { boxed } from './scalar.ts';
import { boundDType, boundShape, type TypeEnvironment } from './type-environment.ts';

/**
 * The tensor of a type for plain data: see {@link HostValue}. The function checks names of
 * dimensions.
 *
 * **Errors** `EXEC_ARGUMENT_TYPE`, `EXEC_ARGUMENT_RANGE`, `EXEC_DIMENSION`, and errors of making a
 * tensor.
 * **Complexity** linear in the data; the elements of a typed array of the right kind are not read.
 */
export function hostTensor(
  given: HostValue,
  type: TensorType,
  environment: TypeEnvironment,
  target: Target,
): Result<Tensor> {
  const dtype = boundDType(type.dtype, environment);
  const shape = boundShape(type, environment);
  const wrong = (found: string): Result<never> => fail(mismatch(target, type, found));
  const checked = (t: Tensor): Result<Tensor> => checkShape(t, shape, type, target);
  if (isTagged(given)) {
    if (given._tag !== 'Tensor') return wrong(describe(given));
    if (typeof dtype === 'string' && given.dtype !== dtype) return wrong(describe(given));
    return checked(dense(given));
  }
  if (typeof dtype !== 'string' || !isDType(dtype)) return wrong(describe(given));
  if (isScalar(given)) {
    if (!canHold(dtype, given)) return fail(outOfRange(given, dtype, [], target));
    return checked(scalar(given, dtype));
  }
  if (isTensorData(given)) {
    if (!isStorageOf(given, dtype)) return fail(wrongStorage(given, dtype, type, target));
    return fromTypedArray(given, dtype, shape, type, target);
  }
  if (!Array.isArray(given)) return wrong(describe(given));
  const flat = flatten(given);
  if (flat === undefined) {
    return wrong('a list that is ragged or holds other things than numbers');
  }
  const odd = flat.rows.find((row) => !isStorageOf(row, dtype));
  if (odd !== undefined) return fail(wrongStorage(odd, dtype, type, target));
  const unfit = flat.elements.findIndex((element) => !canHold(dtype, element));
  if (unfit >= 0) {
    const element = flat.elements[unfit] as Scalar;
    return fail(outOfRange(element, dtype, positionOf(unfit, flat.shape), target));
  }
  const data = flat.rows.length > 0 ? joined(flat.rows, dtype) : flat.elements;
  const made = makeTensor(data, completed(flat.shape, shape), dtype);
  return isLeft(made) ? made : checked(made.right);
}

type Scalar = number | bigint | boolean;

const isScalar = (given: HostValue): given is Scalar =>
  typeof given === 'number' || typeof given === 'bigint' || typeof given === 'boolean';

/** Whether a value is in the dtype's range: whole numbers exactly, others if they stay finite. */
function canHold(dtype: DType, value: Scalar): boolean {
  if (typeof value === 'boolean') return true;
  const { min, max } = dtypeInfo(dtype);
  const isInside = value >= min && value <= max;
  if (!isFloat(dtype)) return isInside && (typeof value === 'bigint' || Number.isInteger(value));
  const isInfinite = typeof value === 'number' && !Number.isFinite(value);
  return isInside || isInfinite || Number.isFinite(castNumber(Number(value), dtype));
}

function outOfRange(value: Scalar, dtype: DType, position: ReadonlyArray<number>, target: Target) {
  const { min, max } = dtypeInfo(dtype);
  const kind = isFloat(dtype) ? 'numbers' : 'whole numbers';
  const hint =
    dtype === 'bool'
      ? 'a bool is true, false, 0 or 1'
      : `${dtype} holds ${kind} from ${min} to ${max}; round or clip the data to what is meant`;
  const where = position.map((index) => `[${index}]`).join('');
  return diagnostics.argumentRange(
    `${target.name}${where}`,
    dtype,
    String(value),
    target.span,
    hint,
  );
}

/** The indices of an element in row-major order. */
function positionOf(element: number, shape: ReadonlyArray<number>): ReadonlyArray<number> {
  let rest = element;
  return shape
    .toReversed()
    .map((dim) => {
      const index = rest % dim;
      rest = (rest - index) / dim;
      return index;
    })
    .toReversed();
}

function wrongStorage(data: TensorData, dtype: DType, type: TensorType, target: Target) {
  const hint = `${dtype} is stored in ${arrayName(allocate(dtype, 0))}; the numbers of a plain array are converted`;
  return mismatch(target, type, describe(data), hint);
}

/** A typed array, with the shape of the type; at most one dimension may be open. */
function fromTypedArray(
  data: TensorData,
  dtype: DType,
  shape: ReadonlyArray<Dim> | undefined,
  type: TensorType,
  target: Target,
): Result<Tensor> {
  const wrong = (hint: string): Result<never> => fail(mismatch(target, type, describe(data), hint));
  const open = shape?.filter((dim) => typeof dim !== 'number').length ?? 0;
  if (shape === undefined || open > 1) {
    return wrong('the length does not tell the shape: give a tensor, or nested arrays');
  }
  const stated = shapeSize(shape.filter((dim) => typeof dim === 'number'));
  // For any open dimension, there are no elements if another one is 0.
  const size = stated === 0 ? 0 : data.length / stated;
  const isWhole = open === 0 ? data.length === stated : Number.isInteger(size);
  if (!isWhole || (stated === 0 && data.length > 0)) {
    return wrong(`the shape has ${open === 0 ? stated : `a multiple of ${stated}`} elements`);
  }
  const sizes = shape.map((dim) => (typeof dim === 'number' ? dim : size));
  const made = makeTensor(data, sizes, dtype);
  return isLeft(made) ? made : right(boxed(made.right));
}

/** Flattened nested arrays: either elements, or rows that are typed arrays. */
interface Flat {
  readonly elements: ReadonlyArray<Scalar>;
  readonly rows: ReadonlyArray<TensorData>;
  readonly shape: ReadonlyArray<number>;
}

/** The content of nested arrays in row-major order, or `undefined` if they are ragged. */
function flatten(given: ReadonlyArray<HostValue>): Flat | undefined {
  const shape: number[] = [];
  let level: ReadonlyArray<HostValue> = [given];
  while (level.length > 0 && Array.isArray(level[0])) {
    const length = level[0].length;
    if (shape.length === MAX_RANK) return undefined;
    const next: HostValue[] = [];
    for (const item of level) {
      if (!Array.isArray(item) || item.length !== length) return undefined;
      for (const element of item) next.push(element as HostValue);
    }
    shape.push(length);
    level = next;
  }
  if (level.every(isScalar)) return { elements: level, rows: [], shape };
  const [first] = level;
  if (first === undefined || !isTensorData(first) || !level.every(isTensorData)) return undefined;
  const { length } = first;
  if (!level.every((row) => row.length === length)) return undefined;
  return { elements: [], rows: level, shape: [...shape, length] };
}

function joined(rows: ReadonlyArray<TensorData>, dtype: DType): TensorData {
  const width = rows[0]?.length ?? 0;
  const data: TensorData = allocate(dtype, rows.length * width);
  // All rows are storage of the same dtype as `data`; TypeScript does not follow that.
  rows.forEach((row, i) => void data.set(row as never, i * width));
  return data;
}

/** An empty array does not show its inner dimensions: they come from the type. */
function completed(
  found: ReadonlyArray<number>,
  wanted: ReadonlyArray<Dim> | undefined,
): ReadonlyArray<number> {
  if (wanted === undefined || found[found.length - 1] !== 0) return found;
  const unseen = wanted.slice(found.length);
  return [...found, ...unseen.map((dim) => (typeof dim === 'number' ? dim : 0))];
}

/** The rank, and the dimensions that are numbers. */
function checkShape(
  t: Tensor,
  shape: ReadonlyArray<Dim> | undefined,
  type: TensorType,
  target: Target,
): Result<Tensor> {
  if (shape === undefined) return right(boxed(t));
  if (shape.length !== t.shape.length) return fail(mismatch(target, type, describeTensor(t)));
  const { name, span } = target;
  const problems = shape.flatMap((dim, axis) => {
    const found = t.shape[axis] as number;
    if (typeof dim !== 'number' || dim === found) return [];
    return [diagnostics.dimension(`parameter %${name}`, axis, String(dim), dim, found, span)];
  });
  return failure(problems) ?? right(boxed(t));
}
