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
  type Local,
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
  numbersOf,
  TILE_ROWS,
  tileColumns,
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
  readonly data: Layout;
  readonly weight: Layout;
}

/**
 * Where the elements of an operand lie: the distances between neighbouring matrices, 0 if all products have
 * the same one, between rows of the data or columns of the weight, and along the depth. One of the last two
 * is 1. **Units** elements.
 */
export interface Layout {
  readonly matrix: number;
  readonly lane: number;
  readonly depth: number;
}

/** Whether neighbours along the depth lie without gaps. */
const isDepthDense = ({ depth }: Layout): boolean => depth === 1;

const denseSide = (layout: Layout) => (isDepthDense(layout) ? 'depth' : 'lanes');

/** The distance along the axis that has gaps. */
const gapOf = ({ lane, depth }: Layout): number => (depth === 1 ? lane : depth);

/** A weight that becomes rows of floats a block at a time, where its columns are packed. */
export interface ColumnSource {
  /** Equal keys mean equal code. */
  readonly key: string;
  /** Blocks along the depth begin at a multiple of it. */
  readonly step: number;
  /** **Units** bytes of a column of such a depth. */
  readonly rowBytes: (depth: number) => number;
  /** Writes columns as floats, contiguous along the depth, and gives the bytes from one to the next. */
  readonly unpack: (module: ModuleBuilder) => (
    f: FunctionBuilder,
    given: Pick<Addresses, 'weight' | 'scaling'>,
    part: {
      readonly column: Operand<'i32'>;
      readonly level: Operand<'i32'>;
      /** The columns, and the depth. */
      readonly count: Value<'i32'>;
      readonly depth: Value<'i32'>;
      readonly to: Value<'i32'>;
    },
  ) => Value<'i32'>;
}

/**
 * The kernel of a product. Operands of spread `channel` lie along the columns.
 *
 * @param source - what the columns are made of; by default they are the weight.
 */
export function matrixProduct(shape: Matrices, site: Site, source?: ColumnSource): HandKernel {
  const ending = endingOf(site, 'columns');
  const plan = planOf(shape, site, source);
  const weights = shape.weight.matrix === 0 ? 1 : shape.batch;
  const numbers = numbersOf(ending);
  const weightSize = paddedColumns(shape, tileColumns(numbers)) * shape.depth;
  return {
    key: `matrices ${JSON.stringify(shape)} ${plan.isAhead} ${source?.key} ${endingKey(ending)}`,
    scratchBytes: plan.rowBytes + plan.columnBytes + plan.sourceBytes,
    packedBytes: plan.isAhead ? numbers.bytes * weights * weightSize : 0,
    packKey: `columns ${numbers.bytes} ${weights} ${shape.columns} ${shape.depth} ${plan.depth} ${isDepthDense(shape.weight)}`,
    pack: (weight, into) => {
      const { columns: lanes, depth } = shape;
      const { lane: laneStride, depth: depthStride } = shape.weight;
      const packed = packColumns(numbers);
      for (let i = 0; plan.isAhead && i < weights; i++) {
        const matrix = { start: i * lanes * depth, lanes, depth, laneStride, depthStride };
        packed(weight, matrix, plan.depth, into, i * weightSize);
      }
    },
    emit: (module) => emit(module, shape, plan, ending, source),
  };
}

/** The columns of all panels, each of `width` columns. */
const paddedColumns = ({ columns }: Matrices, width: number): number =>
  width * Math.ceil(columns / width);

/** How the loops are cut. */
interface Plan {
  /** Whether the weight is packed ahead. */
  readonly isAhead: boolean;
  readonly rows: number;
  readonly columns: number;
  readonly depth: number;
  readonly rowBytes: number;
  readonly columnBytes: number;
  /** Scratch for the floats that columns are packed from. */
  readonly sourceBytes: number;
}

function planOf(
  shape: Matrices,
  { isWeightConstant: isAhead, epilogue }: Site,
  source: ColumnSource | undefined,
): Plan {
  const blockDepth = blockDepthOf(epilogue, BLOCK_DEPTH, shape.depth);
  const { step = 1 } = source ?? {};
  const numbers = numbersOf({ epilogue });
  const { bytes } = numbers;
  const even = Math.ceil(shape.depth / Math.ceil(shape.depth / blockDepth));
  const depth = Math.min(step * Math.ceil(even / step), shape.depth);
  const fitting = (count: number, step: number): number => {
    const steps = Math.max(1, Math.floor(BLOCK_BYTES / (bytes * depth * step)));
    return step * Math.min(steps, Math.ceil(count / step));
  };
  const rows = fitting(shape.rows, TILE_ROWS);
  const columns = fitting(shape.columns, tileColumns(numbers));
  const columnBytes = isAhead ? 0 : bytes * depth * columns;
  const sourceBytes = source === undefined ? 0 : columns * source.rowBytes(depth);
  return {
    isAhead,
    rows,
    columns,
    depth,
    rowBytes: bytes * depth * rows,
    columnBytes,
    sourceBytes,
  };
}

type Address = Value<'i32'>;

