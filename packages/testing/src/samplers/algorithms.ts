/** Samplers of sorting, searching, counting and scanning. */

import type { Builder } from '../generate/builder.ts';
import type { DTypeClass } from '../generate/dtypes.ts';
import { sizeAlong, someAxis } from '../generate/shapes.ts';
import type { TensorValue } from '../generate/value.ts';
import { inDomain } from './families.ts';
import { filledOperand, type Sampler, type Samplers } from './sampler.ts';

const filled = (b: Builder, kind: DTypeClass = 'number'): TensorValue =>
  filledOperand(b, [1, 4], [2, 5, 3], kind);

/** The values decide the number of indices: a sum along them has a known shape again. */
const argwhere: Sampler = (b, op) => {
  const x = b.operand({ dtype: 'bool', rank: [1, 3] });
  const places = b.call(op.name, [x]);
  return b.random.chance(0.5)
    ? b.call('sum', [places], { axis: [0] })
    : b.call('shape_of', [b.call('transpose', [places])]);
};

/** The values decide how many are distinct; the inverse indices have a known shape. */
const unique: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number', rank: [1, 1] });
  const found = b.call(op.name, [x], { sorted: b.random.chance(0.7) });
  return found._tag === 'Tuple' ? b.project(found, b.random.pick([2, 3])) : found;
};

/** The indices decide how many rows are filled: the sum of the values has a known shape again. */
const filledRows: Sampler = (b, op) => {
  const places = b.constant([0, 1, 0, 3, 2, 0, 3, 1], [4, 2], 'int64');
  const values = b.operand({ kind: 'float', shape: [4] });
  const other = b.operand({ shape: [], dtype: values.dtype });
  const found = b.call(op.name, [places, values, b.constant([5, 6], [2], 'int64'), other]);
  return found._tag === 'Tuple' ? b.call('sum', [b.project(found, 1)], { axis: [0] }) : found;
};

const sort: Sampler = (b, op) => {
  const x = filled(b);
  const axis = someAxis(b.random, x.shape.length);
  return b.call(op.name, [x], { axis, is_ascend: b.random.chance(0.6) });
};

const topk: Sampler = (b, op) => {
  const x = filled(b);
  const axis = someAxis(b.random, x.shape.length);
  const most = sizeAlong(x.shape, axis);
  return b.call(op.name, [x], {
    k: b.random.int(0, Math.min(most, 3)),
    axis,
    ret_type: b.random.pick(['both', 'values', 'indices']),
    is_ascend: b.random.chance(0.4),
  });
};

const scan: Sampler = (b, op) => {
  const x = filled(b);
  const axis = b.random.chance(0.2) ? null : someAxis(b.random, x.shape.length);
  return b.call(op.name, [inDomain(b, op, x, 0)], { axis, exclusive: b.random.chance(0.3) });
};

const searchsorted: Sampler = (b, op) => {
  const sequence = b.constant([-2, -1, -0.5, 0.25, 1.5], [5]);
  const values = b.operand({ rank: [1, 3], dtype: sequence.dtype });
  return b.call(op.name, [sequence, values], { right: b.random.chance(0.5) });
};

/** A mean along some axes, and the variance about it. */
const variance: Sampler = (b, op) => {
  const x = filled(b, 'float');
  const rank = x.shape.length;
  const axis = [b.random.int(0, rank - 1)];
  const mean = b.tensor('mean', [x], { axis, keepdims: true });
  return b.call(op.name, [x, mean], { axis, keepdims: b.random.chance(0.5) });
};

export const algorithmSamplers: Samplers = {
  argwhere,
  unique,
  sparse_fill_empty_rows: filledRows,
  sort,
  topk,
  cumsum: scan,
  searchsorted,
  variance,
};
