/**
 * Products of matrices, one or many: rows of the data times columns of the weight.
 *
 * Both are packed in blocks that fit in a cache: the rows when the program runs, the columns ahead
 * if they are constant.
 */
import {
  call,
  type FunctionBuilder,
  i32,
  type ModuleBuilder,
  type Operand,
  type Value,
} from '../emit/index.ts';
import {
  type Addresses,
  kernelFunction,
  operandsAt,
  outBytesOf,
  type Procedure,
} from './function.ts';
import type { HandKernel, Site } from './kernel.ts';
import { each, moved, smaller } from './lanes.ts';
import { packMatrix } from './pack-matrix.ts';
import { packColumns } from './packing.ts';
import { product, type Tails, tailsOf } from './product.ts';
import { eachIn, shareOf, wholeOf } from './share.ts';
import {
  bitsOf,
  blockDepthOf,
  type Ending,
  endingKey,
  endingOf,
  TILE_COLUMNS,
  TILE_ROWS,
} from './tile.ts';

/** Terms of a sum that are added in one go. */
const BLOCK_DEPTH = 768;

/** **Units** bytes. What is packed of each operand at a time. */
const BLOCK_BYTES = 2 ** 18;

/** A product of matrices, or of a batch of them. */
export interface Matrices {
  readonly batch: number;
  readonly rows: number;
  readonly columns: number;
  readonly depth: number;
  /** Whether the rows lie along the second axis of the data. */
  readonly isDataTurned: boolean;
  /** Whether the columns lie along the first axis of the weight. */
  readonly isWeightTurned: boolean;
  /** Whether all products have the same data, or the same weight. */
  readonly isDataShared: boolean;
  readonly isWeightShared: boolean;
}

/** The kernel of a product. Operands of spread `channel` lie along the columns. */
export function matrixProduct(shape: Matrices, site: Site): HandKernel {
  const ending = endingOf(site, 'columns');
  const plan = planOf(shape, site);
  const weights = shape.isWeightShared ? 1 : shape.batch;
  const panels = Math.ceil(shape.columns / TILE_COLUMNS);
  const weightSize = TILE_COLUMNS * panels * shape.depth;
  return {
    key: `matrices ${JSON.stringify(shape)} ${plan.isAhead} ${endingKey(ending)}`,
    scratchBytes: plan.rowBytes + plan.columnBytes,
    packedBytes: plan.isAhead ? 4 * weights * weightSize : 0,
    packKey: `columns ${weights} ${shape.columns} ${shape.depth} ${plan.depth} ${shape.isWeightTurned}`,
    pack: (weight, into) => {
      const { columns: lanes, depth, isWeightTurned } = shape;
      const [laneStride, depthStride] = isWeightTurned ? [depth, 1] : [1, lanes];
      for (let i = 0; plan.isAhead && i < weights; i++) {
        const matrix = { start: i * lanes * depth, lanes, depth, laneStride, depthStride };
        packColumns(weight, matrix, plan.depth, into, i * weightSize);
      }
    },
    emit: (module) => emit(module, shape, plan, ending),
  };
}

/** How the loops are cut. */
interface Plan {
  /** Whether the weight is packed ahead. */
  readonly isAhead: boolean;
  readonly rows: number;
  readonly columns: number;
  readonly depth: number;
  readonly rowBytes: number;
  readonly columnBytes: number;
}

function planOf(shape: Matrices, { isWeightConstant: isAhead, epilogue }: Site): Plan {
  const blockDepth = blockDepthOf(epilogue, BLOCK_DEPTH, shape.depth);
  const depth = Math.ceil(shape.depth / Math.ceil(shape.depth / blockDepth));
  const fitting = (count: number, step: number): number => {
    const steps = Math.max(1, Math.floor(BLOCK_BYTES / (4 * depth * step)));
    return step * Math.min(steps, Math.ceil(count / step));
  };
  const rows = fitting(shape.rows, TILE_ROWS);
  const columns = fitting(shape.columns, TILE_COLUMNS);
  const columnBytes = isAhead ? 0 : 4 * depth * columns;
  return { isAhead, rows, columns, depth, rowBytes: 4 * depth * rows, columnBytes };
}

type Address = Value<'i32'>;

/** Threads share the products of so large a batch, and the rows of so large a matrix. */
const SHARED_BATCH = 4;
const SHARED_ROWS = 64;

