/**
 * The product of matrices that are read through offset tables. Element (i, j) of a {@link Matrix}
 * is `data[offset + rows[i] + cols[j]]`. This covers plain, transposed and strided matrices, and
 * the im2col matrix of a convolution, which is never written out.
 *
 * **Source** Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (2008), for
 * the blocking: panels of both operands are packed so that a register tile reads them in order.
 */
import type { Memory, NumberData } from '@baton/tensor';
import { multiplyBig, multiplyInt32 } from './gemm-integer.ts';
import type { Matrix, Target } from './matrix.ts';

/**
 * The type of sums. `double` is exact for integers of up to 16 bits; `int32` wraps after each step
 * and `bigint` at the end, with the same result.
 */
export type Arithmetic = 'double' | 'int32' | 'bigint';

/** Writes `a` (m × k) times `b` (k × n), converted as storing to `target.data` does. */
export function multiply(
  a: Matrix,
  b: Matrix,
  target: Target,
  arithmetic: Arithmetic,
  memory: Memory,
): void {
  if (arithmetic === 'int32') multiplyInt32(a, b, target);
  else if (arithmetic === 'bigint') multiplyBig(a, b, target);
  else multiplyDouble(a, b, target, memory);
}

/** The register tile: 12 sums and 4 operands fill 16 vector registers. */
const TILE_ROWS = 4;
const TILE_COLS = 3;
/** The depth of a block: a packed panel of each operand fits in the L1 cache. */
const BLOCK_DEPTH = 256;
/** The rows and columns of a packed block, which fits in the L2 cache. */
const BLOCK_ROWS = 64;
const BLOCK_COLS = 192;
/** Up to this many rows or columns, packing costs more than it saves. */
const SKINNY = 2;

/** In double precision; each element is rounded once when it is stored. */
function multiplyDouble(a: Matrix, b: Matrix, target: Target, memory: Memory): void {
  const m = a.rows.length;
  const n = b.cols.length;
  if (m === 0 || n === 0) return;
  if (m <= SKINNY) multiplyFewRows(a, b, target, memory);
  else if (n <= SKINNY) multiplyFewCols(a, b, target, memory);
  else multiplyBlocked(a, b, target, memory);
}

function multiplyBlocked(a: Matrix, b: Matrix, target: Target, memory: Memory): void {
  const m = a.rows.length;
  const n = b.cols.length;
  const k = a.cols.length;
  const depth = Math.min(k, BLOCK_DEPTH);
  const width = roundUp(Math.min(n, BLOCK_COLS), TILE_COLS);
  const height = roundUp(Math.min(m, BLOCK_ROWS), TILE_ROWS);
  const packedA = memory.take('float64', height * depth);
  const packedB = memory.take('float64', width * depth);
  const sums = memory.take('float64', roundUp(m, TILE_ROWS) * width);
  for (let col = 0; col < n; col += BLOCK_COLS) {
    const colEnd = Math.min(n, col + BLOCK_COLS);
    sums.fill(0);
    for (let step = 0; step < k; step += BLOCK_DEPTH) {
      const stepEnd = Math.min(k, step + BLOCK_DEPTH);
      packCols(b, step, stepEnd, col, colEnd, packedB);
      for (let row = 0; row < m; row += BLOCK_ROWS) {
        const rowEnd = Math.min(m, row + BLOCK_ROWS);
        packRows(a, row, rowEnd, step, stepEnd, packedA);
        const tall = roundUp(rowEnd - row, TILE_ROWS);
        const wide = roundUp(colEnd - col, TILE_COLS);
        multiplyBlock(packedA, packedB, stepEnd - step, tall, wide, sums, row * width, width);
      }
    }
    storeSums(sums, width, m, colEnd - col, target, col);
  }
}

function multiplyBlock(
  a: Float64Array,
  b: Float64Array,
  depth: number,
  tall: number,
  wide: number,
  sums: Float64Array,
  start: number,
  width: number,
): void {
  for (let col = 0; col < wide; col += TILE_COLS) {
    for (let row = 0; row < tall; row += TILE_ROWS) {
      tile(a, row * depth, b, col * depth, depth, sums, start + row * width + col, width);
    }
  }
}

/** Adds the product of one packed panel of each operand to a 4 × 3 tile of sums. */
function tile(
  a: Float64Array,
  aStart: number,
  b: Float64Array,
  bStart: number,
  depth: number,
  sums: Float64Array,
  start: number,
  width: number,
): void {
  let c00 = 0;
  let c01 = 0;
  let c02 = 0;
  let c10 = 0;
  let c11 = 0;
  let c12 = 0;
  let c20 = 0;
  let c21 = 0;
  let c22 = 0;
  let c30 = 0;
  let c31 = 0;
  let c32 = 0;
  const end = aStart + depth * TILE_ROWS;
  for (let i = aStart, j = bStart; i < end; i += TILE_ROWS, j += TILE_COLS) {
    const b0 = b[j] as number;
    const b1 = b[j + 1] as number;
    const b2 = b[j + 2] as number;
    let x = a[i] as number;
    c00 += x * b0;
    c01 += x * b1;
    c02 += x * b2;
    x = a[i + 1] as number;
    c10 += x * b0;
    c11 += x * b1;
    c12 += x * b2;
    x = a[i + 2] as number;
    c20 += x * b0;
    c21 += x * b1;
    c22 += x * b2;
    x = a[i + 3] as number;
    c30 += x * b0;
    c31 += x * b1;
    c32 += x * b2;
  }
  addThree(sums, start, c00, c01, c02);
  addThree(sums, start + width, c10, c11, c12);
  addThree(sums, start + 2 * width, c20, c21, c22);
  addThree(sums, start + 3 * width, c30, c31, c32);
}

