/** Moves blocks of pixels into the channels, and back. */
import { heap, type Memory, reshapeView, type Tensor, transposeView } from '@baton/tensor';

/**
 * Whether channels are ordered by their index in the block first (`DCR`), or by channel (`CRD`).
 */
export type BlockMode = 'DCR' | 'CRD';

/**
 * Channels become blocks of pixels.
 *
 * **Shapes** (n, c · b², h, w) to (n, c, h · b, w · b).
 */
export function depthToSpace(x: Tensor, b: number, mode: BlockMode, memory: Memory = heap): Tensor {
  const [n, channels, h, w] = x.shape as readonly [number, number, number, number];
  const c = channels / (b * b);
  const [split, axes] =
    mode === 'DCR'
      ? [
          [n, b, b, c, h, w],
          [0, 3, 4, 1, 5, 2],
        ]
      : [
          [n, c, b, b, h, w],
          [0, 1, 4, 2, 5, 3],
        ];
  return reshapeView(
    transposeView(reshapeView(x, split, memory), axes),
    [n, c, h * b, w * b],
    memory,
  );
}

/**
 * The inverse of {@link depthToSpace}.
 *
 * **Shapes** (n, c, h · b, w · b) to (n, c · b², h, w).
 */
export function spaceToDepth(x: Tensor, b: number, mode: BlockMode, memory: Memory = heap): Tensor {
  const [n, c, height, width] = x.shape as readonly [number, number, number, number];
  const [h, w] = [height / b, width / b];
  const axes = mode === 'DCR' ? [0, 3, 5, 1, 2, 4] : [0, 1, 3, 5, 2, 4];
  const blocks = transposeView(reshapeView(x, [n, c, h, b, w, b], memory), axes);
  return reshapeView(blocks, [n, c * b * b, h, w], memory);
}
