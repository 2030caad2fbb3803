/** Casts, reshapes, transposes and operators that take their shape from elsewhere. */
import { reshapingOf } from '@baton/ops';
import type { DType } from '@baton/tensor';
import type { Builder } from '../generate/builder.ts';
import { allowed, type Motif, motif, perhapsStateful } from '../generate/motif.ts';
import { fitInto } from '../generate/settle.ts';
import { narrower, sizeOf } from '../generate/shapes.ts';
import type { TensorValue } from '../generate/value.ts';
import { reshaped } from '../samplers/movement.ts';
import { scale, zero } from './quantized.ts';

/** Two or three reshapes, some by codes from the right, sometimes back to the first shape. */
function reshapes(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({ kind: 'any', fits: (shape) => !shape.includes(0), fresh: () => [2, 3, 5] });
  let y = x;
  for (let i = random.int(1, 3); i > 0; i--) {
    y = b.tensor('reshape', [y], { newshape: reshaped(b, y.shape) });
  }
  const byCodes = b.ops.names.filter(
    (name) => name !== 'reshape' && b.allows(name) && isFree(b, name),
  );
  if (byCodes.length > 0 && random.chance(0.2)) {
    y = b.tensor(random.pick(byCodes), [y], { newshape: [-1, ...y.shape.slice(1)] });
  }
  if (b.allows('expand_dims') && random.chance(0.1)) {
    y = b.tensor('expand_dims', [y], { axis: 0, num_newaxis: 0 });
  }
  return random.chance(0.3) ? b.tensor('reshape', [y], { newshape: x.shape }) : y;
}

/** Whether the operator reshapes its argument to any shape, by codes. */
const isFree = (b: Builder, name: string): boolean => reshapingOf(b.ops, name) === 'freely';

/** Consecutive transposes, which sometimes cancel. */
function transposes(b: Builder): TensorValue {
  const { random } = b;
  let x = b.operand({ kind: 'any', rank: [2, 4] });
  for (let i = random.int(1, 3); i > 0; i--) {
    const axes = random.chance(0.15)
      ? x.shape.map((_, axis) => axis)
      : random.shuffle(x.shape.map((_, axis) => axis));
    const first = b.tensor('transpose', [x], { axes });
    const back = axes.map((_, axis) => axes.indexOf(axis));
    x = random.chance(0.35) ? b.tensor('transpose', [first], { axes: back }) : first;
  }
  return x;
}

const LAYOUTS = ['NCHW', 'NHWC', 'CHWN', 'NCHW2c', 'NCHW1c'];

/** Consecutive changes of layout, with and without blocks, and transposes between. */
function layouts(b: Builder): TensorValue {
  const { random } = b;
  let x = b.operand({
    rank: [4, 4],
    fits: (shape) => !shape.includes(0) && shape.every((dim) => dim % 2 === 0),
    fresh: () =>
      random.pick([
        [2, 4, 2, 6],
        [2, 2, 4, 4],
      ]),
  });
  let from = 'NCHW';
  for (let i = random.int(2, 3); i > 0; i--) {
    const to = random.pick(LAYOUTS);
    x = b.tensor('layout_transform', [x], { src_layout: from, dst_layout: to });
    from = to;
  }
  if (random.chance(0.3)) {
    return b.tensor('transpose', [x], { axes: random.shuffle(x.shape.map((_, axis) => axis)) });
  }
  if (random.chance(0.5)) {
    x = b.tensor('layout_transform', [x], { src_layout: from, dst_layout: 'NCHW' });
  }
  return x;
}

export const movement: ReadonlyArray<Motif> = [
  motif(4, 'reshape', reshapes),
  motif(4, 'transpose', transposes),
  motif(3, 'layout_transform transpose', layouts),
];

const FLOATS: ReadonlyArray<DType> = ['float16', 'float32', 'float64'];
const INTS: ReadonlyArray<DType> = ['int8', 'uint8', 'int16', 'int32', 'int64'];

/** Chains of casts: wider and back, narrower and back, to the same dtype. */
function casts(b: Builder): TensorValue {
  const { random } = b;
  let x = b.operand({ kind: random.chance(0.7) ? 'float' : 'int', rank: [0, 4] });
  for (let i = random.int(2, 3); i > 0; i--) {
    const same = random.chance(0.25);
    const next: DType = same ? x.dtype : random.pick(random.chance(0.6) ? FLOATS : INTS);
    const small = next.endsWith('8')
      ? b.within(x, next === 'uint8' ? [0, 100] : [-100, 100])
      : fitInto(b, x, next);
    x = b.tensor('cast', [small], { dtype: next });
  }
  return random.chance(0.6) ? b.tensor('cast', [fitInto(b, x, b.float)], { dtype: b.float }) : x;
}

