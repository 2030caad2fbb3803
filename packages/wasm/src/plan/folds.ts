/** Calls that make one element of many: reductions, pools, and shares of exponentials. */
import {
  exponentialsColumn,
  type Fold,
  type Folding,
  foldingColumn,
  GREATEST,
  SUM,
} from '@baton/ops';
import {
  broadcastView,
  cast,
  type DType,
  isFloat,
  isSplat,
  reshapeView,
  type Shape,
  scalar,
  shapeSize,
  sliceView,
  type Tensor,
} from '@baton/tensor';
import { noMemory, withoutElements } from './blank.ts';
import {
  apply,
  type Element,
  literal,
  load,
  mapWindows,
  nodesOf,
  productIn,
  windowsOf,
} from './element.ts';
import { DIVIDED } from './forms.ts';
import type { Mode } from './kernel.ts';
import {
  alongAxis,
  becomes,
  compute,
  constantWindow,
  dtypeAt,
  elementAt,
  type Lowering,
  newBuffer,
  newResult,
  shapeAt,
  store,
} from './lowering.ts';
import { blankTensor, type RegionStep } from './region.ts';

/** An argument of more nodes is stored before it is folded. */
const MAX_FOLDED_NODES = 12;

/** A fold over the elements of the only argument. */
export function asFold({ call, args, results }: RegionStep, state: Lowering): boolean {
  const [arg] = args;
  const [result] = results;
  if (typeof arg !== 'number' || args.length !== 1 || result === undefined) return false;
  const dtype = dtypeAt(arg, state);
  const rule = state.m.ops.read(foldingColumn, call.name);
  const folding = rule?.(call.attrs, shapeAt(arg, state), dtype);
  const mode = folding && state.abilities.fold(folding, dtype);
  if (folding === undefined || mode === undefined) return false;
  if (folding.padding && shapeSize(shapeAround(arg, folding.padding, state)) > MAX_PADDED)
    return false;
  const given = elementAt(arg, state);
  const isMade = given._tag === 'Load' || state.abilities.element(given) === mode;
  const isLong = nodesOf(given).length > MAX_FOLDED_NODES;
  if (productIn(given) !== undefined || isLong || !isMade) store(arg, state);
  const element = folding.padding
    ? load(folding.view(padded(arg, folding.padding, state)))
    : viewed(elementAt(arg, state), folding);
  if (element === undefined || windowsOf(element).length === 0) return false;
  const out = newResult(result, state);
  fold({ element, folding, of: dtype, mode, out }, state);
  return becomes(result, out, state);
}

const viewed = (element: Element, { view }: Folding): Element | undefined =>
  mapWindows(element, (window) => withoutElements(() => view(window)));

type Padding = NonNullable<Folding['padding']>;

/** The most elements of an argument with its padding: more do not fit into memory. */
const MAX_PADDED = 2 ** 30;

const shapeAround = (arg: number, { before, after }: Padding, state: Lowering): Shape =>
  shapeAt(arg, state).map((dim, i) => dim + (before[i] as number) + (after[i] as number));

/** The argument in a larger buffer, with a number around it. */
function padded(arg: number, padding: Padding, state: Lowering): Tensor {
  const { before, value } = padding;
  const [shape, dtype] = [shapeAt(arg, state), dtypeAt(arg, state)];
  const larger = shapeAround(arg, padding, state);
  const out = newBuffer(blankTensor(dtype, larger), false, state);
  const border = constantWindow(scalar(value, dtype), state);
  compute(load(broadcastView(border, larger)), out, state);
  compute(elementAt(arg, state), sliceView(out, before, shape), state);
  return out;
}

/** A fold of an element of a type into a window. */
interface FoldInto {
  readonly element: Element;
  readonly folding: Folding;
  readonly of: DType;
  readonly mode: Mode;
  readonly out: Tensor;
}

