import { anyDim, tensorType } from '@baton/ir';
import { fromNumbers, rowMajorStrides, toNumbers } from '@baton/tensor';
import { discrete } from '../../bounds/rules.ts';
import { perInputElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { tensorArg } from '../../relation/known.ts';

export const argwhere = defineOp({
  name: 'argwhere',
  doc: 'The index of each element that is not zero, as rows in row-major order.',
  source: 'operators §4; NumPy argwhere',
  inputs: ['condition'],
  relation: (args, _attrs, context) => {
    const condition = tensorArg(args, 0, context);
    return condition && tensorType([anyDim, condition.shape.length], 'int32');
  },
  kernel: (args, _attrs, out) => {
    const condition = args.tensor(0);
    const { shape } = condition;
    const strides = rowMajorStrides(shape);
    const found: number[] = [];
    let count = 0;
    toNumbers(condition, out).forEach((value, place) => {
      if (value === 0) return;
      count++;
      shape.forEach((dim, axis) => {
        found.push(Math.floor(place / (strides[axis] as number)) % dim);
      });
    });
    return fromNumbers(found, [count, shape.length], 'int32', out);
  },
  cost: perInputElement,
  kind: 'other',
  numerics: 'exact',
  bounds: discrete,
  examples: [
    {
      args: [fromNumbers([1, 0, 0, 1, 1, 0], [2, 3], 'bool')],
      result: tensorType([anyDim, 2], 'int32'),
    },
  ],
});
