/** Interpolations: along one axis after another, elements are taken for each tap, and summed in double. */
import type { CallForm, InterpolatedAxis, Scalar } from '@baton/ops';
import { type DType, type Shape, shapeSize, tensor } from '@baton/tensor';
import { apply, type Element, load } from './element.ts';
import { ITSELF } from './lower-map.ts';
import {
  compute,
  constantWindow,
  contiguous,
  dtypeAt,
  isMovable,
  type Lowering,
  newBuffer,
  newResult,
  stored,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import type { RegionStep } from './region.ts';
import { anyWindow, type Window } from './window.ts';

/** A call that weights and sums elements along axes. */
export function interpolated(
  step: RegionStep,
  { axes }: Extract<CallForm, { readonly _tag: 'Interpolate' }>,
  state: Lowering,
): ReadonlyArray<Value> {
  const [data] = step.args as [number];
  const [result] = step.results as [number];
  const dtype = dtypeAt(result, state);
  const wide = apply(ITSELF, 'float64', [load(anyWindow('float64'))], 'float64');
  const isAble = isMovable(dtype, state) && state.abilities.element(wide) !== undefined;
  if (!isAble || axes.length === 0) return referenced(step, state);
  const out = newResult(result, state);
  let window = stored(data, state);
  axes.forEach((axis, i) => {
    const isLast = i === axes.length - 1;
    const shape = window.shape.map((dim, at) => (at === axis.axis ? axis.taps.length : dim));
    const isMoved = axis.taps.every(({ weights }) => weights.length === 1 && weights[0] === 1);
    const type = isLast ? dtype : isMoved ? window.dtype : 'float64';
    const into = isLast ? out : newBuffer(type, shape, state);
    compute(sumOf(window, axis, shape, type, state), into, state);
    window = into;
  });
  return [out];
}

const y: Scalar = { _tag: 'Argument', name: 'y' };
const TIMES: Scalar = { _tag: 'Operation', name: 'mul', args: [ITSELF, y] };
const PLUS: Scalar = { _tag: 'Operation', name: 'add', args: [ITSELF, y] };

/** The weighted sum of the taps along an axis, in a type. */
function sumOf(
  data: Window,
  { axis, taps }: InterpolatedAxis,
  shape: Shape,
  dtype: DType,
  state: Lowering,
): Element {
  const [first] = taps;
  const parts = (first?.places ?? []).map((_, k) => {
    const places = taps.map((tap) => tap.places[k] as number);
    const weights = taps.map((tap) => tap.weights[k] as number);
    const part = load(alongPlaces(data, axis, places, shape, state));
    const isOne = first?.places.length === 1 && weights.every((weight) => weight === 1);
    if (isOne) return part;
    const values = tensor(Float64Array.from(weights), [weights.length], 'float64');
    const along = shape.map((_, at) => (at === axis ? 1 : 0));
    const weight: Window = { ...constantWindow(values, state), shape, strides: along };
    return apply(TIMES, 'float64', [load(weight), part]);
  });
  const [one, ...others] = parts as [Element, ...Element[]];
  if (others.length === 0) return one;
  return others.reduce(
    (sum, part, i) =>
      apply(PLUS, i === others.length - 1 ? dtype : 'float64', [sum, part], 'float64'),
    one,
  );
}

/** The slices of a window at places of an axis, one after another. */
function alongPlaces(
  data: Window,
  axis: number,
  places: Shape,
  shape: Shape,
  state: Lowering,
): Window {
  const [first = 0, second = first] = places;
  const step = second - first;
  if (places.every((place, i) => place === first + i * step)) {
    const stride = data.strides[axis] as number;
    const strides = data.strides.map((own, at) => (at === axis ? step * stride : own));
    return { ...data, shape, strides, offset: data.offset + first * stride };
  }
  const out = newBuffer(data.dtype, shape, state);
  const indices = tensor(Int32Array.from(places), [places.length], 'int32');
  state.kernels.push({
    _tag: 'Take',
    data: contiguous(data, state),
    indices: constantWindow(indices, state),
    isWrapped: false,
    sizes: {
      batch: 1,
      lead: shapeSize(shape.slice(0, axis)),
      dim: data.shape[axis] as number,
      places: places.length,
      rest: shapeSize(shape.slice(axis + 1)),
    },
    out,
  });
  return out;
}
