/** Folds: reductions, windows, and the exponentials of softmax. */
import { type CallForm, type Fold, GREATEST, SUM, windowsView } from '@baton/ops';
import {
  broadcastView,
  cast,
  type DType,
  isFloat,
  isSplat,
  type Shape,
  scalar,
  shapeSize,
  sliceView,
  type Tensor,
  transposeView,
} from '@baton/tensor';
import {
  type Apply,
  apply,
  type Element,
  literal,
  load,
  mapWindows,
  nodesOf,
  productIn,
  windowsOf,
} from './element.ts';
import type { Mode } from './kernel.ts';
import { roundedTo, widened } from './lower-half.ts';
import { DIVIDED } from './lower-map.ts';
import {
  compute,
  constantWindow,
  dtypeAt,
  elementAt,
  type Lowering,
  newBuffer,
  newResult,
  shapeAt,
  stored,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import type { RegionStep } from './region.ts';
import { alongAxis, type Window, windowOn } from './window.ts';

type FoldForm = Extract<CallForm, { readonly _tag: 'Reduce' | 'Window' }>;

/** A fold as a view: the axes of the result, then those that are folded. */
interface Folding {
  readonly fold: Fold;
  readonly view: (window: Window) => Window;
  /** The number of axes of the result. */
  readonly rank: number;
  /** The last state is divided by these counts, which broadcast against the result. */
  readonly divisor: Tensor | undefined;
  /** Whether a state of integers wraps to their type before it is divided. */
  readonly isWrapped: boolean;
}

function foldingOf(form: FoldForm, shape: Shape): Folding {
  const { fold } = form;
  if (form._tag === 'Window') {
    const { windows, divisor } = form;
    const view = (window: Window): Window => windowsView(window, windows);
    return { fold, view, rank: shape.length, divisor, isWrapped: false };
  }
  const { axes, divisor } = form;
  const kept = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  return {
    fold,
    view: (window) => transposeView(window, [...kept, ...axes]),
    rank: kept.length,
    divisor: divisor === undefined ? undefined : scalar(divisor, 'float64'),
    isWrapped: true,
  };
}

/** An argument of more nodes is stored before it is folded. */
const MAX_FOLDED_NODES = 12;

/** A fold over the elements of the only argument. */
export function folded(step: RegionStep, form: FoldForm, state: Lowering): ReadonlyArray<Value> {
  const [arg] = step.args as [number];
  const [result] = step.results as [number];
  const dtype = dtypeAt(arg, state);
  const folding = foldingOf(form, shapeAt(arg, state));
  const mode = state.abilities.fold(form.fold, dtype);
  const padding = form._tag === 'Window' ? form.padding : undefined;
  const isTooLarge = padding && shapeSize(shapeAround(arg, padding, state)) > MAX_PADDED;
  if (mode === undefined || isTooLarge) return referenced(step, state);
  const given = elementAt(arg, state);
  const isMade = given._tag === 'Load' || state.abilities.element(given) === mode;
  const isLong = nodesOf(given).length > MAX_FOLDED_NODES;
  if (productIn(given) !== undefined || isLong || !isMade) stored(arg, state);
  const element = padding
    ? load(folding.view(paddedWindow(arg, padding, form.fold.start, state)))
    : (mapWindows(elementAt(arg, state), folding.view) as Element);
  if (windowsOf(element).length === 0) return referenced(step, state);
  const out = newResult(result, state);
  fold({ element, folding, of: dtype, mode, out }, state);
  return [out];
}

type Padding = NonNullable<Extract<FoldForm, { readonly _tag: 'Window' }>['padding']>;

/** The most elements of an argument with its padding: more do not fit into memory. */
const MAX_PADDED = 2 ** 30;

const shapeAround = (arg: number, { before, after }: Padding, state: Lowering): Shape =>
  shapeAt(arg, state).map((dim, i) => dim + (before[i] as number) + (after[i] as number));

/** The argument in a larger buffer, with a number around it. */
function paddedWindow(
  arg: number,
  padding: Padding,
  value: number | bigint,
  state: Lowering,
): Window {
  const [shape, dtype] = [shapeAt(arg, state), dtypeAt(arg, state)];
  const larger = shapeAround(arg, padding, state);
  const out = newBuffer(dtype, larger, state);
  const border = constantWindow(scalar(value, dtype), state);
  compute(load(broadcastView(border, larger)), out, state);
  compute(elementAt(arg, state), sliceView(out, padding.before, shape), state);
  return out;
}

/** A fold of an element of a type into a window. */
interface FoldInto {
  readonly element: Element;
  readonly folding: Folding;
  readonly of: DType;
  readonly mode: Mode;
  readonly out: Window;
}

/** Adds the kernels of a fold, and the division by numbers that differ. */
function fold({ element, folding, of, mode, out }: FoldInto, state: Lowering): void {
  const { rank, divisor, isWrapped } = folding;
  const isVectors = mode === 'vectors';
  const shared =
    isVectors && element._tag === 'Load' ? sharedFold(element.window, folding, state) : undefined;
  const last = shared ?? element;
  const [window] = windowsOf(last);
  const kept = (window as Window).shape.slice(0, rank);
  const isStored = isWrapped && !isFloat(of);
  const isOne = divisor !== undefined && isSplat(divisor) && !isStored;
  const wide = isVectors ? of : isFloat(of) ? 'float64' : 'int64';
  const isApart = divisor !== undefined && !isOne;
  const sums = isApart && !isStored && wide !== of ? newBuffer(wide, out.shape, state) : out;
  state.kernels.push({
    _tag: 'Fold',
    element: last,
    fold: folding.fold,
    of,
    mode,
    divisor: isOne ? Number(divisor.data[divisor.offset]) : undefined,
    out: windowOn(sums.buffer, sums.dtype, kept),
  });
  if (!isApart) return;
  const by = broadcastView(constantWindow(cast(divisor, wide), state), out.shape);
  compute(apply(DIVIDED, of, [load(sums), load(by)], wide), out, state);
}

/** A pass of its own must save at least this share of the cost. */
const PASS_SHARE = 1 / 6;

/**
 * Windows that overlap along the last axis have columns in common: each column is folded once, into a
 * buffer, and what is left is a fold of a row of it. `undefined` if that saves too little.
 */
function sharedFold(window: Window, { rank, fold }: Folding, state: Lowering) {
  const { shape, strides } = window;
  const [turn, count] = [strides[rank - 1] ?? 0, shape[rank - 1] ?? 0];
  const [stride, size] = [strides.at(-1) as number, shape.at(-1) as number];
  if (shape.length < rank + 2 || shapeSize(shape) === 0 || turn <= 0 || stride <= 0)
    return undefined;
  const unit = greatestDivisor(turn, stride);
  const columns = ((count - 1) * turn + (size - 1) * stride) / unit + 1;
  const height = shapeSize(shape.slice(rank, -1));
  const alone = costOf(count * height * size, turn);
  const together = costOf(columns * height, unit) + costOf(count * size, turn / unit);
  if (together > alone * (1 - PASS_SHARE)) return undefined;
  const outer = shape.slice(0, rank - 1);
  const out = newBuffer(window.dtype, [...outer, columns], state);
  const column = {
    ...window,
    shape: [...outer, columns, ...shape.slice(rank, -1)],
    strides: [...strides.slice(0, rank - 1), unit, ...strides.slice(rank, -1)],
  };
  const common = { of: window.dtype, mode: 'vectors', divisor: undefined } as const;
  state.kernels.push({ _tag: 'Fold', element: load(column), fold, ...common, out });
  return load({
    ...out,
    shape: [...outer, count, size],
    strides: [...out.strides.slice(0, -1), turn / unit, stride / unit],
  });
}

/** What elements cost: a vector of them with gaps between are read in two pieces. */
const costOf = (elements: number, step: number): number => elements * (step === 1 ? 1 : 2);

function greatestDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** Exponentials along an axis: the greatest and the total of each row, then the shares. */
export function softmax(
  step: RegionStep,
  { axis, term, share }: Extract<CallForm, { readonly _tag: 'Softmax' }>,
  state: Lowering,
): ReadonlyArray<Value> {
  const [arg] = step.args as [number];
  const [shape, given] = [shapeAt(arg, state), dtypeAt(arg, state)];
  const dtype = given === 'float16' ? 'float32' : given;
  if (dtype !== 'float32' && dtype !== 'float64') return referenced(step, state);
  const probe = apply(term, dtype, [literal(0, dtype), literal(0, dtype)]);
  const [sum, greatestOf] = [SUM(dtype), GREATEST(dtype)];
  // The exponentials of doubles are those of the reference, one at a time.
  const termMode = state.abilities.element(probe);
  const isCode = termMode === 'vectors' || (termMode === 'singles' && dtype === 'float64');
  const isInAnyOrder = state.abilities.fold(sum, dtype) === 'vectors';
  if (!isCode || !isInAnyOrder) return referenced(step, state);
  const element = load(dtype === given ? stored(arg, state) : widened(arg, state));
  const greatest = load(overAxis(element, greatestOf, axis, shape, state));
  const power = apply(term, dtype, [element, greatest]);
  // An exponential takes longer than to write it and to read it twice.
  const each = share.of === 'term' ? load(computed(power, shape, state)) : power;
  const total = load(overAxis(each, sum, axis, shape, state));
  const of = share.of === 'term' ? each : element;
  const shares = apply(share.value, dtype, [of, greatest, total]);
  const value: Value = { _tag: 'Pending', shape, element: shares };
  return [dtype === given ? value : roundedTo(given, value, state)];
}

/** A buffer with the values of an element. */
function computed(element: Apply, shape: Shape, state: Lowering): Window {
  const out = newBuffer(element.dtype, shape, state);
  compute(element, out, state);
  return out;
}

/** The fold along an axis, repeated along it. */
function overAxis(
  element: Element,
  fold: Fold,
  axis: number,
  shape: Shape,
  state: Lowering,
): Window {
  const kept = shape.filter((_, i) => i !== axis);
  const [{ dtype }] = windowsOf(element) as [Window];
  const out = newBuffer(dtype, kept, state);
  const moved = mapWindows(element, (window) => ({
    ...window,
    shape: [...kept, shape[axis] as number],
    strides: [...window.strides.filter((_, i) => i !== axis), window.strides[axis] as number],
  })) as Element;
  state.kernels.push({
    _tag: 'Fold',
    element: moved,
    fold,
    of: dtype,
    mode: state.abilities.element(moved) as Mode,
    divisor: undefined,
    out,
  });
  return alongAxis(out, axis, shape);
}