function addThree(sums: Float64Array, start: number, x: number, y: number, z: number): void {
  sums[start] = (sums[start] as number) + x;
  sums[start + 1] = (sums[start + 1] as number) + y;
  sums[start + 2] = (sums[start + 2] as number) + z;
}

/**
 * Packs rows into panels of four, step by step. In a last panel with fewer rows, the last row fills
 * the gaps; those sums are never stored.
 */
function packRows(
  a: Matrix,
  row: number,
  rowEnd: number,
  step: number,
  stepEnd: number,
  packed: Float64Array,
): void {
  const data = a.data as NumberData;
  const { rows, cols, offset } = a;
  const last = rowEnd - 1;
  let to = 0;
  for (let i = row; i < rowEnd; i += TILE_ROWS) {
    const r0 = offset + (rows[i] as number);
    const r1 = offset + (rows[Math.min(i + 1, last)] as number);
    const r2 = offset + (rows[Math.min(i + 2, last)] as number);
    const r3 = offset + (rows[Math.min(i + 3, last)] as number);
    for (let s = step; s < stepEnd; s++) {
      const at = cols[s] as number;
      packed[to] = data[r0 + at] as number;
      packed[to + 1] = data[r1 + at] as number;
      packed[to + 2] = data[r2 + at] as number;
      packed[to + 3] = data[r3 + at] as number;
      to += TILE_ROWS;
    }
  }
}

/** Like {@link packRows}, for columns in panels of three. */
function packCols(
  b: Matrix,
  step: number,
  stepEnd: number,
  col: number,
  colEnd: number,
  packed: Float64Array,
): void {
  const data = b.data as NumberData;
  const { rows, cols, offset } = b;
  const last = colEnd - 1;
  let to = 0;
  for (let j = col; j < colEnd; j += TILE_COLS) {
    const c0 = offset + (cols[j] as number);
    const c1 = offset + (cols[Math.min(j + 1, last)] as number);
    const c2 = offset + (cols[Math.min(j + 2, last)] as number);
    for (let s = step; s < stepEnd; s++) {
      const at = rows[s] as number;
      packed[to] = data[c0 + at] as number;
      packed[to + 1] = data[c1 + at] as number;
      packed[to + 2] = data[c2 + at] as number;
      to += TILE_COLS;
    }
  }
}

function storeSums(
  sums: Float64Array,
  width: number,
  m: number,
  count: number,
  target: Target,
  col: number,
): void {
  const data = target.data as NumberData;
  for (let i = 0; i < m; i++) {
    const row = sums.subarray(i * width, i * width + count);
    data.set(row, target.offset + i * target.rowStride + col);
  }
}

/** Each row of `a` as a vector times the columns of `b`. */
function multiplyFewRows(a: Matrix, b: Matrix, target: Target, memory: Memory): void {
  const out = target.data as NumberData;
  const vector = memory.take('float64', a.cols.length);
  const sums = memory.take('float64', b.cols.length);
  for (let i = 0; i < a.rows.length; i++) {
    gather(a, a.rows[i] as number, a.cols, vector);
    dotProducts(vector, b.data as NumberData, b.offset, b.rows, b.cols, sums);
    out.set(sums, target.offset + i * target.rowStride);
  }
}

/** Each column of `b` as a vector times the rows of `a`. */
function multiplyFewCols(a: Matrix, b: Matrix, target: Target, memory: Memory): void {
  const out = target.data as NumberData;
  const vector = memory.take('float64', b.rows.length);
  const sums = memory.take('float64', a.rows.length);
  for (let j = 0; j < b.cols.length; j++) {
    gather(b, b.cols[j] as number, b.rows, vector);
    dotProducts(vector, a.data as NumberData, a.offset, a.cols, a.rows, sums);
    for (let i = 0; i < sums.length; i++) {
      out[target.offset + i * target.rowStride + j] = sums[i] as number;
    }
  }
}

function gather(m: Matrix, start: number, offsets: Int32Array, into: Float64Array): void {
  const data = m.data as NumberData;
  const from = m.offset + start;
  for (let i = 0; i < offsets.length; i++) into[i] = data[from + (offsets[i] as number)] as number;
}

/** The vector times each lane, four at a time so that sums do not depend on each other. */
function dotProducts(
  vector: Float64Array,
  data: NumberData,
  offset: number,
  steps: Int32Array,
  lanes: Int32Array,
  sums: Float64Array,
): void {
  const last = lanes.length - 1;
  for (let lane = 0; lane <= last; lane += 4) {
    const l0 = offset + (lanes[lane] as number);
    const l1 = offset + (lanes[Math.min(lane + 1, last)] as number);
    const l2 = offset + (lanes[Math.min(lane + 2, last)] as number);
    const l3 = offset + (lanes[Math.min(lane + 3, last)] as number);
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let step = 0; step < vector.length; step++) {
      const x = vector[step] as number;
      const at = steps[step] as number;
      s0 += x * (data[l0 + at] as number);
      s1 += x * (data[l1 + at] as number);
      s2 += x * (data[l2 + at] as number);
      s3 += x * (data[l3 + at] as number);
    }
    sums[lane] = s0;
    if (lane + 1 <= last) sums[lane + 1] = s1;
    if (lane + 2 <= last) sums[lane + 2] = s2;
    if (lane + 3 <= last) sums[lane + 3] = s3;
  }
}

const roundUp = (value: number, unit: number): number => Math.ceil(value / unit) * unit;
