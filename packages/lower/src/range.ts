/** Bounds of elements: what is known of integers before the program runs. */
import type { NodeName, Scalar } from '@baton/ops';
import { type DType, dtypeInfo, isFloat, isInteger } from '@baton/tensor';
import { type Element, nodesOf } from './element.ts';
import type { Window } from './window.ts';

/** The least and the greatest value. */
export type Range = readonly [least: number, most: number];

/** No bounds. A float may be NaN as well, whatever its bounds. */
const ANY: Range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** The numbers of a type. */
export function rangeOfType(dtype: DType): Range {
  if (isFloat(dtype)) return ANY;
  if (dtype === 'bool') return [0, 1];
  const { min, max } = dtypeInfo(dtype);
  return [Number(min), Number(max)];
}

/** Whether all numbers of a range are of a type. */
export const isWithinType = ([least, most]: Range, dtype: DType): boolean => {
  const [low, high] = rangeOfType(dtype);
  return low <= least && most <= high;
};

/** The bounds of an element; `rangeOfWindow` gives those of what is loaded, if it knows better. */
export function rangeOf(
  element: Element,
  rangeOfWindow: (window: Window) => Range = ({ dtype }) => rangeOfType(dtype),
): Range {
  const known = new Map<Element, Range>();
  for (const node of nodesOf(element)) known.set(node, ofNode(node, known, rangeOfWindow));
  return known.get(element) ?? ANY;
}

function ofNode(
  node: Element,
  known: ReadonlyMap<Element, Range>,
  rangeOfWindow: (window: Window) => Range,
): Range {
  if (node._tag === 'Load') return rangeOfWindow(node.window);
  if (node._tag === 'Literal') return [node.value, node.value];
  if (node._tag === 'Product') return rangeOfType(node.dtype);
  const before = rangeBefore(
    node.expr,
    node.args.map((arg) => known.get(arg) ?? ANY),
  );
  if (isWithinType(before, node.dtype)) return isInteger(node.dtype) ? truncated(before) : before;
  return rangeOfType(node.dtype);
}

const truncated = ([least, most]: Range): Range => [Math.trunc(least), Math.trunc(most)];

/** The bounds of an expression of operands of these bounds, computed without bounds. */
export function rangeBefore(root: Scalar, args: ReadonlyArray<Range>): Range {
  const visit = (expr: Scalar): Range => {
    if (expr._tag === 'Argument') return args['xyz'.indexOf(expr.name)] ?? ANY;
    if (expr._tag === 'Constant') return [expr.value, expr.value];
    if (expr._tag === 'Width') return ANY;
    const [a = ANY, b = ANY] = expr.args.map(visit);
    const found = RANGES[expr.name]?.(a, b);
    return found === undefined || found.some(Number.isNaN) ? ANY : found;
  };
  return visit(root);
}

type OfRanges = (a: Range, b: Range) => Range;

const ofAll =
  (f: (x: number, y: number) => number): OfRanges =>
  ([a, b], [c, d]) => {
    const all = [f(a, c), f(a, d), f(b, c), f(b, d)];
    return all.some(Number.isNaN) ? ANY : [Math.min(...all), Math.max(...all)];
  };

const ofEach =
  (f: (x: number) => number): OfRanges =>
  ([a, b]) => [f(a), f(b)];

const RANGES: { readonly [Name in NodeName]?: OfRanges } = {
  neg: ([a, b]) => [-b, -a],
  floor: ofEach(Math.floor),
  ceil: ofEach(Math.ceil),
  trunc: ofEach(Math.trunc),
  // Halves go to the nearest even number.
  rint: ([a, b]) => [Math.floor(a), Math.ceil(b)],
  add: ([a, b], [c, d]) => [a + c, b + d],
  sub: ([a, b], [c, d]) => [a - d, b - c],
  mul: ofAll((x, y) => x * y),
  min: ofAll(Math.min),
  max: ofAll(Math.max),
};
