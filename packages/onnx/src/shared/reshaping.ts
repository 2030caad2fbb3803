/** The same elements in another shape. */

import { anyDim, type Dim, dimsEqual, isAnyDim, isStaticDim, multiplyDims } from '@baton/ir';
import { int } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand } from '../operator-api/exporter.ts';
import { resultDims } from './element-types.ts';
import { concatenate, expandDims, reshape } from './words.ts';

/** Consecutive axes, whose sizes make one size of the result. */
export interface Run {
  readonly begin: number;
  readonly end: number;
  /** The tensor that has the axes. Default: the data. */
  readonly of?: Operand;
  /** The number that divides the product of the sizes. Default: 1. */
  readonly over?: number;
}

/**
 * The data in the shape of the call's result. Each open size is the product of the sizes of some
 * axes of the data: `runs` tells which, where the call states it, and otherwise the types do. One
 * size may remain, which ONNX infers.
 */
export function reshaped(
  context: CallContext,
  x: Operand,
  runs: ReadonlyArray<Run | undefined> = [],
): Operand | undefined {
  const dims = resultDims(context);
  const own = context.dims(x);
  const hasZero = dims.includes(0);
  const found = dims.map((dim, axis) =>
    isStaticDim(dim) ? undefined : (runs[axis] ?? runOf(dim, own, axis)),
  );
  const open = dims.flatMap((dim, axis) => (isStaticDim(dim) ? [] : [axis]));
  const isCopied = (axis: number): boolean => {
    const run = found[axis];
    const isOwn = run?.of === undefined && run?.over === undefined;
    return !hasZero && isOwn && run?.begin === axis && run.end === axis + 1;
  };
  const others = open.filter((axis) => !isCopied(axis));
  const inferred =
    open.length === 1 ? open[0] : (others.find((axis) => found[axis] === undefined) ?? others[0]);
  const sizes = dims.map((dim, axis): number | Operand | undefined => {
    if (isStaticDim(dim)) return dim;
    if (axis === inferred && !hasZero) return -1;
    if (isCopied(axis)) return 0;
    const run = found[axis];
    return run && sizeList(context, x, run);
  });
  const known = sizes.filter((size) => size !== undefined);
  if (known.length < sizes.length) {
    return context.unknown('expected at most one unknown dimension in a reshape');
  }
  const attributes = hasZero ? { allowzero: int(1) } : {};
  return context.node('Reshape', [x, listOf(context, known)], attributes);
}

/** The axes whose sizes have this product, by their names; the one at `axis` if it is one. */
function runOf(dim: Dim, own: ReadonlyArray<Dim>, axis: number): Run | undefined {
  if (isAnyDim(dim)) return undefined;
  for (const begin of [axis, ...own.keys()]) {
    let product: Dim = 1;
    for (let end = begin; end < own.length; end++) {
      product = multiplyDims(product, own[end] ?? anyDim);
      if (!isAnyDim(product) && dimsEqual(product, dim)) return { begin, end: end + 1 };
    }
  }
  return undefined;
}

export const sizeOf = (context: CallContext, x: Operand, axis: number): Operand =>
  productOf(context, x, { begin: axis, end: axis + 1 });

/** The size that a run makes, as a list of one. */
function sizeList(context: CallContext, x: Operand, run: Run): Operand {
  const { begin, end, of = x, over } = run;
  if (end === begin + 1 && over === undefined) return sizesOf(context, of, run);
  const product = productOf(context, of, run);
  const text = over === undefined ? '?product' : '?product / ?over';
  return reshape(context, context.formula<string>(text, { product, over }), [1]);
}

const sizesOf = ({ formula }: CallContext, x: Operand, { begin, end }: Run): Operand =>
  formula('strided_slice(shape_of(?x, dtype="int64"), begin=?begin, end=?end)', {
    x,
    begin: [begin],
    end: [end],
  });

/** The number of elements along some axes at run time: a scalar of int64. */
function productOf(context: CallContext, x: Operand, run: Run): Operand {
  const { formula, scalar } = context;
  if (run.end > run.begin + 1) {
    return formula('prod(?sizes)', { sizes: sizesOf(context, x, run) });
  }
  const at = scalar(run.begin, 'int64');
  return formula('take(shape_of(?x, dtype="int64"), ?at, axis=0)', { x, at });
}

function listOf(context: CallContext, items: ReadonlyArray<number | Operand>): Operand {
  const numbers = items.filter((item) => typeof item === 'number');
  if (numbers.length === items.length) return context.ints(numbers);
  const parts = items.map((item) => (typeof item === 'number' ? context.ints([item]) : item));
  return concatenate(context, parts, 0);
}

/** A vector along one axis of a tensor of this rank. */
export const alongAxis = (
  context: CallContext,
  vector: Operand,
  axis: number,
  rank: number,
): Operand => (axis === rank - 1 ? vector : expandDims(context, vector, 1, rank - 1 - axis));
