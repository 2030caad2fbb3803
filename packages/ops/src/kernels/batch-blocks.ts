/** Moves blocks of pixels into the batch, and back. */
import {
  heap,
  type Memory,
  reshapeView,
  sliceView,
  type Tensor,
  transposeView,
} from '@baton/tensor';

/**
 * Blocks of pixels become batches: batch (index in the block) · n + i.
 *
 * **Shapes** (n, s1 · b1…, rest…) to (n · b1 ⋯ bm, s1…, rest…).
 */
export function spaceToBatch(
  x: Tensor,
  blocks: ReadonlyArray<number>,
  memory: Memory = heap,
): Tensor {
  const [n = 0, ...dims] = x.shape;
  const m = blocks.length;
  const rest = dims.slice(m);
  const spatial = blocks.map((b, i) => (dims[i] as number) / b);
  const split = [n, ...spatial.flatMap((s, i) => [s, blocks[i] as number]), ...rest];
  const at = (i: number): number => 1 + 2 * i;
  const each = blocks.map((_, i) => i);
  const axes = [
    ...each.map((i) => at(i) + 1),
    0,
    ...each.map(at),
    ...rest.map((_, i) => 1 + 2 * m + i),
  ];
  const count = blocks.reduce((a, b) => a * b, n);
  return reshapeView(
    transposeView(reshapeView(x, split, memory), axes),
    [count, ...spatial, ...rest],
    memory,
  );
}

/**
 * The inverse of {@link spaceToBatch}; then crops each spatial axis.
 *
 * **Shapes** (n · b1 ⋯ bm, s1…, rest…) to (n, s1 · b1 − crops…, rest…).
 */
export function batchToSpace(
  x: Tensor,
  blocks: ReadonlyArray<number>,
  crops: ReadonlyArray<ReadonlyArray<number>>,
  memory: Memory = heap,
): Tensor {
  const [count = 0, ...dims] = x.shape;
  const m = blocks.length;
  const n = count / blocks.reduce((a, b) => a * b, 1);
  const [spatial, rest] = [dims.slice(0, m), dims.slice(m)];
  const each = blocks.map((_, i) => i);
  const axes = [m, ...each.flatMap((i) => [m + 1 + i, i]), ...rest.map((_, i) => 1 + 2 * m + i)];
  const split = reshapeView(x, [...blocks, n, ...dims], memory);
  const sizes = spatial.map((s, i) => s * (blocks[i] as number));
  const joined = reshapeView(transposeView(split, axes), [n, ...sizes, ...rest], memory);
  const begin = [0, ...crops.map(([before = 0]) => before), ...rest.map(() => 0)];
  const kept = sizes.map((size, i) => size - (crops[i] ?? []).reduce((a, b) => a + b, 0));
  return sliceView(joined, begin, [n, ...kept, ...rest]);
}
