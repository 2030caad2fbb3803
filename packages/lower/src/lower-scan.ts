/** Scans and scatters: elements that are combined in an order. */
import { type CallForm, COMBINATIONS, type Fold } from '@baton/ops';
import { type DType, isBig, rowMajorStrides, shapeSize } from '@baton/tensor';
import { apply, load } from './element.ts';
import { ITSELF } from './lower-map.ts';
import {
  compute,
  dtypeAt,
  elementAt,
  isMovable,
  type Lowering,
  newBuffer,
  newResult,
  rowMajor,
  shapeAt,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import type { RegionStep } from './region.ts';
import { anyWindow } from './window.ts';

/** How elements of a type are combined, from the neutral element on. */
const foldOf = (combine: keyof typeof COMBINATIONS, dtype: DType): Fold => {
  const start = combine === 'mul' ? 1 : 0;
  return { start: isBig(dtype) ? BigInt(start) : start, step: COMBINATIONS[combine] };
};

/** A call that combines elements along an axis. */
export function scanned(
  step: RegionStep,
  { axis, combine, exclusive }: Extract<CallForm, { readonly _tag: 'Scan' }>,
  state: Lowering,
): ReadonlyArray<Value> {
  const [data] = step.args as [number];
  const [result] = step.results as [number];
  const [of, dtype] = [dtypeAt(data, state), dtypeAt(result, state)];
  const fold = foldOf(combine, dtype);
  const converted = apply(ITSELF, dtype, [load(anyWindow(of))], of);
  const isAble = state.abilities.element(converted) && state.abilities.fold(fold, dtype);
  if (isAble === undefined || !isMovable(of, state)) return referenced(step, state);
  const shape = axis === undefined ? [shapeSize(shapeAt(data, state))] : shapeAt(data, state);
  const at = axis ?? 0;
  const given = rowMajor(data, state);
  const own = of === dtype ? given : newBuffer(dtype, given.shape, state);
  if (own !== given) compute(apply(ITSELF, dtype, [load(given)], of), own, state);
  const out = newResult(result, state);
  state.kernels.push({
    _tag: 'Scan',
    ...{ fold, exclusive, data: own, out },
    sizes: {
      outer: shapeSize(shape.slice(0, at)),
      length: shape[at] as number,
      inner: shapeSize(shape.slice(at + 1)),
    },
  });
  return [out];
}

/** A call that joins updates to data at places that indices name. */
export function scattered(
  step: RegionStep,
  { axis, mode }: Extract<CallForm, { readonly _tag: 'Scatter' }>,
  state: Lowering,
): ReadonlyArray<Value> {
  const [data, indices, updates] = step.args as [number, number, number];
  const [result] = step.results as [number];
  const dtype = dtypeAt(result, state);
  const type = dtypeAt(indices, state);
  const read = apply(ITSELF, 'int64', [load(anyWindow(type))], type);
  const isReadable = isMovable(dtype, state) && state.abilities.element(read) !== undefined;
  const fold = mode === 'mean' ? undefined : foldOf(mode, dtype);
  const isAble = fold && state.abilities.fold(fold, dtype) !== undefined;
  if (!isReadable || fold === undefined || !isAble) return referenced(step, state);
  const shape = shapeAt(data, state);
  const places = shapeAt(indices, state);
  const strides = rowMajorStrides(shape);
  const [length = 0, ...columns] = places;
  const axes = (axis === undefined ? strides.slice(0, length) : [strides[axis] as number]).map(
    (stride, i) => ({ stride, dim: shape[axis ?? i] as number }),
  );
  const sources = [rowMajor(indices, state), rowMajor(updates, state)] as const;
  const out = newResult(result, state);
  compute(elementAt(data, state), out, state);
  state.kernels.push({
    _tag: 'Scatter',
    ...{ fold, indices: sources[0], updates: sources[1], axes, out },
    loops:
      axis === undefined
        ? { shape: [shapeSize(columns)], strides: [0] }
        : { shape: places, strides: strides.map((own, i) => (i === axis ? 0 : own)) },
    apart: axis === undefined ? shapeSize(columns) : 0,
    size: axis === undefined ? shapeSize(shape.slice(length)) : 1,
  });
  return [out];
}
