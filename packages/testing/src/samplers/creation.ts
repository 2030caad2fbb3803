/** Samplers of operators that fill, repeat, or take a shape from elsewhere. */

import type { DType } from '@baton/tensor';
import {
  MAX_ELEMENTS,
  narrower,
  sizeOf,
  someAxis,
  someRank,
  someShape,
} from '../generate/shapes.ts';
import type { Sampler, Samplers } from './sampler.ts';

const filled: Sampler = (b, op) => {
  const shape = someShape(b.random, someRank(b.random, 0, 4));
  const dtype = b.random.chance(0.8) ? b.float : 'int32';
  const value = b.constant([b.random.pick([0, 1, 2, -1])], [], dtype);
  return b.call(op.name, op.inputs.length === 1 ? [value] : [], { shape, dtype });
};

const fullLike: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number' });
  return b.call(op.name, [x, b.constant([b.random.int(-2, 2)], [], x.dtype)]);
};

const broadcastTo: Sampler = (b, op) => {
  const x = b.operand({ kind: 'any', rank: [0, 3], fits: isSmall, fresh: () => [3, 1] });
  const wide = [2, ...x.shape.map((dim) => (dim === 1 ? b.random.int(1, 3) : dim))];
  return b.call(op.name, [x], { shape: b.random.chance(0.7) ? wide : x.shape });
};

const isSmall = (shape: ReadonlyArray<number>): boolean => sizeOf(shape) * 4 <= MAX_ELEMENTS;

const tile: Sampler = (b, op) => {
  const x = b.operand({ kind: 'any', rank: [1, 4], fits: isSmall, fresh: () => [2, 3] });
  const reps = x.shape.map(() => (b.random.chance(0.4) ? 2 : 1)).slice(0, 2);
  return b.call(op.name, [x], { reps });
};

const repeat: Sampler = (b, op) => {
  const x = b.operand({ kind: 'any', rank: [1, 4], fits: isSmall, fresh: () => [2, 3] });
  const axis = b.random.chance(0.2) ? null : someAxis(b.random, x.shape.length);
  return b.call(op.name, [x], { repeats: b.random.int(1, 3), axis });
};

const reverse: Sampler = (b, op) => {
  const x = b.operand({ kind: 'any', rank: [1, 4] });
  return b.call(op.name, [x], { axis: someAxis(b.random, x.shape.length) });
};

const stack: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number', rank: [0, 3], fits: isSmall, fresh: () => [3, 2] });
  const others = Array.from({ length: b.random.int(0, 2) }, () =>
    b.operand({ shape: x.shape, dtype: x.dtype }),
  );
  const axis = b.random.int(-1, x.shape.length);
  return b.call(op.name, [b.tuple(b.random.shuffle([x, ...others]))], { axis });
};

const reshapeLike: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number' });
  const shape = b.random.chance(0.5) ? b.random.shuffle(x.shape) : [sizeOf(x.shape)];
  return b.call(op.name, [x, b.operand({ shape })]);
};

const broadcastToLike: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number', rank: [0, 3], fits: isSmall, fresh: () => [3, 1] });
  return b.call(op.name, [x, b.operand({ shape: [2, ...x.shape] })]);
};

const collapseSumLike: Sampler = (b, op) => {
  const x = b.operand();
  return b.call(op.name, [x, b.operand({ shape: narrower(b.random, x.shape) })]);
};

const collapseSumTo: Sampler = (b, op) => {
  const x = b.operand();
  const shape = narrower(b.random, x.shape);
  return b.call(op.name, [x, b.constant(shape, [shape.length], 'int64')]);
};

const dynReshape: Sampler = (b, op) => {
  // A size of 0 copies a size.
  const x = b.operand({ kind: 'any', fits: (dims) => !dims.includes(0), fresh: () => [2, 3] });
  const shape = b.random.chance(0.5) ? b.random.shuffle(x.shape) : [-1];
  return b.call(op.name, [x, b.constant(shape, [shape.length], 'int64')]);
};

const dynBroadcastTo: Sampler = (b, op) => {
  const x = b.operand({ kind: 'any', rank: [0, 3], fits: isSmall, fresh: () => [3, 1] });
  const wide = [2, ...x.shape.map((dim) => (dim === 1 ? b.random.int(1, 3) : dim))];
  return b.call(op.name, [x, b.constant(wide, [wide.length], 'int64')]);
};

const dynFull: Sampler = (b, op) => {
  const shape = someShape(b.random, someRank(b.random, 0, 4));
  const value = b.constant([b.random.pick([0, 1, 2, -1])], [], b.float);
  const sizes = b.constant(shape, [shape.length], 'int64');
  return b.call(op.name, [value, sizes], { dtype: b.float });
};

const dynStridedSlice: Sampler = (b, op) => {
  const x = b.operand({ kind: 'any', rank: [1, 4] });
  const axis = someAxis(b.random, x.shape.length);
  const [begin, end, stride] = b.random.pick([
    [0, 2, 1],
    [-1, -9, -1],
    [0, 9, 2],
  ]);
  const bounds = [begin, end, stride].map((bound) => b.constant([bound ?? 1], [1], 'int64'));
  return b.call(op.name, [x, ...bounds], { axes: [axis] });
};

const castLike: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number' });
  const dtype = b.random.pick<DType>([b.float, b.float, 'float64', 'int32']);
  return b.call(op.name, [x, b.operand({ shape: [], dtype })]);
};

const sliceLike: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number', rank: [1, 4] });
  const shape = x.shape.map((dim) => (dim > 1 ? b.random.int(1, dim) : dim));
  return b.call(op.name, [x, b.operand({ shape })]);
};

const trilu: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number', rank: [2, 4] });
  const k = b.constant([b.random.int(-1, 1)], [], 'int64');
  return b.call(op.name, [x, k], { upper: b.random.chance(0.5) });
};

const LAYOUTS = ['NCHW', 'NHWC', 'CHWN', 'HWCN'];

const layoutTransform: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number', rank: [4, 4] });
  const [from, to] = [b.random.pick(LAYOUTS), b.random.pick(LAYOUTS)];
  return b.call(op.name, [x], { src_layout: from, dst_layout: to });
};

/** Numbers of a generator in its first state, between or about two others. */
const randomNumbers: Sampler = (b, op) => {
  const dtype = b.float === 'float64' ? 'float64' : 'float32';
  const key = b.constant([0, 0, 0, 0, 0, 0, 0, 0, 2 ** 63, 0], [10], 'uint64');
  const bounds = [b.operand({ shape: [], dtype }), b.operand({ shape: [], dtype })];
  const shape = b.random.pick([[], [3], [2, 3]]);
  const made = b.call(op.name, [key, ...bounds], { out_shape: shape, out_dtype: dtype });
  return made._tag === 'Tuple' ? b.project(made, 1) : made;
};

export const creationSamplers: Samplers = {
  full: filled,
  full_like: fullLike,
  broadcast_to: broadcastTo,
  broadcast_to_like: broadcastToLike,
  tile,
  repeat,
  reverse,
  stack,
  reshape_like: reshapeLike,
  collapse_sum_like: collapseSumLike,
  collapse_sum_to: collapseSumTo,
  cast_like: castLike,
  slice_like: sliceLike,
  trilu,
  'dyn.reshape': dynReshape,
  'dyn.broadcast_to': dynBroadcastTo,
  'dyn.full': dynFull,
  'dyn.strided_slice': dynStridedSlice,
  layout_transform: layoutTransform,
  'random.uniform': randomNumbers,
};
