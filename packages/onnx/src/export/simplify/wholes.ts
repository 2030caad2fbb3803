/** Operators with a choice that Relay says with more calls: of signs, of directions, of places. */
import { mergeSpans, spanLeaves } from '@baton/base';
import { fromNumbers, reshapeView, shapeSize } from '@baton/tensor';
import { int } from '../../operator-api/attribute-values.ts';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand, type DraftNode } from '../graph-builder.ts';
import { isValid } from '../misfit.ts';
import { matchNode, node, number } from './match.ts';
import { knownSizes, numberAttribute, numbersOf, type Step, type Surroundings } from './steps.ts';

/** The node that a node with those before it is. */
type Whole = (root: DraftNode, graph: Surroundings) => DraftNode | undefined;

export const wholes: Step = (root, graph) => {
  for (const whole of WHOLES) {
    const made = whole(root, graph);
    if (made !== undefined && isValid(made, graph.opset)) return [made];
  }
  return undefined;
};

/** Infinities of one sign. */
const ofOneSign: Whole = (root, graph) => {
  if (root.opType !== 'And') return undefined;
  for (const [opType, sign] of SIGNS) {
    const pattern = node('And', node('IsInf', 'data'), node(opType, 'data', 0));
    const { data } = matchNode(pattern, root, graph, { shares: true })?.tensors ?? {};
    if (data === undefined) continue;
    return { ...root, opType: 'IsInf', inputs: [data], attributes: { [sign]: int(0) } };
  }
  return undefined;
};

/** The sign that is not wanted, by the comparison with 0. */
const SIGNS = [
  ['Less', 'detect_positive'],
  ['Greater', 'detect_negative'],
] as const;

/** A sum of all before, counted from the end: a sum between two slices that turn the axis. */
const fromTheEnd: Whole = (root, { maker, isUsedOnce }) => {
  const [summed] = root.inputs;
  const sum = maker(summed);
  const [turned, axis] = sum?.inputs ?? [];
  const first = maker(turned);
  const [x] = first?.inputs ?? [];
  if (sum?.opType !== 'CumSum' || first === undefined || x === undefined) return undefined;
  if (summed === undefined || turned === undefined || !isUsedOnce(summed) || !isUsedOnce(turned)) {
    return undefined;
  }
  const [place] = numbersOf(axis) ?? [];
  if (place === undefined || turnedAxis(root) !== place || turnedAxis(first) !== place) {
    return undefined;
  }
  const attributes = { ...sum.attributes, reverse: int(1) };
  const span = mergeSpans(first.span, sum.span, root.span);
  return { ...sum, inputs: [x, axis], outputs: root.outputs, attributes, span };
};

/** The axis that a slice reads from its last place to its first. */
function turnedAxis({ opType, inputs: [x, ...lists] }: DraftNode): number | undefined {
  const [starts, ends, axes, steps] = lists.map((list) => numbersOf(list));
  const isTurned = String(starts) === '-1' && String(steps) === '-1' && axes?.length === 1;
  const size = x === undefined ? undefined : knownSizes(x)?.[axes?.[0] ?? -1];
  const isWhole = (ends?.[0] ?? 0) <= (size === undefined ? FAR : -size - 1);
  return opType === 'Slice' && isTurned && isWhole ? axes[0] : undefined;
}

/** A slice that ends here is as long as its axis. */
const FAR = -(2 ** 31 - 1);

/** One place of each row is on: the place is compared with all places. */
const onePlace: Whole = (root, graph) => {
  const { yes, no, each, places } = matchNode(ONE_PLACE, root, graph)?.tensors ?? {};
  const [result] = root.outputs;
  const made = graph.maker(each);
  const known = each && result && constantPlaces(each, places, result);
  if (known !== undefined) {
    const { constant, count, axis } = known;
    const values = pairOf(no, yes);
    const attributes = { axis: int(axis) };
    return values && { ...root, opType: 'OneHot', inputs: [constant, count, values], attributes };
  }
  const [indices, axes] = made?.inputs ?? [];
  const depth = places?.constant === undefined ? 0 : shapeSize(places.constant.shape);
  if (indices === undefined || axes === undefined || result === undefined) return undefined;
  if (made?.opType !== 'Unsqueeze' || !isCounting(places)) return undefined;
  const [axis, ...others] = numbersOf(axes) ?? [];
  const rank = knownSizes(result)?.length ?? 0;
  if (axis === undefined || others.length > 0 || axis < 0) return undefined;
  if (knownSizes(result)?.[axis] !== depth || !isAlong(places, axis, rank)) return undefined;
  const values = pairOf(no, yes);
  const source = positive(indices, depth, graph);
  if (values === undefined || source === undefined) return undefined;
  const maxima = source.opType === 'ArgMax' ? hardmax(source, values, axis) : undefined;
  if (maxima !== undefined) return { ...root, ...maxima };
  const count = constantOperand(fromNumbers(Float64Array.of(depth), [], 'int64'));
  const attributes = { axis: int(axis === rank - 1 ? -1 : axis) };
  return { ...root, opType: 'OneHot', inputs: [source.indices, count, values], attributes };
};

