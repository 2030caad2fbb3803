/** The packed form of the rows of a product. */
import { TILE_ROWS } from './tile.ts';

/** A matrix in an array. */
export interface Matrix {
  readonly rows: number;
  readonly depth: number;
  /** Elements between neighbours along each axis. */
  readonly rowStride: number;
  readonly depthStride: number;
}

/**
 * Packs a matrix, block by block of the depth: in a block, tiles of {@link TILE_ROWS} rows, the
 * last of which may have fewer; in a tile, column by column. No element is added, so the packed
 * form has as many as the matrix.
 */
export function packRows(
  from: Float32Array,
  start: number,
  matrix: Matrix,
  blockDepth: number,
  into: Float32Array,
  intoStart: number,
): void {
  const { rows, depth, rowStride, depthStride } = matrix;
  let at = intoStart;
  for (let block = 0; block < depth; block += blockDepth) {
    const blockEnd = Math.min(block + blockDepth, depth);
    for (let row = 0; row < rows; row += TILE_ROWS) {
      const rowEnd = Math.min(row + TILE_ROWS, rows);
      for (let k = block; k < blockEnd; k++) {
        for (let r = row; r < rowEnd; r++) {
          into[at++] = from[start + r * rowStride + k * depthStride] as number;
        }
      }
    }
  }
}
