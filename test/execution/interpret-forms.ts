/**
 * The reference interpreter of forms: computes a call from its form only, element by element.
 * Kernels and compiled code agree with it.
 */
import { invariant } from '@baton/base';
import {
  broadcastView,
  cast,
  type DType,
  heap,
  isBig,
  isFloat,
  isTensor,
  type Memory,
  type NumberData,
  reshapeView,
  type Shape,
  scalar,
  shapeSize,
  type Tensor,
  transposeView,
} from '@baton/tensor';
import type { CallForm } from '../../packages/ops/src/form/call-form.ts';
import { operandsOf } from '../../packages/ops/src/form/kernel.ts';
import type { Step } from '../../packages/ops/src/form/steps.ts';
import { windowsView } from '../../packages/ops/src/form/windows.ts';
import { COMBINATIONS } from '../../packages/ops/src/kernels/combine.ts';
import type { AffineIndex } from '../../packages/ops/src/kernels/contraction.ts';
import { forEachIndex } from '../../packages/ops/src/kernels/index-map.ts';
import { onElements } from '../../packages/ops/src/kernels/loops.ts';
import type { Border } from '../../packages/ops/src/kernels/pad.ts';
import type { Element } from '../../packages/ops/src/kernels/scalar-rule.ts';
import { finish, loadDense, resultBuffer } from '../../packages/ops/src/kernels/values.ts';
import { moved } from '../../packages/ops/src/moves.ts';
import type { Scalar } from '../../packages/ops/src/scalar/expr.ts';
import type { Fold } from '../../packages/ops/src/scalar/folds.ts';
import type { OpValue } from '../../packages/ops/src/value.ts';

interface Result {
  readonly shape: Shape;
  readonly dtype: DType;
}

type FormOf<T extends CallForm['_tag']> = Extract<CallForm, { readonly _tag: T }>;

/**
 * `undefined` if the form is opaque. **Complexity** a step for each element, and for each that it
 * is computed from.
 */
export function interpretForm(
  form: CallForm,
  args: ReadonlyArray<OpValue>,
  result: Result,
  memory: Memory = heap,
): OpValue | undefined {
  const tensors = args.flatMap((arg) => (isTensor(arg) ? [arg] : arg.filter(isTensor)));
  const [data, other] = tensors;
  if (data === undefined) return undefined;
  const inResult: Interpretation = { result, memory };
  switch (form._tag) {
    case 'Opaque':
      return undefined;
    case 'Map':
      return mapped(form, tensors, inResult);
    case 'Convert':
      return cast(data, result.dtype, memory);
    case 'Reduce':
      return reduced(form, data, inResult);
    case 'Window':
      return slid(form, data, inResult);
    case 'View': {
      const views = form.views.map(({ argument, field, moves }) => {
        const arg = args[argument] as OpValue;
        return moved((isTensor(arg) ? arg : arg[field]) as Tensor, moves, memory);
      });
      return views.length === 1 && isTensor(args[0] as OpValue) ? (views[0] as Tensor) : views;
    }
    case 'Gather':
      return gathered(form, data, other as Tensor, inResult);
    case 'Scatter':
      return scattered(form, data, other as Tensor, tensors[2] as Tensor, inResult);
    case 'Scan':
      return scanned(form, data, inResult);
    case 'Pad':
      return padded(form, data, elements(other as Tensor, memory)[0] as Element, inResult);
    case 'Concat':
      return concatenated(form, tensors, inResult);
    case 'Contract':
      return contracted(form, operandsOf(form, tensors, memory), inResult);
    case 'Interpolate':
      return interpolated(form, data, inResult);
    case 'Steps':
      return stepped(form, tensors, inResult);
    case 'Softmax':
      return shared(form, data, inResult);
  }
}

interface Interpretation {
  readonly result: Result;
  readonly memory: Memory;
}

/** In row-major order; short floats as numbers. */
const elements = (t: Tensor, memory: Memory): ReadonlyArray<Element> =>
  // An array of numbers or of bigints.
  loadDense(t, memory) as unknown as ReadonlyArray<Element>;

