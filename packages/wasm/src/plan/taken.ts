/** Slices of a tensor by the indices that another holds. */
import { takesColumn } from '@baton/ops';
import { shapeSize } from '@baton/tensor';
import { apply, load } from './element.ts';
import { ITSELF } from './forms.ts';
import { becomes, dtypeAt, type Lowering, newResult, rowMajor, shapeAt } from './lowering.ts';
import { blankTensor, type RegionStep } from './region.ts';

/** A call that takes slices, of data and indices that lie in row-major order. */
export function asTaken({ call, args, results }: RegionStep, state: Lowering): boolean {
  const rule = state.m.ops.read(takesColumn, call.name);
  const [data, indices] = args;
  const [result] = results;
  if (rule === undefined || typeof data !== 'number' || typeof indices !== 'number') return false;
  if (result === undefined) return false;
  const moved = load(blankTensor(dtypeAt(data, state), [1]));
  const type = dtypeAt(indices, state);
  const read = apply(ITSELF, 'int64', [load(blankTensor(type, [1]))], type);
  if (!state.abilities.element(moved) || !state.abilities.element(read)) return false;
  const { axis, batch, isWrapped } = rule(call.attrs);
  const shape = shapeAt(data, state);
  const flat = axis === undefined ? [shapeSize(shape)] : shape;
  const at = axis === undefined ? 0 : axis < 0 ? axis + shape.length : axis;
  const out = newResult(result, state);
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
  return becomes(result, out, state);
}
