/** From plain JavaScript data to values, guided by the types of parameters. */
import { type Diagnostic, fail, type Result, type Span } from '@baton/base';
import { type Dim, printType, type TensorType, type Type, type TypeVar } from '@baton/ir';
import { dense, describeTensor, isDType, makeTensor, type Tensor } from '@baton/tensor';
import { isLeft, right } from 'fp-ts/lib/Either.js';
import * as diagnostics from './diagnostics.ts';
import { tupleValue, type Value } from './value.ts';

/** What a host may pass: values, numbers, booleans, bigints, and nested arrays of them. */
export type HostValue = Value | number | bigint | boolean | ReadonlyArray<HostValue>;

/** The sizes that named dimensions have in one call. */
export type DimSizes = Map<TypeVar, number>;

/** The parameter that a value is meant for. */
export interface Target {
  readonly name: string;
  readonly type: Type;
  readonly span: Span | undefined;
}

type Scalar = number | bigint | boolean;

/** How deep nested arrays may go: the largest rank of a tensor. */
const MAX_RANK = 16;

/**
 * The value for a parameter; tensors are checked against its type, and bind its named dimensions.
 *
 * **Errors** `EXEC_ARGUMENT_TYPE`, and those of making a tensor.
 * **Complexity** linear in the data.
 */
export function fromHost(given: HostValue, target: Target, sizes: DimSizes): Result<Value> {
  interface Open {
    readonly type: Type;
    readonly given: HostValue;
    readonly fields: Value[];
  }
  const stack: Open[] = [];
  let at: { given: HostValue; type: Type } | undefined = { given, type: target.type };
  for (;;) {
    let value: Value | undefined;
    if (at !== undefined) {
      const { type } = at;
      const fields = type._tag === 'TupleType' ? tupleFields(at.given) : undefined;
      if (type._tag === 'TupleType') {
        if (fields === undefined || fields.length !== type.fields.length) {
          return fail(mismatch(target, type, describe(at.given)));
        }
        stack.push({ type, given: fields, fields: [] });
      } else if (type._tag === 'TensorType') {
        const made = toTensor(at.given, type, target, sizes);
        if (isLeft(made)) return made;
        value = made.right;
      } else if (isClosure(at.given)) value = at.given;
      else return fail(mismatch(target, type, describe(at.given)));
    }
    let top = stack[stack.length - 1];
    if (value !== undefined) {
      if (top === undefined) return right(value);
      top.fields.push(value);
    }
    while (
      top !== undefined &&
      top.fields.length === (top.given as ReadonlyArray<unknown>).length
    ) {
      const finished = tupleValue(top.fields);
      stack.pop();
      top = stack[stack.length - 1];
      if (top === undefined) return right(finished);
      top.fields.push(finished);
    }
    if (top === undefined) continue;
    const i = top.fields.length;
    at = {
      given: (top.given as ReadonlyArray<HostValue>)[i] as HostValue,
      type: (top.type as { readonly fields: ReadonlyArray<Type> }).fields[i] as Type,
    };
  }
}

// Programs without types pass null, too: `args` is what a user writes.
const isTagged = (given: HostValue): given is Value =>
  typeof given === 'object' && given !== null && !Array.isArray(given) && '_tag' in given;

const isClosure = (given: HostValue): given is Extract<Value, { _tag: 'Closure' }> =>
  isTagged(given) && given._tag === 'Closure';

const tupleFields = (given: HostValue): ReadonlyArray<HostValue> | undefined =>
  isTagged(given)
    ? given._tag === 'Tuple'
      ? given.fields
      : undefined
    : Array.isArray(given)
      ? given
      : undefined;

const mismatch = (target: Target, type: Type, found: string): Diagnostic =>
  diagnostics.argumentType(target.name, printType(type), found, target.span);

function describe(given: HostValue): string {
  if (Array.isArray(given)) return `a list of ${given.length}`;
  if (!isTagged(given)) {
    return given !== null && typeof given === 'object' ? 'an object' : String(given);
  }
  if (given._tag === 'Tensor') return describeTensor(given);
  return given._tag === 'Tuple' ? `a tuple of ${given.fields.length}` : 'a function';
}

function toTensor(
  given: HostValue,
  type: TensorType,
  target: Target,
  sizes: DimSizes,
): Result<Tensor> {
  const { dtype } = type;
  if (typeof dtype !== 'string' || !isDType(dtype))
    return fail(mismatch(target, type, describe(given)));
  if (isTagged(given) && given._tag !== 'Tensor')
    return fail(mismatch(target, type, describe(given)));
  if (isTagged(given)) {
    if (given.dtype !== dtype) return fail(mismatch(target, type, describe(given)));
    return checkShape(dense(given), type, target, sizes);
  }
  const flat = flatten(given);
  if (flat === undefined) {
    const found = Array.isArray(given)
      ? 'a list that is ragged or holds other things than numbers'
      : describe(given);
    return fail(mismatch(target, type, found));
  }
  const made = makeTensor(flat.elements, flat.shape, dtype);
  return isLeft(made) ? made : checkShape(made.right, type, target, sizes);
}

/** The elements of nested arrays in row-major order, or `undefined` where they are ragged. */
function flatten(
  given: HostValue,
): { readonly elements: ReadonlyArray<Scalar>; readonly shape: ReadonlyArray<number> } | undefined {
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
  const scalar = (v: HostValue): v is Scalar =>
    typeof v === 'number' || typeof v === 'bigint' || typeof v === 'boolean';
  return level.every(scalar) ? { elements: level, shape } : undefined;
}

/** Named dimensions bind at their first appearance, and are compared from then on. */
function checkShape(t: Tensor, type: TensorType, target: Target, sizes: DimSizes): Result<Tensor> {
  const { shape } = type;
  if ('_tag' in shape) return right(t);
  const fits =
    shape.length === t.shape.length &&
    shape.every((dim, axis) => dimFits(dim, t.shape[axis] as number, sizes));
  return fits ? right(t) : fail(mismatch(target, type, describeTensor(t)));
}

function dimFits(dim: Dim, size: number, sizes: DimSizes): boolean {
  if (typeof dim === 'number') return dim === size;
  if (dim._tag === 'AnyDim') return true;
  const [term] = dim.terms;
  const atom = term?.atoms[0];
  if (atom?._tag !== 'TypeVar' || dim.terms.length !== 1 || term?.atoms.length !== 1) return true;
  const rest = size - dim.constant;
  if (rest % term.coefficient !== 0) return false;
  const bound = sizes.get(atom);
  if (bound !== undefined) return bound * term.coefficient === rest;
  sizes.set(atom, rest / term.coefficient);
  return true;
}