function filled(
  { result, memory }: Interpretation,
  elementAt: (index: ReadonlyArray<number>, linear: number) => Element,
  { shape, dtype }: Result = result,
): Tensor {
  const out = resultBuffer(dtype, shapeSize(shape), memory) as NumberData;
  forEachIndex(shape, (index, linear) => {
    out[linear] = elementAt(index, linear) as number;
  });
  return finish(out, shape, dtype, memory);
}

function functionOf(expr: Scalar, dtype: DType): (...given: ReadonlyArray<Element>) => Element {
  const apply = onElements(expr, dtype);
  invariant(apply !== undefined, 'an expression has a meaning for the type of its elements');
  // Numbers or bigints, by the dtype.
  return apply as unknown as (...given: ReadonlyArray<Element>) => Element;
}

function mapped(
  { expr, of, numbers, vectorAxis }: FormOf<'Map'>,
  tensors: ReadonlyArray<Tensor>,
  to: Interpretation,
): Tensor {
  const { shape } = to.result;
  const apply = functionOf(expr, of);
  const last = numbers.map((value) => scalar(value, of, to.memory));
  const operands = [...tensors, ...last].map((t, i) => {
    const isVector = i === 1 && vectorAxis !== undefined;
    const dims = isVector ? [...t.shape, ...shape.slice(vectorAxis + 1).map(() => 1)] : t.shape;
    const all = elements(broadcastView(reshapeView(t, dims, to.memory), shape), to.memory);
    // A condition is a boolean.
    const isCondition = isBig(t.dtype) && !isBig(of);
    return (at: number): Element => (isCondition ? Number(all[at] !== 0n) : (all[at] as Element));
  });
  return filled(to, (_index, at) => apply(...operands.map((operand) => operand(at))));
}

function reduced(
  { fold, axes, divisor }: FormOf<'Reduce'>,
  data: Tensor,
  to: Interpretation,
): Tensor {
  const kept = data.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const rows = transposeView(data, [...kept, ...axes]);
  const isReal = isFloat(to.result.dtype);
  const by = divisor === undefined ? undefined : () => divisor;
  const states = folded(rows, kept.length, fold, isReal ? by : undefined, to);
  const result = reshapeView(states, to.result.shape, to.memory);
  if (isReal || divisor === undefined) return result;
  // The total of integers wraps before it is divided.
  const totals = elements(result, to.memory);
  return filled(to, (_index, at) => quotient(totals[at] as Element, divisor));
}

/** Of integers truncated, 0 for no elements. */
function quotient(total: Element, count: number): Element {
  if (typeof total !== 'bigint') return Math.trunc(total / count);
  return count === 0 ? 0n : total / BigInt(count);
}

function slid(
  { fold, windows, padding, divisor }: FormOf<'Window'>,
  data: Tensor,
  to: Interpretation,
): Tensor {
  const whole = padding === undefined ? data : padded(padding, data, fold.start, to, 'around');
  const counts = divisor && elements(broadcastView(divisor, to.result.shape), to.memory);
  const by = counts && ((at: number) => counts[at] as number);
  return folded(windowsView(whole, windows), data.shape.length, fold, by, to);
}

/** Reduces the last axes of `rows`; its first `rank` axes are those of the result. */
function folded(
  rows: Tensor,
  rank: number,
  { start, step, finds }: Fold,
  divisor: ((at: number) => number) | undefined,
  to: Interpretation,
): Tensor {
  const all = elements(rows, to.memory);
  const shape = rows.shape.slice(0, rank);
  const length = shapeSize(rows.shape.slice(rank));
  // A state of booleans is a number.
  const next = functionOf(step, rows.dtype === 'bool' ? 'int32' : rows.dtype);
  const isReal = isFloat(to.result.dtype);
  const divided = (state: Element, by: number): Element =>
    isReal ? (state as number) / by : quotient(state, by);
  const elementAt = (_index: ReadonlyArray<number>, at: number): Element => {
    let state: Element = start;
    let found = 0;
    for (let i = 0; i < length; i++) {
      const element = all[at * length + i] as Element;
      const stepped = next(state, element);
      if (finds !== true) state = stepped;
      else if (Number(stepped) !== 0) [state, found] = [element, i];
    }
    if (finds === true) return found;
    return divisor === undefined ? state : divided(state, divisor(at));
  };
  return filled(to, elementAt, { shape, dtype: to.result.dtype });
}

