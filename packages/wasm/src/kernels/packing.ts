/** The packed forms of constant operands of products, block by block of the depth. */
import type { Words } from './kernel.ts';
import type { Numbers } from './numbers.ts';
import { TILE_ROWS, tileColumns } from './tile.ts';

/** A matrix in an array. */
export interface Matrix {
  /** Where its first element lies. */
  readonly start: number;
  /** Rows or columns of the result. */
  readonly lanes: number;
  /** The axis along which is summed. */
  readonly depth: number;
  /** Elements between neighbours along each axis. */
  readonly laneStride: number;
  readonly depthStride: number;
}

/** Packs a matrix into an array, from an element on, block by block of so much of the depth. */
type Packing = (
  from: Words,
  matrix: Matrix,
  blockDepth: number,
  into: Words,
  intoStart: number,
) => void;

const packing =
  (width: number, isFilled: boolean): Packing =>
  (from, { start, lanes, depth, laneStride, depthStride }, blockDepth, into, intoStart) => {
    let at = intoStart;
    for (let block = 0; block < depth; block += blockDepth) {
      const blockEnd = Math.min(block + blockDepth, depth);
      for (let lane = 0; lane < lanes; lane += width) {
        const count = Math.min(width, lanes - lane);
        const gap = isFilled ? width - count : 0;
        for (let k = block; k < blockEnd; k++) {
          let source = start + lane * laneStride + k * depthStride;
          for (let i = 0; i < count; i++) {
            into[at++] = from[source] as number;
            source += laneStride;
          }
          at += gap;
        }
      }
    }
  };

/**
 * Packs the rows of a product: in a block, tiles of {@link TILE_ROWS} rows, the last of which may
 * have fewer; in a tile, column by column. The packed form has as many elements as the matrix.
 */
export const packRows = packing(TILE_ROWS, false);

/**
 * Packs the columns of a product: in a block, panels of {@link tileColumns} columns, the last of
 * which is filled with zeros; in a panel, row by row.
 */
export const packColumns = (numbers: Numbers): Packing => packing(tileColumns(numbers), true);