const BOUNDS = [
  [0, 255],
  [-128, 127],
  [0, 127],
  [-1, 1],
  [0, 6],
] as const;

/** A clip, then casts to types that hold its range, or do not. */
function clipped(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({ kind: random.chance(0.5) ? 'float' : 'int', rank: [0, 4] });
  const [lo, hi] = random.pick(BOUNDS);
  const clip = b.tensor('clip', [x], { a_min: lo, a_max: hi });
  const narrow = random.pick<DType>(['uint8', 'int8', 'int16', 'int32']);
  const inner = b.tensor('cast', [clip], { dtype: narrow });
  return b.tensor('cast', [inner], { dtype: random.pick<DType>(['int32', 'int64', b.float]) });
}

/** A clip to the full range of the dtype, or to less. */
function idleClip(b: Builder): TensorValue {
  const { random } = b;
  const dtype = random.pick<DType>(['uint8', 'int8']);
  const x = b.random.chance(0.5)
    ? b.operand({ dtype })
    : b.tensor('cast', [b.within(b.operand(), dtype === 'int8' ? [-64, 64] : [0, 64])], { dtype });
  const [lo, hi] = random.pick([
    [0, 255],
    [-128, 127],
    [-128, 255],
    [0, 100],
  ] as const);
  return b.tensor('clip', [x], { a_min: lo, a_max: hi });
}

/** ReLU of what is not negative; in the near miss it may be. */
function idleRelu(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({ kind: 'float', rank: [0, 4] });
  const inner = random.chance(0.5)
    ? b.tensor('nn.relu', [x])
    : b.tensor('clip', [x], { a_min: random.pick([0, 1, -1]), a_max: 6 });
  return b.tensor('nn.relu', [inner]);
}

export const casting: ReadonlyArray<Motif> = [
  motif(4, 'cast', casts),
  motif(3, 'cast clip', clipped),
  motif(1.5, 'cast clip', idleClip),
  motif(1, 'nn.relu clip', idleRelu),
  motif(1.3, 'argmax qnn.dequantize', ordered),
];

/** The indices that sort the real numbers of integers. */
function ordered(b: Builder): TensorValue {
  const x = b.weights([b.random.int(1, 3), 3], 'int8');
  const real = b.tensor('qnn.dequantize', [x, scale(b), zero(b)]);
  const op = b.random.pick(['argmax', 'argmin', 'argsort']);
  return b.tensor(op, [real], { axis: op === 'argsort' ? 1 : [1] });
}

/** An operator that takes a shape or a dtype from another tensor, which sometimes has an effect. */
function like(b: Builder): TensorValue {
  const { random } = b;
  const name = random.pick(
    allowed(
      b,
      'zeros_like ones_like full_like reshape_like broadcast_to_like collapse_sum_like cast_like',
    ),
  );
  const x = b.operand({ rank: [0, 4], fits: (shape) => !shape.includes(0), fresh: () => [2, 3] });
  const model = (shape: ReadonlyArray<number>, dtype: DType = x.dtype): TensorValue =>
    perhapsStateful(b, b.operand({ shape, dtype }), 0.3);
  switch (name) {
    case 'full_like':
      return b.tensor(name, [perhapsStateful(b, x, 0.3), b.constant([2], [], x.dtype)]);
    case 'reshape_like': {
      const shape = random.chance(0.5) ? random.shuffle(x.shape) : [sizeOf(x.shape)];
      return b.tensor(name, [x, model(shape)]);
    }
    case 'broadcast_to_like':
      return b.tensor(name, [x, model(x.shape.length < 4 ? [2, ...x.shape] : x.shape)]);
    case 'collapse_sum_like':
      return b.tensor(name, [x, model(narrower(random, x.shape))]);
    case 'cast_like':
      return b.tensor(name, [x, model([], random.pick<DType>(['int32', 'float64', x.dtype]))]);
    default:
      return b.tensor(name, [perhapsStateful(b, x, 0.3)]);
  }
}

export const likes: ReadonlyArray<Motif> = [motif(1, '', like)];