/** Adds the kernels of a fold, and the division by numbers that differ. */
function fold({ element, folding, of, mode, out }: FoldInto, state: Lowering): void {
  const { rank, divisor, isWrapped } = folding;
  const isVectors = mode === 'vectors';
  const shared =
    isVectors && element._tag === 'Load' ? sharedFold(element.window, folding, state) : undefined;
  const last = shared ?? element;
  const [window] = windowsOf(last);
  const kept = (window as Tensor).shape.slice(0, rank);
  const isStored = isWrapped && !isFloat(of);
  const isOne = divisor !== undefined && isSplat(divisor) && !isStored;
  const wide = isVectors ? of : isFloat(of) ? 'float64' : 'int64';
  const isApart = divisor !== undefined && !isOne;
  const sums =
    isApart && !isStored && wide !== of
      ? newBuffer(blankTensor(wide, out.shape), false, state)
      : out;
  state.kernels.push({
    _tag: 'Fold',
    element: last,
    fold: folding,
    of,
    mode,
    divisor: isOne ? Number(divisor.data[divisor.offset]) : undefined,
    out: reshapeView(sums, kept, noMemory),
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
function sharedFold(window: Tensor, { rank, start, step }: Folding, state: Lowering) {
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
  const out = newBuffer(blankTensor('float32', [...outer, columns]), false, state);
  const column = {
    ...window,
    shape: [...outer, columns, ...shape.slice(rank, -1)],
    strides: [...strides.slice(0, rank - 1), unit, ...strides.slice(rank, -1)],
  };
  const fold = { start, step };
  state.kernels.push({ _tag: 'Fold', element: load(column), fold, ...IN_VECTORS, out });
  return load({
    ...out,
    shape: [...outer, count, size],
    strides: [...out.strides.slice(0, -1), turn / unit, stride / unit],
  });
}

/** What a fold of float32 in vectors has. */
const IN_VECTORS = { of: 'float32', mode: 'vectors', divisor: undefined } as const;

/** What elements cost: four of them with gaps between are read in two pieces. */
const costOf = (elements: number, step: number): number => elements * (step === 1 ? 1 : 2);

function greatestDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** Exponentials along an axis: the greatest and the total of each row, then the shares. */
export function asExponentials({ call, args, results }: RegionStep, state: Lowering): boolean {
  const rule = state.m.ops.read(exponentialsColumn, call.name);
  const [arg] = args;
  const [result] = results;
  if (rule === undefined || typeof arg !== 'number' || result === undefined) return false;
  if (dtypeAt(arg, state) !== 'float32') return false;
  const shape = shapeAt(arg, state);
  const given = rule.axis(call.attrs);
  const axis = given < 0 ? given + shape.length : given;
  const probe = apply(rule.term, 'float32', [literal(0, 'float32'), literal(0, 'float32')]);
  const [sum, greatestOf] = [SUM('float32'), GREATEST('float32')];
  const modes = [state.abilities.element(probe), state.abilities.fold(sum, 'float32')];
  if (modes.some((mode) => mode !== 'vectors')) return false;
  store(arg, state);
  const element = elementAt(arg, state);
  const greatest = load(overAxis(element, greatestOf, axis, shape, state));
  const term = apply(rule.term, 'float32', [element, greatest]);
  const total = load(overAxis(term, sum, axis, shape, state));
  const share = apply(rule.element, 'float32', [element, greatest, total]);
  return becomes(result, { _tag: 'Pending', shape, element: share }, state);
}

/** The fold along an axis, repeated along it. */
function overAxis(
  element: Element,
  { start, step }: Fold,
  axis: number,
  shape: Shape,
  state: Lowering,
): Tensor {
  const kept = shape.filter((_, i) => i !== axis);
  const out = newBuffer(blankTensor('float32', kept), false, state);
  const moved = mapWindows(element, (window) => ({
    ...window,
    shape: [...kept, shape[axis] as number],
    strides: [...window.strides.filter((_, i) => i !== axis), window.strides[axis] as number],
  })) as Element;
  state.kernels.push({
    _tag: 'Fold',
    element: moved,
    fold: { start, step },
    ...IN_VECTORS,
    out,
  });
  return alongAxis(out, axis, shape);
}
