/** Reshapes, transposes and changes of layout that follow each other: rows 6 to 8 of passes.md §7. */
import { mergeSpans } from '@baton/base';
import type { Call, Expr } from '@baton/ir';
import { dimsOf, staticTensor } from '@baton/ops';
import { sameShape } from '@baton/tensor';
import { build, isCallOf, type Rule, type RuleContext } from './rule.ts';

/** `reshape(reshape(x)) => reshape(x)` to the final shape; a reshape to the shape of x is x. */
export const mergeReshapes: Rule = (call, context) => {
  const [arg] = call.args;
  if (!isCallOf(call, 'reshape') || arg === undefined) return undefined;
  const result = context.typeOf(call);
  const final = result && staticTensor(result);
  if (final === undefined) return undefined;
  const source = isCallOf(arg, 'reshape') ? arg.args[0] : arg;
  if (source === undefined) return undefined;
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
 * Two permutations of axes are one; the one that keeps every axis in its place is dropped. Changes
 * to and from layouts with blocks merge with each other.
 */
export const mergePermutations: Rule = (call, context) => {
  const [arg] = call.args;
  if (arg === undefined) return undefined;
  if (isIdentity(call, context)) {
    context.count(
      isCallOf(call, 'transpose') ? 'transpose of nothing' : 'layout_transform of nothing',
    );
    return arg;
  }
  if (arg._tag !== 'Call') return undefined;
  const [source] = arg.args;
  if (source === undefined) return undefined;
  const span = mergeSpans(call.span, arg.span);
  const outer = permutationOf(call, context);
  const inner = permutationOf(arg, context);
  if (outer !== undefined && inner !== undefined) {
    const axes = outer.map((axis) => inner[axis] ?? axis);
    context.count(isInPlace(axes) ? 'transpose of transpose cancels' : 'transpose of transpose');
    return isInPlace(axes) ? source : build(context, 'transpose', [source], span, { axes });
  }
  if (!isCallOf(call, 'layout_transform') || !isCallOf(arg, 'layout_transform')) return undefined;
  if (arg.attrs?.dst_layout !== call.attrs?.src_layout) return undefined;
  const from = arg.attrs?.src_layout;
  const to = call.attrs?.dst_layout;
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  const attrs = { src_layout: from, dst_layout: to };
  context.count(
    from === to
      ? 'layout_transform of layout_transform cancels'
      : 'layout_transform of layout_transform',
  );
  return from === to ? source : build(context, 'layout_transform', [source], span, attrs);
};

function isIdentity(call: Call, context: RuleContext): boolean {
  if (isCallOf(call, 'layout_transform')) return call.attrs?.src_layout === call.attrs?.dst_layout;
  const axes = isCallOf(call, 'transpose') ? permutationOf(call, context) : undefined;
  return axes !== undefined && isInPlace(axes);
}

const isInPlace = (axes: ReadonlyArray<number>): boolean => axes.every((axis, i) => axis === i);

/** For each axis of the result, the axis of the argument that it is. */
function permutationOf(call: Call, context: RuleContext): ReadonlyArray<number> | undefined {
  const [data] = call.args;
  if (isCallOf(call, 'transpose')) return transposeAxes(call, data && rankOf(data, context));
  if (!isCallOf(call, 'layout_transform')) return undefined;
  const from = call.attrs?.src_layout;
  const to = call.attrs?.dst_layout;
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  // Blocks are written in small letters.
  return WITHOUT_BLOCKS.test(from) && WITHOUT_BLOCKS.test(to)
    ? [...to].map((letter) => from.indexOf(letter))
    : undefined;
}

const WITHOUT_BLOCKS = /^[A-Z]+$/;

const rankOf = (expr: Expr, context: RuleContext): number | undefined =>
  dimsOf(context.typeOf(expr))?.length;

function transposeAxes(call: Call, rank: number | undefined): ReadonlyArray<number> | undefined {
  if (rank === undefined) return undefined;
  const axes = call.attrs?.axes;
  if (!Array.isArray(axes)) return Array.from({ length: rank }, (_, i) => rank - 1 - i);
  const numbers = axes.filter((axis) => typeof axis === 'number');
  return numbers.map((axis) => (axis < 0 ? axis + rank : axis));
}