/** Constant places, none of which counts from the end, with the number of places and their axis. */
function constantPlaces(
  each: Operand,
  places: Operand | undefined,
  result: Operand,
): { readonly constant: Operand; readonly count: Operand; readonly axis: number } | undefined {
  const sizes = knownSizes(result) ?? [];
  const depth = places?.constant === undefined ? 0 : shapeSize(places.constant.shape);
  const shape = each.constant?.shape ?? [];
  const axis = sizes.length - (places?.constant?.shape.length ?? 0);
  const isOwn =
    shape.length === sizes.length &&
    sizes.every((size, i) => shape[i] === (i === axis ? 1 : size)) &&
    sizes[axis] === depth;
  if (!isOwn || each.constant === undefined || !isCounting(places)) return undefined;
  if (!isAlong(places, axis, sizes.length) || numbersOf(each)?.some((at) => at < 0)) {
    return undefined;
  }
  const dropped = reshapeView(
    each.constant,
    shape.filter((_, i) => i !== axis),
  );
  const count = constantOperand(fromNumbers(Float64Array.of(depth), [], 'int64'));
  return { constant: constantOperand(dropped, each.hint), count, axis };
}

const ONE_PLACE = node('Where', node('Equal', 'each', 'places'), 'yes', 'no');

/** Whether a constant counts from 0. */
const isCounting = (places: Operand | undefined): boolean =>
  numbersOf(places)?.every((place, i) => place === i) === true;

/** Whether a constant lies along an axis of a tensor of that rank. */
function isAlong(places: Operand | undefined, axis: number, rank: number): boolean {
  const shape = places?.constant?.shape ?? [];
  return shape.length === rank - axis && shape.slice(1).every((size) => size === 1);
}

/** Two constants of one element as a list. */
function pairOf(off: Operand | undefined, on: Operand | undefined): Operand | undefined {
  const [[no, ...more] = [], [yes, ...others] = []] = [numbersOf(off), numbersOf(on)];
  const dtype = on?.constant?.dtype;
  if (no === undefined || yes === undefined || more.length + others.length > 0) return undefined;
  return dtype && constantOperand(fromNumbers(Float64Array.of(no, yes), [2], dtype));
}

interface Places {
  readonly indices: Operand;
  /** The operator that finds the places, if one does. */
  readonly opType?: string;
  readonly made?: DraftNode;
}

/** Places of which negative ones count from the end, as ONNX takes them, or places of maxima. */
function positive(places: Operand, depth: number, graph: Surroundings): Places | undefined {
  const made = graph.maker(places);
  const fromEnd = made && matchNode(FROM_END, made, graph, { shares: true });
  if (fromEnd?.numbers.depth === depth && fromEnd.tensors.at !== undefined) {
    return { indices: fromEnd.tensors.at };
  }
  const finder = made?.opType === 'Cast' ? graph.maker(made.inputs[0]) : made;
  const [found] = finder?.outputs ?? [];
  const isFinder = finder?.opType === 'ArgMax' || finder?.opType === 'ArgMin';
  return isFinder && found ? { indices: found, opType: finder.opType, made: finder } : undefined;
}

const FROM_END = node('Where', node('Less', 'at', 0), node('Add', 'at', number('depth')), 'at');

/** The greatest element of each row as 1, the others as 0. */
function hardmax(
  { made }: Places,
  values: Operand,
  axis: number,
): Pick<DraftNode, 'opType' | 'inputs' | 'attributes'> | undefined {
  const isOnAxis =
    made !== undefined &&
    numberAttribute(made, 'axis') === axis &&
    numberAttribute(made, 'keepdims') === 0 &&
    (numberAttribute(made, 'select_last_index') ?? 0) === 0;
  const isOne = String(numbersOf(values)) === '0,1';
  const [x] = made?.inputs ?? [];
  if (!isOnAxis || !isOne || x?.type.dtype !== values.type.dtype) return undefined;
  return { opType: 'Hardmax', inputs: [x], attributes: { axis: int(axis) } };
}

/** Operators of any number of tensors. */
const VARIADIC: ReadonlySet<string> = new Set(['Max', 'Min', 'Sum', 'Mean']);

/** A chain of two operators of any number of tensors; sums only where they were one node before. */
const ofMany: Whole = (root, { maker, isUsedOnce }) => {
  const [x, ...others] = root.inputs;
  const before = maker(x);
  if (before === undefined || x === undefined || !isUsedOnce(x)) return undefined;
  const isOne = isSameNode(root, before);
  const span = mergeSpans(before.span, root.span);
  const inputs = [...before.inputs, ...others];
  if (VARIADIC.has(root.opType) && root.opType === before.opType && root.opType !== 'Mean') {
    return { ...root, inputs, span };
  }
  const isSum = before.opType === 'Add' || before.opType === 'Sum';
  if (!isOne || !isSum) return undefined;
  if (root.opType === 'Add') return { ...root, opType: 'Sum', inputs, span };
  const [share, ...rest] = numbersOf(others[0]) ?? [];
  const isMean =
    root.opType === 'Mul'
      ? Math.abs((share ?? 0) * before.inputs.length - 1) < 1e-6
      : root.opType === 'Div' && share === before.inputs.length;
  return isMean && rest.length === 0
    ? { ...root, opType: 'Mean', inputs: before.inputs, span }
    : undefined;
};

/** Whether two nodes come from one node of the original. */
function isSameNode(a: DraftNode, b: DraftNode): boolean {
  const [[one, ...more], [other, ...others]] = [spanLeaves(a.span), spanLeaves(b.span)];
  return (
    one?._tag === 'NodeSpan' &&
    other?._tag === 'NodeSpan' &&
    one.name === other.name &&
    one.op === other.op &&
    more.length + others.length === 0
  );
}

const WHOLES: ReadonlyArray<Whole> = [ofOneSign, fromTheEnd, onePlace, ofMany];
