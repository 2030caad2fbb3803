import { anyDim, isStaticDim, tensorType } from '@baton/ir';
import { cast, fromNumbers, rowMajorStrides, scalar, toNumbers } from '@baton/tensor';
import { discrete } from '../../bounds/rules.ts';
import { perResultElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { i32, i32s, i64, i64s } from '../../example-types.ts';
import { hasRank, inDomain, ofTwo } from '../../relation/known.ts';

export const unravelIndex = defineOp({
  name: 'unravel_index',
  doc: 'The index along each axis of `shape` for a row-major index.',
  source: 'operators §4; NumPy unravel_index',
  inputs: ['data', 'shape'],
  relation: ofTwo((data, shape, _attrs, context) => {
    if (!inDomain(data.dtype, 'int', context) || !inDomain(shape.dtype, 'int', context)) {
      return undefined;
    }
    if (!hasRank(shape, '`shape`', [1], context)) return undefined;
    const rank = shape.shape[0];
    const lead = rank !== undefined && isStaticDim(rank) ? rank : anyDim;
    return tensorType([lead, ...data.shape], data.dtype);
  }),
  kernel: (args, _attrs, out) => {
    const data = args.tensor(0);
    const dims = Array.from(toNumbers(args.tensor(1), out));
    const strides = rowMajorStrides(dims);
    const places = toNumbers(data, out);
    const rows = dims.map((dim, axis) => {
      const stride = strides[axis] as number;
      return Array.from(places, (place) => Math.floor(place / stride) % dim);
    });
    const shape = [dims.length, ...data.shape];
    return cast(fromNumbers(rows.flat(), shape, 'float64', out), data.dtype, out);
  },
  kind: 'movement',
  cost: perResultElement,
  bounds: discrete,
  examples: [
    {
      args: [i64s(0, 5, 11), i64s(3, 4)],
      result: i64(2, 3),
    },
    { args: [scalar(7, 'int32'), i32s(2, 2, 3)], result: i32(3) },
  ],
});
