/** Gathers: slices of a tensor by the indices that another holds. */
import type { CallForm } from '@baton/ops';
import { shapeSize } from '@baton/tensor';
import { apply, load } from './element.ts';
import { ITSELF } from './lower-map.ts';
import {
  dtypeAt,
  isMovable,
  type Lowering,
  newResult,
  rowMajor,
  shapeAt,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import type { RegionStep } from './region.ts';
import { anyWindow } from './window.ts';

/** A call that takes slices, of data and indices that are contiguous. */
export function gathered(
  step: RegionStep,
  { axis, batch, isWrapped }: Extract<CallForm, { readonly _tag: 'Gather' }>,
  state: Lowering,
): ReadonlyArray<Value> {
  const [data, indices] = step.args as [number, number];
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
