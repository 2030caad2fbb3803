/** Reshapes and repetitions to sizes of which the import knows names, or nothing. */

import {
  type Dim,
  dimOf,
  dimsEqual,
  divideDims,
  type Expr,
  isAnyDim,
  isStaticDim,
  multiplyDims,
} from '@baton/ir';
import { MAX_RANK, tensor } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import { reshape } from './words.ts';

/** The sizes that an input of rank 1 holds, each of which may be unknown. */
export function sizesOfInput(context: NodeContext, index: number): ReadonlyArray<Dim> | undefined {
  const known = context.sizes(index);
  if (known !== undefined) return known;
  const given = context.optional(index);
  if (given === undefined) return undefined;
  const [count, ...others] = context.dimsOf(given);
  if (others.length > 0 || typeof count !== 'number') {
    return context.unknown(`expected a list of known length as input ${index}`, given);
  }
  if (count > MAX_RANK)
    return context.fail('ONNX_LIMIT', `expected at most ${MAX_RANK} sizes, found ${count}`);
  return new Array<Dim>(count).fill({ _tag: 'AnyDim' });
}

/** The data in the shape of a list, whose elements `target` tells: −1 is inferred. */
export function reshapedTo(
  context: NodeContext,
  x: Expr,
  target: ReadonlyArray<Dim>,
  list: Expr,
  allowzero: number,
): Expr {
  const dims = context.dimsOf(x);
  const wanted = completed(dims, target, allowzero !== 0);
  const codes = wanted && reshapeCodes(dims, wanted);
  if (codes !== undefined) return reshape(context, x, codes);
  const made = context.call('dyn.reshape', [x, list], { allowzero });
  const isPinned = wanted?.some(isStaticDim) === true && !wanted.includes(0);
  if (!isPinned) return made;
  const newshape = wanted.map((dim) => (isStaticDim(dim) ? dim : 0));
  return reshape(context, made, newshape);
}

/**
 * Notes the size that a name must have, or the two names that must be for one size, as the data and the
 * result have as many elements: a model that was traced with a batch of 1 runs with no other.
 */
export function noteEqualCounts(
  context: NodeContext,
  x: Expr,
  target: ReadonlyArray<Dim>,
  allowzero: number,
): void {
  if (target.includes(-1)) return;
  const dims = context.dimsOf(x);
  const wanted = completed(dims, target, allowzero !== 0);
  if (wanted === undefined || [...dims, ...wanted].includes(0)) return;
  const [a, b] = withoutCommon(dims, wanted).map((rest) =>
    soleFactor(rest.reduce(multiplyDims, 1)),
  );
  if (a === undefined || b === undefined) return;
  const [many, few] = a.factor === 1 ? [b, a] : [a, b];
  if (few.factor === 1) {
    if (many.factor !== 1 && few.count % many.count === 0) {
      context.sameSize(many.factor, few.count / many.count);
    }
  } else if (many.count === few.count) context.sameSize(many.factor, few.factor);
}

/** A number of elements as a number and a name, or 1. */
function soleFactor(dim: Dim): { readonly count: number; readonly factor: Dim } | undefined {
  if (typeof dim === 'number') return { count: dim, factor: 1 };
  if (isAnyDim(dim) || dim.constant !== 0 || dim.terms.length !== 1) return undefined;
  const [{ coefficient, atoms } = { coefficient: 0, atoms: [] }] = dim.terms;
  const [atom, ...others] = atoms;
  const isName = atom?._tag === 'TypeVar' && others.length === 0;
  return isName ? { count: coefficient, factor: dimOf(atom) } : undefined;
}

/** The sizes of the result: 0 copies one of the data, and −1 is what remains. */
function completed(
  dims: ReadonlyArray<Dim>,
  target: ReadonlyArray<Dim>,
  allowsZero: boolean,
): ReadonlyArray<Dim> | undefined {
  const copied = target.map((dim, axis) => (dim === 0 && !allowsZero ? (dims[axis] ?? ANY) : dim));
  const at = copied.indexOf(-1);
  if (at < 0) return copied;
  const rest = copied.filter((_, axis) => axis !== at);
  // What both shapes have is left out: unknown sizes need not be divided.
  const [left, right] = withoutCommon(dims, rest);
  const quotient = divideDims(left.reduce(multiplyDims, 1), right.reduce(multiplyDims, 1));
  return quotient === undefined ? undefined : copied.map((dim) => (dim === -1 ? quotient : dim));
}

