/** Calls that put a border around their data: the result is filled, and the data written into it. */
import { surroundsColumn } from '@baton/ops';
import { broadcastView, type Shape, sliceView } from '@baton/tensor';
import { load, mapWindows, productIn } from './element.ts';
import {
  becomes,
  compute,
  elementAt,
  type Lowering,
  newResult,
  shapeAt,
  store,
} from './lowering.ts';
import { blankTensor, type RegionStep } from './region.ts';

/** A border of the second argument around the first, which is cropped where the border is negative. */
export function asSurrounded({ call, args, results }: RegionStep, state: Lowering): boolean {
  const [data, value] = args;
  const [result] = results;
  if (typeof data !== 'number' || typeof value !== 'number' || result === undefined) return false;
  const border = state.m.ops.read(surroundsColumn, call.name)?.(call.attrs);
  const { dtype, constant } = state.region.tensors[result] ?? {};
  if (border === undefined || dtype === undefined || constant !== undefined) return false;
  const isMovable = state.abilities.element(load(blankTensor(dtype, [1])));
  if (!isMovable || state.region.tensors[value]?.dtype !== dtype) return false;
  const shape = shapeAt(data, state);
  const { before, after } = border;
  const cropped = (axis: number): number =>
    Math.min(before[axis] as number, 0) + Math.min(after[axis] as number, 0);
  const size = shape.map((dim, axis) => Math.max(dim + cropped(axis), 0));
  store(value, state);
  const out = newResult(result, state);
  const fill = mapWindows(elementAt(value, state), (window) => broadcastView(window, out.shape));
  if (fill === undefined) return false;
  compute(fill, out, state);
  if (!size.includes(0)) {
    const place = sliceView(
      out,
      before.map((width) => Math.max(width, 0)),
      size,
    );
    compute(
      part(
        data,
        before.map((width) => Math.max(-width, 0)),
        size,
        state,
      ),
      place,
      state,
    );
  }
  return becomes(result, out, state);
}

/** A part of a tensor as an element; a product that ends in it is stored whole. */
function part(data: number, begin: Shape, size: Shape, state: Lowering) {
  const isWhole = size.every((dim, axis) => dim === shapeAt(data, state)[axis]);
  if (isWhole) return elementAt(data, state);
  if (productIn(elementAt(data, state)) !== undefined) store(data, state);
  const element = elementAt(data, state);
  return mapWindows(element, (window) => sliceView(window, begin, size)) ?? element;
}
