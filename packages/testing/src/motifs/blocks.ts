/** Motifs for FlattenAtrousConv, SplitArgs and DivToMul. */
import type { Builder } from '../generate/builder.ts';
import { type Motif, motif } from '../generate/motif.ts';
import type { TensorValue } from '../generate/value.ts';
import { weightOf } from '../samplers/contractions.ts';

/** A convolution of blocks that are put together again, or nearly one. */
function convolutionOfBlocks(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({
    rank: [4, 4],
    fits: (s) => !s.includes(0) && s.every((dim) => dim < 8),
    fresh: () => [1, 5, 4, 2],
  });
  const [, high = 1, wide = 1, channels = 1] = x.shape;
  const block = random.pick([1, 2, 2, 3]);
  const side = random.pick([1, 2, 3]);
  const pairOf = (dim: number): ReadonlyArray<number> => {
    const before = random.int(0, 2);
    const least = before + dim + 2;
    // Each block has room for the kernel.
    const padded = Math.max(Math.ceil(least / block), side) * block;
    return [before, padded - before - dim];
  };
  const split = b.tensor('nn.space_to_batch_nd', [x], {
    block_shape: [block, block],
    paddings: [pairOf(high), pairOf(wide)],
    pad_value: random.chance(0.85) ? 0 : 1,
  });
  const weight = weightOf(b, [side, side, channels, 2], x.dtype);
  const pad = random.chance(0.3) ? 1 : 0;
  const made = b.tensor('nn.conv2d', [split, weight], {
    padding: [pad, pad],
    data_layout: 'NHWC',
    kernel_layout: 'HWIO',
  });
  const crop = (): ReadonlyArray<number> => [random.int(0, 1) * random.int(0, block - 1), 0];
  return b.tensor('nn.batch_to_space_nd', [made], {
    block_shape: [block, block],
    crops: [crop(), crop()],
  });
}

function concatenation(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({
    rank: [1, 3],
    fits: (s) => s.every((dim) => dim < 6),
    fresh: () => [2, 3],
  });
  const axis = random.int(-x.shape.length, x.shape.length - 1);
  const others = Array.from({ length: random.int(1, 6) }, () =>
    b.operand({ shape: x.shape, dtype: x.dtype }),
  );
  return b.tensor('concatenate', [b.tuple([x, ...others])], { axis });
}

function quotient(b: Builder): TensorValue {
  const x = b.operand({ kind: 'float' });
  const size = x.shape.at(-1) ?? 1;
  const shape = b.random.chance(0.5) ? [] : [size];
  const first = b.random.pick([3, 4, -0.7]);
  return b.tensor('divide', [x, b.constant([first, 5, 0.3], shape, x.dtype)]);
}

export const atrous: ReadonlyArray<Motif> = [
  motif(1, 'nn.conv2d nn.space_to_batch_nd nn.batch_to_space_nd', convolutionOfBlocks),
];

export const joined: ReadonlyArray<Motif> = [motif(1, 'concatenate', concatenation)];

export const quotients: ReadonlyArray<Motif> = [motif(1, 'divide', quotient)];
