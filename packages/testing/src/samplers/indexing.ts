/** Samplers of operators that read and write at indices. */

import type { Builder } from '../generate/builder.ts';
import { fromFront, sizeAlong, someAxis } from '../generate/shapes.ts';
import type { TensorValue } from '../generate/value.ts';
import { filledOperand, type Sampler, type Samplers } from './sampler.ts';

const data = (b: Builder, ranks: readonly [number, number] = [1, 4]): TensorValue =>
  filledOperand(b, ranks, [3, 5, 2, 2], 'number');

/** Valid indices, as a constant. */
function indices(b: Builder, shape: ReadonlyArray<number>, bound: number): TensorValue {
  const dtype = b.random.pick(['int32', 'int64'] as const);
  const numbers = Array.from({ length: 6 }, () => b.random.int(0, Math.max(bound - 1, 0)));
  return b.constant(numbers, shape, dtype);
}

const take: Sampler = (b, op) => {
  const x = data(b);
  const axis = b.random.chance(0.2) ? null : someAxis(b.random, x.shape.length);
  const bound = axis === null ? 1 : sizeAlong(x.shape, axis);
  const shape = b.random.pick([[], [2], [2, 3]]);
  const mode = b.random.pick(['clip', 'wrap']);
  return b.call(op.name, [x, indices(b, shape, bound)], { axis, mode });
};

const gather: Sampler = (b, op) => {
  const x = data(b, [1, 3]);
  const axis = someAxis(b.random, x.shape.length);
  const at = fromFront(axis, x.shape.length);
  const shape = x.shape.map((dim, i) => (i === at ? b.random.int(1, 3) : dim));
  return b.call(op.name, [x, indices(b, shape, sizeAlong(x.shape, axis))], { axis });
};

const gatherNd: Sampler = (b, op) => {
  const x = data(b, [1, 4]);
  const depth = b.random.int(1, Math.min(2, x.shape.length));
  const bound = Math.min(...x.shape.slice(0, depth));
  return b.call(op.name, [x, indices(b, [depth, b.random.int(1, 4)], bound)]);
};

/** Indices are distinct: updates of one element would contradict each other in any order. */
const scatterElements: Sampler = (b, op) => {
  const x = data(b, [1, 3]);
  const axis = b.random.int(0, x.shape.length - 1);
  const shape = x.shape.map((dim, i) => (i === axis ? 1 : dim));
  const reduction = b.random.pick(['update', 'add', 'min', 'max']);
  const args = [
    x,
    indices(b, shape, sizeAlong(x.shape, axis)),
    b.operand({ shape, dtype: x.dtype }),
  ];
  return b.call(op.name, args, { axis, reduction });
};

const oneHot: Sampler = (b, op) => {
  const depth = b.random.int(2, 4);
  const shape = b.random.pick([[3], [2, 2]]);
  const [on, off] = [b.constant([1], []), b.constant([0], [])];
  const axis = b.random.int(-1, shape.length);
  return b.call(op.name, [indices(b, shape, depth), on, off], { depth, axis, dtype: b.float });
};

const reverseSequence: Sampler = (b, op) => {
  const x = data(b, [2, 4]);
  const lengths = b.constant([1, 2, 1], [x.shape[0] ?? 1], 'int32');
  const most = Math.min(...x.shape.slice(1));
  const short = most < 2 ? b.constant([1], [x.shape[0] ?? 1], 'int32') : lengths;
  return b.call(op.name, [x, short], { seq_axis: 1, batch_axis: 0 });
};

const sequenceMask: Sampler = (b, op) => {
  const x = data(b, [2, 4]);
  const axis = b.random.int(0, 1);
  const lengths = indices(b, [x.shape[1 - axis] ?? 1], (x.shape[axis] ?? 1) + 1);
  return b.call(op.name, [x, lengths], { axis, mask_value: b.random.pick([0, -1]) });
};

export const indexingSamplers: Samplers = {
  take,
  gather,
  gather_nd: gatherNd,
  scatter_elements: scatterElements,
  one_hot: oneHot,
  reverse_sequence: reverseSequence,
  sequence_mask: sequenceMask,
};
