/** Gathers: slices of a tensor by the indices that another holds. */
import type { CallForm } from '@baton/ops';
import { readNumber, type Shape, shapeSize } from '@baton/tensor';
import { apply, load } from './element.ts';
import { ITSELF } from './lower-map.ts';
import {
  dtypeAt,
  isMovable,
  type Lowering,
  newResult,
  rowMajor,
  shapeAt,
  stored,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import type { RegionStep, RegionTensor } from './region.ts';
import { anyWindow, type Window } from './window.ts';

/** A call that takes slices, of data and indices that are contiguous. */
export function gathered(
  step: RegionStep,
  { axis, batch, isWrapped }: Extract<CallForm, { readonly _tag: 'Gather' }>,
  state: Lowering,
): ReadonlyArray<Value> {
  const [data, indices] = step.args as [number, number];
  const isAlongAxis = batch === 0 && (axis !== undefined || shapeAt(data, state).length === 1);
  const slice = isAlongAxis ? knownSlice(data, indices, axis ?? 0, isWrapped, state) : undefined;
  if (slice !== undefined) return [slice];
  const type = dtypeAt(indices, state);
  const read = apply(ITSELF, 'int64', [load(anyWindow(type))], type);
  const isReadable = state.abilities.element(read) !== undefined;
  if (!isReadable || !isMovable(dtypeAt(data, state), state)) return referenced(step, state);
  const shape = shapeAt(data, state);
  const flat = axis === undefined ? [shapeSize(shape)] : shape;
  const at = axis ?? 0;
  const out = newResult(step.results[0] as number, state);
  state.kernels.push({
    _tag: 'Take',
    data: rowMajor(data, state),
    indices: rowMajor(indices, state),
    isWrapped,
    sizes: {
      batch: shapeSize(flat.slice(0, batch)),
      lead: shapeSize(flat.slice(batch, at)),
      dim: flat[at] as number,
      places: shapeSize(shapeAt(indices, state).slice(batch)),
      rest: shapeSize(flat.slice(at + 1)),
    },
    out,
  });
  return [out];
}

/**
 * One slice at a place that is known, or at places in steps in the turns of a loop: a window, which
 * moves with the turns.
 */
function knownSlice(
  data: number,
  indices: number,
  axis: number,
  isWrapped: boolean,
  state: Lowering,
): Window | undefined {
  const { turns, constant } = state.region.tensors[indices] as RegionTensor;
  const known = turns ?? constant;
  const shape = shapeAt(indices, state);
  if (known === undefined || shapeSize(shape) !== 1) return undefined;
  const dim = shapeAt(data, state)[axis] as number;
  const places = Array.from({ length: shapeSize(known.shape) }, (_, turn) => {
    const index = readNumber(known, turn);
    return isWrapped ? ((index % dim) + dim) % dim : Math.min(Math.max(index, 0), dim - 1);
  });
  const [first = 0, second = first] = places;
  const step = second - first;
  if (!places.every((place, turn) => place === first + turn * step)) return undefined;
  const window = stored(data, state);
  const stride = window.strides[axis] as number;
  const instead = (own: Shape, others: Shape): Shape => [
    ...own.slice(0, axis),
    ...others,
    ...own.slice(axis + 1),
  ];
  return {
    ...window,
    shape: instead(window.shape, shape),
    strides: instead(
      window.strides,
      shape.map(() => 0),
    ),
    offset: window.offset + first * stride,
    ...(step === 0 ? {} : { perTurn: (window.perTurn ?? 0) + step * stride }),
  };
}
