/** Pads: the result is filled, and the data written into it. */
import type { CallForm } from '@baton/ops';
import { broadcastView, type Shape, sliceView } from '@baton/tensor';
import { type Element, mapWindows, productIn } from './element.ts';
import {
  compute,
  dtypeAt,
  elementAt,
  isMovable,
  type Lowering,
  newResult,
  shapeAt,
  stored,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import type { RegionStep } from './region.ts';

/** The first argument with the second around it; it is cropped where the border is negative. */
export function padded(
  step: RegionStep,
  { before, after }: Extract<CallForm, { readonly _tag: 'Pad' }>,
  state: Lowering,
): ReadonlyArray<Value> {
  const [data, value] = step.args as [number, number];
  const [result] = step.results as [number];
  const dtype = dtypeAt(result, state);
  const isAlike = dtypeAt(value, state) === dtype;
  if (!isAlike || !isMovable(dtype, state)) return referenced(step, state);
  const size = shapeAt(data, state).map((dim, axis) =>
    Math.max(dim + Math.min(before[axis] ?? 0, 0) + Math.min(after[axis] ?? 0, 0), 0),
  );
  stored(value, state);
  const out = newResult(result, state);
  const fill = mapWindows(elementAt(value, state), (window) => broadcastView(window, out.shape));
  compute(fill as Element, out, state);
  if (!size.includes(0)) {
    const from = before.map((width) => Math.max(-width, 0));
    const to = before.map((width) => Math.max(width, 0));
    compute(part(data, from, size, state), sliceView(out, to, size), state);
  }
  return [out];
}

/** A part of a tensor as an element; a product that ends in it is stored whole. */
function part(data: number, begin: Shape, size: Shape, state: Lowering): Element {
  const isWhole = size.every((dim, axis) => dim === shapeAt(data, state)[axis]);
  if (isWhole) return elementAt(data, state);
  if (productIn(elementAt(data, state)) !== undefined) stored(data, state);
  return mapWindows(elementAt(data, state), (window) => sliceView(window, begin, size)) as Element;
}