/** Pads with one value; a negative width crops. */
function padded(
  { before, after }: Border,
  data: Tensor,
  value: Element,
  to: Interpretation,
  as: 'result' | 'around' = 'result',
): Tensor {
  const all = elements(data, to.memory);
  const larger = data.shape.map((dim, i) => dim + (before[i] ?? 0) + (after[i] ?? 0));
  const elementAt = (index: ReadonlyArray<number>): Element => {
    let place = 0;
    for (const [i, dim] of data.shape.entries()) {
      const at = (index[i] as number) - (before[i] ?? 0);
      if (at < 0 || at >= dim) return value;
      place = place * dim + at;
    }
    return all[place] as Element;
  };
  const { dtype } = data;
  return filled(to, elementAt, as === 'result' ? to.result : { shape: larger, dtype });
}

function gathered(
  { axis, batch, isWrapped }: FormOf<'Gather'>,
  data: Tensor,
  indices: Tensor,
  to: Interpretation,
): Tensor {
  const flat = axis === undefined ? [shapeSize(data.shape)] : data.shape;
  const at = axis ?? 0;
  const [from, places] = [elements(data, to.memory), elements(indices, to.memory)];
  const dim = flat[at] as number;
  const rank = indices.shape.length - batch;
  return filled(to, (index) => {
    const lead = index.slice(0, at);
    const own = [...index.slice(0, batch), ...index.slice(at, at + rank)];
    const given = Number(places[placeIn(own, indices.shape)]);
    const place = isWrapped ? ((given % dim) + dim) % dim : Math.min(Math.max(given, 0), dim - 1);
    return from[placeIn([...lead, place, ...index.slice(at + rank)], flat)] as Element;
  });
}

/** Applies each update in order, at its index tuple or at its index along the axis. */
function scattered(
  { axis, mode }: FormOf<'Scatter'>,
  data: Tensor,
  indices: Tensor,
  updates: Tensor,
  to: Interpretation,
): Tensor {
  const [from, places, added] = [data, indices, updates].map((t) => elements(t, to.memory)) as [
    ReadonlyArray<Element>,
    ReadonlyArray<Element>,
    ReadonlyArray<Element>,
  ];
  const { shape, dtype } = data;
  const out = resultBuffer(dtype, from.length, to.memory) as NumberData;
  from.forEach((element, at) => {
    out[at] = element as number;
  });
  const counts = new Uint32Array(out.length).fill(1);
  const join = functionOf(COMBINATIONS[mode === 'mean' ? 'add' : mode], dtype);
  const within = (index: Element | undefined, dim: number): number => {
    const given = Number(index);
    return given < 0 ? given + dim : given;
  };
  forEachIndex(updates.shape, (index, linear) => {
    const columns = index.slice(0, indices.shape.length - 1);
    const place =
      axis === undefined
        ? shape.map((dim, i) => {
            const length = indices.shape[0] as number;
            if (i >= length) return index[columns.length + i - length] as number;
            return within(places[placeIn([i, ...columns], indices.shape)], dim);
          })
        : index.map((at, i) => (i === axis ? within(places[linear], shape[i] as number) : at));
    if (place.some((at, i) => at < 0 || at >= (shape[i] as number))) return;
    const at = placeIn(place, shape);
    counts[at] = (counts[at] as number) + 1;
    out[at] = join(out[at] as Element, added[linear] as Element) as number;
  });
  counts.forEach((count, at) => {
    const sum = out[at] as Element;
    if (mode !== 'mean' || count === 1) return;
    out[at] = (typeof sum === 'bigint' ? sum / BigInt(count) : sum / count) as number;
  });
  return finish(out, shape, dtype, to.memory);
}