function emit(module: ModuleBuilder, shape: Matrices, plan: Plan, ending: Ending): Procedure {
  const { rows, columns, depth } = shape;
  const { epilogue } = ending;
  const add = makePart(module, shape, plan, ending);
  const width = plan.isAhead ? TILE_COLUMNS * Math.ceil(columns / TILE_COLUMNS) : columns;
  return kernelFunction(module, epilogue, (f, { data, weight, operands, out, scratch }) => {
    const outBytes = outBytesOf(epilogue) * rows * columns;
    const isByBatch = shape.batch >= SHARED_BATCH;
    eachIn(f, isByBatch ? shareOf(f, module, shape.batch, 1) : wholeOf(shape.batch), 1, (i) =>
      add(f, {
        data: f.let(moved(data, shape.isDataShared ? 0 : i, 4 * rows * depth)),
        weight: f.let(moved(weight, shape.isWeightShared ? 0 : i, 4 * width * depth)),
        operands: operandsAt(epilogue, operands, (it, own) =>
          f.let(moved(it, i, own * rows * columns)),
        ),
        out: f.let(moved(out, i, outBytes)),
        scratch,
      }),
    );
  });
}

/** Writes the loops over one product: blocks of the depth, of the rows, of the columns. */
function makePart(module: ModuleBuilder, shape: Matrices, plan: Plan, ending: Ending) {
  const { rows, columns, depth, isDataTurned, isWeightTurned } = shape;
  const tails = tailsOf(rows, columns);
  const open: Tails = { rows: 'any', columns: plan.isAhead ? tails.columns : 'any' };
  const multiply = product(module, module.isOpen ? open : tails, ending);
  const packData = packMatrix(module, { side: 'rows', dense: isDataTurned ? 'lanes' : 'depth' });
  const dense = isWeightTurned ? 'depth' : 'lanes';
  const packWeight = plan.isAhead ? undefined : packMatrix(module, { side: 'columns', dense });
  /** The element of a matrix at a lane and a place of the depth. */
  const at = (
    matrix: Address,
    lane: Operand<'i32'>,
    level: Operand<'i32'>,
    isDepthDense: boolean,
    lanes: number,
  ) =>
    isDepthDense
      ? moved(moved(matrix, lane, 4 * depth), level, 4)
      : moved(moved(matrix, level, 4 * lanes), lane, 4);
  const paddedColumns = TILE_COLUMNS * Math.ceil(columns / TILE_COLUMNS);
  const bytes = outBytesOf(ending.epilogue);

  return (f: FunctionBuilder, { data, weight, operands, out, scratch }: Addresses): void => {
    const panel = f.let(moved(scratch, 1, plan.rowBytes));
    const isInside = shape.batch < SHARED_BATCH;
    const isByRows = rows >= SHARED_ROWS;
    const ownRows = isInside && isByRows ? shareOf(f, module, rows, TILE_ROWS) : wholeOf(rows);
    const ownColumns =
      isInside && !isByRows ? shareOf(f, module, columns, TILE_COLUMNS) : wholeOf(columns);
    each(f, depth, plan.depth, (level) => {
      const count = smaller(f, i32.sub(depth, level), plan.depth);
      const bits = bitsOf(f, level, count, depth);
      eachIn(f, ownRows, plan.rows, (row) => {
        const rowCount = smaller(f, i32.sub(ownRows.end, row), plan.rows);
        const source = at(data, row, level, !isDataTurned, rows);
        const stride = 4 * (isDataTurned ? rows : depth);
        f.do(call(packData, source, scratch, rowCount, count, stride));
        eachIn(f, ownColumns, plan.columns, (column) => {
          const columnCount = smaller(f, i32.sub(ownColumns.end, column), plan.columns);
          const right = packWeight
            ? panel
            : f.let(moved(moved(weight, level, 4 * paddedColumns), column, i32.mul(count, 4)));
          if (packWeight) {
            const from = at(weight, column, level, isWeightTurned, columns);
            const gap = 4 * (isWeightTurned ? depth : columns);
            f.do(call(packWeight, from, panel, columnCount, count, gap));
          }
          const place = (base: Address, own: number) =>
            moved(moved(base, row, own * columns), column, own);
          const channel = (it: Address) => moved(it, column, 4);
          const others = operandsAt(ending.epilogue, operands, place, channel);
          const sizes = [rowCount, columnCount, count] as const;
          const strided = [place(out, bytes), bytes * columns] as const;
          f.do(call(multiply, scratch, right, ...sizes, ...strided, bits, ...others));
        });
      });
    });
  };
}
