/** Operators that combine the elements along axes. */
import type { Attrs } from '@baton/ir';
import type { DType, Tensor } from '@baton/tensor';
import type { CaseDraw, CaseDraws } from '../case.ts';
import type { Draw, Numbers } from '../draw.ts';

/** The attributes of a reduction: all axes, some, one, or all but some. */
function reduced(d: Draw, rank: number): Attrs {
  const keepdims = d.chance(0.5);
  const kind = d.int(0, 3);
  if (kind === 0 || rank === 0) return { keepdims };
  const some = d.subset(rank);
  const written = some.map((axis) => (d.chance(0.3) ? axis - rank : axis));
  const exclude = kind === 1 && some.length < rank;
  const axis = written.length === 1 && d.chance(0.5) ? (written[0] ?? 0) : written;
  return { axis, keepdims, exclude };
}

/** A reduction of exact numbers, so that the order of summation does not show. */
const reduction =
  (dtypes: ReadonlyArray<DType>, numbers: Numbers = {}, ulps = 0): CaseDraw =>
  (d) => {
    const x = d.tensor(d.shape(), d.pick(dtypes), numbers);
    return { args: [x], attrs: reduced(d, x.shape.length), ulps };
  };

/** A reduction to one of the elements, whatever their size. */
const choice = reduction(['float32', 'float64', 'int32', 'int64', 'int8', 'uint8'], {
  extreme: true,
});

const ofBooleans = reduction(['bool']);

const indexOf: CaseDraw = (d) => {
  const x = d.tensor(d.shape(1, 4), d.pick<DType>(['float32', 'float64', 'int32']), { step: 1 });
  const axis = d.int(-x.shape.length, x.shape.length - 1);
  return {
    args: [x],
    attrs: { axis, keepdims: d.chance(0.5), select_last_index: d.chance(0.5) },
  };
};

/** A tensor to sum to: axes of size 1, and missing axes, are summed over. */
function collapsed(d: Draw): { readonly x: Tensor; readonly shape: ReadonlyArray<number> } {
  const x = d.tensor(d.shape(), 'float32');
  const shape = x.shape
    .map((size) => (d.chance(0.3) ? 1 : size))
    .slice(d.chance(0.3) ? d.int(0, x.shape.length) : 0);
  return { x, shape };
}

/** Operators that combine the elements along axes. */
export const reductions: CaseDraws = {
  sum: reduction(['float32', 'float64', 'int32', 'int64']),
  mean: reduction(['float32', 'float64'], {}, 1),
  prod: reduction(['float32', 'int32', 'int64'], { step: 0.5, min: -2, max: 2 }, 1),
  max: choice,
  min: choice,
  all: ofBooleans,
  any: ofBooleans,
  argmax: indexOf,
  argmin: indexOf,
  variance: (d) => {
    const x = d.tensor(d.shape(1, 4), d.pick<DType>(['float32', 'float64']));
    const axes = d.subset(x.shape.length);
    const count = axes.reduce((size, axis) => size * (x.shape[axis] ?? 1), 1);
    const unbiased = count > 1 && d.chance(0.5);
    const keepdims = d.chance(0.5);
    const kept = x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
    return {
      args: [x, d.tensor(kept, x.dtype)],
      attrs: { axis: axes, keepdims, unbiased },
      ulps: 1,
    };
  },
  collapse_sum_like: (d) => {
    const { x, shape } = collapsed(d);
    return { args: [x, d.tensor(shape, 'float32')] };
  },
  collapse_sum_to: (d) => {
    const { x, shape } = collapsed(d);
    return { args: [x, d.shapeTensor(shape)], hasConstantShapes: true };
  },
  ndarray_size: (d) => ({
    args: [d.tensor(d.shape(), 'float32')],
    attrs: { dtype: d.pick<DType>(['int32', 'int64']) },
  }),
  shape_of: (d) => ({
    args: [d.tensor(d.shape(1, 4), 'float32')],
    attrs: { dtype: d.pick<DType>(['int32', 'int64']) },
    hasOpenSizes: true,
  }),
};