/** Threads share the products of so large a batch, and the rows of so large a matrix. */
const SHARED_BATCH = 4;
const SHARED_ROWS = 64;

function emit(
  module: ModuleBuilder,
  shape: Matrices,
  plan: Plan,
  ending: Ending,
  source: ColumnSource | undefined,
): Procedure {
  const { rows, columns, depth } = shape;
  const { epilogue } = ending;
  const add = makePart(module, shape, plan, ending, source);
  const numbers = numbersOf(ending);
  const { bytes } = numbers;
  const { matrix } = shape.weight;
  const weightBytes =
    bytes *
    (plan.isAhead && matrix > 0 ? paddedColumns(shape, tileColumns(numbers)) * depth : matrix);
  const body = (f: FunctionBuilder, given: Addresses<Local<'i32'>>): void => {
    const { data, weight, operands, out } = given;
    const outBytes = outBytesOf(epilogue) * rows * columns;
    const isByBatch = shape.batch >= SHARED_BATCH;
    eachIn(f, isByBatch ? shareOf(f, module, shape.batch, 1) : wholeOf(shape.batch), 1, (i) =>
      add(f, {
        ...given,
        data: f.let(moved(data, i, bytes * shape.data.matrix)),
        weight: f.let(moved(weight, i, weightBytes)),
        operands: operandsAt(epilogue, operands, (it, own) =>
          f.let(moved(it, i, own * rows * columns)),
        ),
        out: f.let(moved(out, i, outBytes)),
      }),
    );
  };
  return kernelFunction(module, epilogue, body, { hasBlocks: source !== undefined });
}

/** Writes the loops over one product: blocks of the depth, of the rows, of the columns. */
function makePart(
  module: ModuleBuilder,
  shape: Matrices,
  plan: Plan,
  ending: Ending,
  source: ColumnSource | undefined,
) {
  const { rows, columns, depth } = shape;
  const numbers = numbersOf(ending);
  const { bytes } = numbers;
  const width = tileColumns(numbers);
  const tails = tailsOf(rows, columns, width);
  const open: Tails = { rows: 'any', columns: plan.isAhead ? tails.columns : 'any' };
  const multiply = product(module, module.isOpen ? open : tails, ending);
  const packData = packMatrix(module, { numbers, side: 'rows', dense: denseSide(shape.data) });
  const dense = denseSide(shape.weight);
  const packWeight = plan.isAhead
    ? undefined
    : packMatrix(module, { numbers, side: 'columns', dense });
  const unpack = source?.unpack(module);
  /** The element of a matrix at a lane and a place of the depth. */
  const at = (matrix: Address, layout: Layout, lane: Operand<'i32'>, level: Operand<'i32'>) =>
    moved(moved(matrix, lane, bytes * layout.lane), level, bytes * layout.depth);
  const padded = paddedColumns(shape, width);
  const outBytes = outBytesOf(ending.epilogue);

  return (f: FunctionBuilder, given: Addresses): void => {
    const { data, weight, operands, out, scratch } = given;
    const panel = f.let(moved(scratch, 1, plan.rowBytes));
    const floats = f.let(moved(panel, 1, plan.columnBytes));
    const isInside = shape.batch < SHARED_BATCH;
    const isByRows = rows >= SHARED_ROWS;
    const ownRows = isInside && isByRows ? shareOf(f, module, rows, TILE_ROWS) : wholeOf(rows);
    const ownColumns =
      isInside && !isByRows ? shareOf(f, module, columns, width) : wholeOf(columns);
    each(f, depth, plan.depth, (level) => {
      const count = smaller(f, i32.sub(depth, level), plan.depth);
      const bits = bitsOf(f, level, count, depth);
      eachIn(f, ownRows, plan.rows, (row) => {
        const rowCount = smaller(f, i32.sub(ownRows.end, row), plan.rows);
        const source = at(data, shape.data, row, level);
        f.do(call(packData, source, scratch, rowCount, count, bytes * gapOf(shape.data)));
        eachIn(f, ownColumns, plan.columns, (column) => {
          const columnCount = smaller(f, i32.sub(ownColumns.end, column), plan.columns);
          const right = packWeight
            ? panel
            : f.let(moved(moved(weight, level, bytes * padded), column, i32.mul(count, bytes)));
          if (packWeight) {
            const part = { column, level, count: columnCount, depth: count, to: floats };
            const [from, gap] = unpack
              ? [floats, unpack(f, given, part)]
              : [at(weight, shape.weight, column, level), bytes * gapOf(shape.weight)];
            f.do(call(packWeight, from, panel, columnCount, count, gap));
          }
          const place = (base: Address, own: number) =>
            moved(moved(base, row, own * columns), column, own);
          const channel = (it: Address) => moved(it, column, bytes);
          const others = operandsAt(ending.epilogue, operands, place, channel);
          const sizes = [rowCount, columnCount, count] as const;
          const strided = [place(out, outBytes), outBytes * columns] as const;
          f.do(call(multiply, scratch, right, ...sizes, ...strided, bits, ...others));
        });
      });
    });
  };
}