function scanned(
  { axis, combine, exclusive }: FormOf<'Scan'>,
  data: Tensor,
  to: Interpretation,
): Tensor {
  const { shape, dtype } = to.result;
  const all = elements(cast(data, dtype, to.memory), to.memory);
  const join = functionOf(COMBINATIONS[combine], dtype);
  const neutral = combine === 'add' ? 0 : 1;
  const cell = isFloat(dtype) ? new Float64Array(1) : (resultBuffer(dtype, 1, heap) as NumberData);
  const at = axis ?? 0;
  return filled(to, (index) => {
    cell[0] = (isBig(dtype) ? BigInt(neutral) : neutral) as number;
    const last = (index[at] as number) - (exclusive ? 1 : 0);
    for (let i = 0; i <= last; i++) {
      const place = placeIn(
        index.map((own, a) => (a === at ? i : own)),
        shape,
      );
      cell[0] = join(cell[0] as Element, all[place] as Element) as number;
    }
    return cell[0] as Element;
  });
}

const placeIn = (index: ReadonlyArray<number>, shape: Shape): number =>
  shape.reduce((place, dim, axis) => place * dim + (index[axis] as number), 0);

function concatenated(
  { axis, isNew }: FormOf<'Concat'>,
  tensors: ReadonlyArray<Tensor>,
  to: Interpretation,
): Tensor {
  const parts = tensors.map((t) => {
    const shape = isNew ? [...t.shape.slice(0, axis), 1, ...t.shape.slice(axis)] : t.shape;
    return { shape, all: elements(t, to.memory), size: shape[axis] as number };
  });
  const ends: number[] = [];
  for (const { size } of parts) ends.push((ends.at(-1) ?? 0) + size);
  return filled(to, (index) => {
    const at = index[axis] as number;
    const number = ends.findIndex((end) => at < end);
    const { shape, all, size } = parts[number] as (typeof parts)[number];
    const start = (ends[number] as number) - size;
    const own = index.map((place, i) => (i === axis ? place - start : place));
    return all[placeIn(own, shape)] as Element;
  });
}

/** Computes the steps from the values of all arguments. */
function stepped(
  { axis, steps }: FormOf<'Steps'>,
  tensors: ReadonlyArray<Tensor>,
  to: Interpretation,
): Tensor | undefined {
  const { shape } = to.result;
  const root = steps((index) => tensors[index]);
  const spread = (t: Tensor): Tensor => {
    const dims =
      t.shape.length === 1 ? [...t.shape, ...shape.slice(axis + 1).map(() => 1)] : t.shape;
    return broadcastView(reshapeView(t, dims, to.memory), shape);
  };
  const elementsOf = (step: Step): Tensor => {
    if (step._tag === 'OfArgument') {
      const own = tensors[step.index] as Tensor;
      return step.index === 0 ? own : spread(own);
    }
    if (step._tag === 'OfConstant') return spread(step.data);
    const { expr, of, dtype, args } = step;
    const apply = functionOf(expr, of);
    const operands = args.map((arg) =>
      elements(asOperand(elementsOf(arg), of, to.memory), to.memory),
    );
    const values = filled(
      to,
      (_, at) => apply(...operands.map((operand) => operand[at] as Element)),
      { shape, dtype: of },
    );
    return cast(values, dtype, to.memory);
  };
  return root && elementsOf(root);
}

/** Elements as bigints if the computation uses them; numbers are unchanged. */
const asOperand = (t: Tensor, of: DType, memory: Memory): Tensor =>
  isBig(of) && !isBig(t.dtype) ? cast(t, of, memory) : t;