const ANY: Dim = { _tag: 'AnyDim' };

/** Both lists without the dimensions that are in both. */
function withoutCommon(
  a: ReadonlyArray<Dim>,
  b: ReadonlyArray<Dim>,
): readonly [ReadonlyArray<Dim>, ReadonlyArray<Dim>] {
  const rest = [...b];
  const left = a.filter((dim) => {
    const at = rest.findIndex((other) => dimsEqual(dim, other));
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [left, rest];
}

/**
 * The codes by which `reshape` makes `wanted` of `dims` whatever the sizes are; `undefined` if they
 * cannot say it.
 */
export function reshapeCodes(
  dims: ReadonlyArray<Dim>,
  wanted: ReadonlyArray<Dim>,
): ReadonlyArray<number> | undefined {
  const open = wanted.filter((dim) => !isStaticDim(dim));
  if (open.length === 1 && !wanted.includes(0)) {
    return wanted.map((dim) => (isStaticDim(dim) ? dim : -1));
  }
  if (open.length === 0) return wanted.includes(0) ? undefined : wanted.filter(isStaticDim);
  const codes: number[] = [];
  // A place among the dimensions; a size that is written out counts as one of them.
  let cursor = 0;
  let inferred = false;
  for (let at = 0; at < wanted.length; at++) {
    const [dim, here] = [wanted[at] ?? ANY, dims[cursor] ?? ANY];
    const [, after] = [here, dims[cursor + 1] ?? ANY];
    const next = wanted[at + 1];
    if (dimsEqual(dim, here)) {
      codes.push(isStaticDim(dim) && dim > 0 ? dim : 0);
      cursor++;
    } else if (dimsEqual(dim, multiplyDims(here, after))) {
      codes.push(-3);
      cursor += 2;
    } else if (next !== undefined && isSplit(here, dim, next)) {
      codes.push(-4, isStaticDim(dim) ? dim : -1, isStaticDim(next) ? next : -1);
      cursor++;
      at++;
    } else if (isStaticDim(dim) && dim > 0) {
      codes.push(dim);
      cursor++;
    } else if (!inferred) {
      codes.push(-1);
      inferred = true;
      cursor++;
    } else return undefined;
  }
  return codes;
}

/** Whether a dimension is the product of two, of which one is a number. */
const isSplit = (dim: Dim, first: Dim, second: Dim): boolean =>
  (isStaticDim(first) || isStaticDim(second)) &&
  !isAnyDim(dim) &&
  dimsEqual(dim, multiplyDims(first, second));

/** The size of an axis: a number if it is known, else what the run finds, as int64. */
export function sizeOfAxis(context: NodeContext, x: Expr, axis: number): Expr | number {
  const dim = context.dimsOf(x)[axis];
  if (dim !== undefined && isStaticDim(dim)) return dim;
  const at = context.scalar(axis, 'int64');
  return context.formula('take(shape_of(?x, dtype="int64"), ?at, axis=0)', { x, at });
}

export const asInt64 = (context: NodeContext, size: Expr | number): Expr =>
  typeof size === 'number' ? context.scalar(size, 'int64') : size;

/** The numbers from 0 up to a size, as int64. */
export const placesUpTo = (context: NodeContext, size: Expr | number): Expr =>
  context.formula('arange(0i64, ?count, 1i64, dtype="int64")', { count: asInt64(context, size) });

/** A value of one element as a scalar. */
export const asScalar = (context: NodeContext, x: Expr): Expr =>
  context.dimsOf(x).length === 0 ? x : reshape(context, x, []);

export const listOf = (context: NodeContext, sizes: ReadonlyArray<number>): Expr =>
  context.constant(tensor(sizes, [sizes.length], 'int64'));

export const equalList = (context: NodeContext, count: number, value: number): Expr =>
  listOf(context, new Array<number>(count).fill(value));

/** Whether a dimension is an integer for all sizes. */
export function isIntegral(dim: Dim): boolean {
  if (typeof dim === 'number') return Number.isInteger(dim);
  if (isAnyDim(dim)) return false;
  return (
    Number.isInteger(dim.constant) &&
    dim.terms.every(
      ({ coefficient, atoms }) =>
        Number.isInteger(coefficient) && atoms.every((atom) => atom._tag === 'TypeVar'),
    )
  );
}
