/**
 * Consecutive reshapes, transposes and changes of layout: rows 6 to 8 of
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import { mergeSpans } from '@baton/base';
import type { Expr } from '@baton/ir';
import {
  dimsOf,
  isCallOf,
  isOpCall,
  numbersOf,
  type OpCall,
  operandOf,
  reshapesColumn,
  staticTensor,
} from '@baton/ops';
import { sameShape } from '@baton/tensor';
import { build, type Rule, type RuleContext } from './rule.ts';

/** A call that gives its argument any shape of the same size: `reshape` with any codes. */
const isReshape = (expr: Expr, { ops }: RuleContext): expr is OpCall =>
  isOpCall(expr) && ops.read(reshapesColumn, expr.op.name) === 'freely';

/** A call that puts axes in another order, or in blocks. */
const isPermutation = (expr: Expr): expr is OpCall =>
  isCallOf(expr, 'transpose') || isCallOf(expr, 'layout_transform');

/** `reshape(reshape(x)) => reshape(x)` to the final shape; a reshape to the shape of x is x. */
export const mergeReshapes: Rule = (call, context) => {
  if (!isReshape(call, context)) return undefined;
  const arg = operandOf(call, 0);
  const result = context.typeOf(call);
  const final = result && staticTensor(result);
  if (final === undefined) return undefined;
  const source = isReshape(arg, context) ? operandOf(arg, 0) : arg;
  const type = context.typeOf(source);
  const from = type && staticTensor(type);
  if (from !== undefined && sameShape(from.shape, final.shape)) {
    context.count('reshape to the same');
    return source;
  }
  if (source === arg) return undefined;
  context.count('reshape of reshape');
  const attrs = { newshape: final.shape, allowzero: final.shape.includes(0) ? 1 : 0 };
  return build(context, 'reshape', [source], mergeSpans(call.span, arg.span), attrs);
};

/**
 * Merges two permutations of axes, and drops one that keeps every axis in its place. Changes to and
 * from layouts with blocks merge with each other, and with permutations.
 */
export const mergePermutations: Rule = (call, context) => {
  if (!isPermutation(call)) return undefined;
  const arg = operandOf(call, 0);
  if (isIdentity(call, context)) {
    context.count(
      isCallOf(call, 'transpose') ? 'transpose of nothing' : 'layout_transform of nothing',
    );
    return arg;
  }
  if (!isPermutation(arg)) return undefined;
  const source = operandOf(arg, 0);
  const span = mergeSpans(call.span, arg.span);
  const outer = permutationOf(call, context);
  const inner = permutationOf(arg, context);
  if (outer !== undefined && inner !== undefined) {
    const axes = outer.map((axis) => inner[axis] ?? axis);
    context.count(isInPlace(axes) ? 'transpose of transpose cancels' : 'transpose of transpose');
    return isInPlace(axes) ? source : build(context, 'transpose', [source], span, { axes });
  }
  const change = changeOfLayout(call, arg, outer, inner);
  if (change === undefined) return undefined;
  context.count(
    change.from === change.to
      ? 'layout_transform of layout_transform cancels'
      : 'layout_transform of layout_transform',
  );
  if (change.from === change.to) return source;
  const attrs = { src_layout: change.from, dst_layout: change.to };
  return build(context, 'layout_transform', [source], span, attrs);
};

interface ChangeOfLayout {
  readonly from: string;
  readonly to: string;
}

/**
 * The one change of layout equal to two. A permutation before or after a change that makes or
 * undoes blocks permutes the layout that it starts from or ends in.
 */
function changeOfLayout(
  call: OpCall,
  arg: OpCall,
  outer: ReadonlyArray<number> | undefined,
  inner: ReadonlyArray<number> | undefined,
): ChangeOfLayout | undefined {
  const first = layoutsOf(arg);
  const second = layoutsOf(call);
  if (first !== undefined && second !== undefined && first.to === second.from) {
    return { from: first.from, to: second.to };
  }
  if (first !== undefined && outer !== undefined) {
    const axes = singleAxes(first.to);
    return axes && { from: first.from, to: outer.map((axis) => axes[axis] ?? '').join('') };
  }
  if (second === undefined || inner === undefined) return undefined;
  const axes = singleAxes(second.from);
  return axes && { from: axes.map((_, axis) => axes[inner.indexOf(axis)]).join(''), to: second.to };
}

const layoutsOf = (call: OpCall): ChangeOfLayout | undefined =>
  isCallOf(call, 'layout_transform')
    ? { from: String(call.attrs.src_layout), to: String(call.attrs.dst_layout) }
    : undefined;

/** The axes of a layout, unless some letter has two blocks, which are ordered. */
function singleAxes(layout: string): ReadonlyArray<string> | undefined {
  const axes = layout.match(/[0-9]*[A-Za-z]/g) ?? [];
  const letters = axes.map((axis) => axis.slice(-1));
  return new Set(letters).size === letters.length ? axes : undefined;
}

function isIdentity(call: OpCall, context: RuleContext): boolean {
  if (isCallOf(call, 'layout_transform')) return call.attrs.src_layout === call.attrs.dst_layout;
  const axes = isCallOf(call, 'transpose') ? permutationOf(call, context) : undefined;
  return axes !== undefined && isInPlace(axes);
}

const isInPlace = (axes: ReadonlyArray<number>): boolean => axes.every((axis, i) => axis === i);

/** For each axis of the result, the argument's axis. */
function permutationOf(call: OpCall, context: RuleContext): ReadonlyArray<number> | undefined {
  if (isCallOf(call, 'transpose')) return transposeAxes(call, rankOf(operandOf(call, 0), context));
  const change = layoutsOf(call);
  if (change === undefined) return undefined;
  const { from, to } = change;
  // Lower-case letters are blocks.
  return WITHOUT_BLOCKS.test(from) && WITHOUT_BLOCKS.test(to)
    ? [...to].map((letter) => from.indexOf(letter))
    : undefined;
}

const WITHOUT_BLOCKS = /^[A-Z]+$/;

const rankOf = (expr: Expr, context: RuleContext): number | undefined =>
  dimsOf(context.typeOf(expr))?.length;

function transposeAxes(call: OpCall, rank: number | undefined): ReadonlyArray<number> | undefined {
  if (rank === undefined) return undefined;
  const axes = numbersOf(call.attrs.axes);
  if (axes.length === 0) return Array.from({ length: rank }, (_, i) => rank - 1 - i);
  return axes.map((axis) => (axis < 0 ? axis + rank : axis));
}
