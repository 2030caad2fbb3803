/** Concatenations: each part is written where it belongs. */
import type { CallForm } from '@baton/ops';
import { dtypeInfo, type Shape, shapeSize, sliceView } from '@baton/tensor';
import {
  compute,
  dtypeAt,
  elementAt,
  isMovable,
  type Lowering,
  newResult,
  placeWithin,
  shapeAt,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import { leavesOf, type RegionStep } from './region.ts';
import { isWhole, type Window, windowsIn } from './window.ts';

/** The parts next to each other: each is computed in its place, at once if that is possible. */
export function concatenated(
  step: RegionStep,
  { axis, isNew }: Extract<CallForm, { readonly _tag: 'Concat' }>,
  state: Lowering,
): ReadonlyArray<Value> {
  const [result] = step.results as [number];
  if (!isMovable(dtypeAt(result, state), state)) return referenced(step, state);
  const shape = shapeAt(result, state);
  const out = newResult(result, state);
  const isOuter = shape.slice(0, axis).every((dim) => dim === 1);
  let start = 0;
  for (const part of step.args.flatMap(leavesOf)) {
    const own = shapeAt(part, state);
    const size = isNew ? [...own.slice(0, axis), 1, ...own.slice(axis)] : own;
    const first = shape.map((_, i) => (i === axis ? start : 0));
    start += size[axis] as number;
    if (shapeSize(own) === 0) continue;
    const place = without(sliceView(out, first, size), isNew ? axis : undefined);
    if (isOuter && mayBePart(part, state)) {
      const { buffer } = state.values[part] as Window;
      placeWithin(buffer, place, place.offset * dtypeInfo(place.dtype).bytes, state);
    } else compute(elementAt(part, state), place, state);
  }
  return [out];
}

/** A window without an axis, which has size 1. */
function without(window: Window, axis: number | undefined): Window {
  if (axis === undefined) return window;
  const others = (list: Shape): Shape => list.filter((_, i) => i !== axis);
  return { ...window, shape: others(window.shape), strides: others(window.strides) };
}

/** Whether the buffer of a stored value can be a part of another: it is the value's own and whole. */
function mayBePart(part: number, { values, buffers, region }: Lowering): boolean {
  const value = values[part];
  const buffer = value?._tag === 'Window' ? buffers[value.buffer] : undefined;
  if (value?._tag !== 'Window' || buffer === undefined || !isWhole(value, buffer)) return false;
  const inputs = region.params.flatMap(leavesOf).flatMap((at) => windowsIn(values[at] as Window));
  const isInput = inputs.some((input) => input.buffer === value.buffer);
  return buffer.constant === undefined && buffer.within === undefined && !isInput;
}