function contracted(
  { sizes, operands, result }: FormOf<'Contract'>,
  tensors: ReadonlyArray<Tensor>,
  to: Interpretation,
): Tensor {
  const { shape, dtype } = to.result;
  const isExact = !tensors.some((t) => isFloat(t.dtype));
  const all = tensors.map((t) => elements(t, to.memory));
  const kept = new Set(result.flatMap(({ terms }) => terms.map(({ label }) => label)));
  const outer = [...sizes.keys()].filter((label) => kept.has(label));
  const summed = [...sizes.keys()].filter((label) => !kept.has(label));
  const sizesOf = (labels: ReadonlyArray<string>): Shape =>
    labels.map((label) => sizes.get(label) as number);
  const at = new Map<string, number>();
  const enter = (labels: ReadonlyArray<string>, index: ReadonlyArray<number>): void =>
    labels.forEach((label, i) => {
      at.set(label, index[i] as number);
    });
  const out = new Array<Element>(shapeSize(shape)).fill(0);
  forEachIndex(sizesOf(outer), (index) => {
    enter(outer, index);
    // Integers are summed exactly, and wrap at the end.
    let sum: Element = isExact ? 0n : 0;
    forEachIndex(sizesOf(summed), (inner) => {
      enter(summed, inner);
      let product: Element = isExact ? 1n : 1;
      tensors.forEach((t, i) => {
        const place = placeOf(operands[i] ?? [], t.shape, at);
        const element = place === undefined ? 0 : (all[i]?.[place] as Element);
        product = isExact
          ? (product as bigint) * BigInt(element)
          : (product as number) * Number(element);
      });
      sum = isExact ? (sum as bigint) + (product as bigint) : (sum as number) + (product as number);
    });
    out[placeOf(result, shape, at) as number] = sum;
  });
  return filled(to, (_index, linear) => inType(out[linear] as Element, dtype));
}

/** Converts a sum to a dtype; an exact sum wraps. */
const inType = (sum: Element, dtype: DType): Element =>
  typeof sum === 'bigint' && !isBig(dtype) ? Number(BigInt.asIntN(32, sum)) : sum;

/** The offset that affine indices address; `undefined` outside of the tensor. */
function placeOf(
  axes: ReadonlyArray<AffineIndex>,
  shape: Shape,
  at: ReadonlyMap<string, number>,
): number | undefined {
  let place = 0;
  for (const [axis, { terms, offset }] of axes.entries()) {
    const dim = shape[axis] as number;
    const index = terms.reduce(
      (sum, { label, factor }) => sum + factor * (at.get(label) as number),
      offset,
    );
    if (index < 0 || index >= dim) return undefined;
    place = place * dim + index;
  }
  return place;
}

function interpolated({ axes }: FormOf<'Interpolate'>, data: Tensor, to: Interpretation): Tensor {
  let [shape, from] = [data.shape, elements(data, to.memory)];
  for (const { axis, taps } of axes) {
    const made: Element[] = [];
    const next = shape.map((dim, i) => (i === axis ? taps.length : dim));
    forEachIndex(next, (index) => {
      const { places, weights } = taps[index[axis] as number] as (typeof taps)[number];
      const parts = places.map((place, k) => {
        const at = index.map((own, i) => (i === axis ? place : own));
        const element = from[placeIn(at, shape)] as Element;
        return weights[k] === 1 && places.length === 1
          ? element
          : (weights[k] as number) * (element as number);
      });
      made.push(parts.reduce((sum, part) => (sum as number) + (part as number)));
    });
    [shape, from] = [next, made];
  }
  return filled(to, (_index, at) => from[at] as Element);
}

function shared(
  { axis, term, share }: FormOf<'Softmax'>,
  data: Tensor,
  to: Interpretation,
): Tensor {
  const { dtype } = to.result;
  const last = data.shape.map((_, i) => i).filter((i) => i !== axis);
  const rows = elements(transposeView(data, [...last, axis]), to.memory) as ReadonlyArray<number>;
  const length = data.shape[axis] as number;
  const [powerOf, shareOf] = [functionOf(term, dtype), functionOf(share.value, dtype)];
  const shares: number[] = [];
  for (let start = 0; start < rows.length; start += length) {
    const row = rows.slice(start, start + length);
    const greatest = row.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const terms = Array.from(row, (value) => powerOf(value, greatest) as number);
    const total = terms.reduce((sum, one) => sum + one, 0);
    for (const value of share.of === 'term' ? terms : row) {
      shares.push(shareOf(value, greatest, total) as number);
    }
  }
  return filled(to, (index) => {
    const row = placeIn(
      last.map((i) => index[i] as number),
      last.map((i) => data.shape[i] as number),
    );
    return shares[row * length + (index[axis] as number)] as number;
  });
}
