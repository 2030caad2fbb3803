/** A product of two packed matrices, tile by tile. */
import {
  call,
  type FunctionBuilder,
  i32,
  type Local,
  type ModuleBuilder,
  type Value,
} from '../emit/index.ts';
import { COLUMN_ROWS, columnOf } from './column.ts';
import {
  operandsAt,
  outBytesOf,
  type Procedure,
  procedureOf,
  rescaled,
  until,
} from './function.ts';
import { moved } from './lanes.ts';
import {
  type Ending,
  endingKey,
  numbersOf,
  TILE_COLUMNS,
  TILE_ROWS,
  tile,
  tileColumns,
} from './tile.ts';

/** The rows and columns that are left over after whole tiles. */
export interface Tails {
  /** The number of rows of the last tile of each column, if not zero. */
  readonly rows: Tail;
  /** The number of columns of the last tile of each row, if not zero. */
  readonly columns: Tail;
}

/** What is left over, or `any` if code finds it out, and takes four of it first. */
export type Tail = number | 'any';

/** The tails of a product, whose tiles have `width` columns. */
export const tailsOf = (rows: number, columns: number, width = TILE_COLUMNS): Tails => ({
  rows: rows % TILE_ROWS,
  columns: columns % width,
});

/**
 * A function that multiplies packed rows by packed columns.
 *
 * Its parameters: the rows, packed in tiles of {@link TILE_ROWS} and a rest; the columns, packed in
 * panels of {@link tileColumns}; the number of rows, of columns, and the depth, which is not zero;
 * the result, and the bytes between its rows; the bits of {@link tile}; the epilogue's operands.
 * The number of rows has the tail that is stated, if one is; the columns have it or none.
 */
export function product(module: ModuleBuilder, tails: Tails, ending: Ending): Procedure {
  const { epilogue } = ending;
  const bytes = outBytesOf(epilogue);
  const numbers = numbersOf(ending);
  const width = tileColumns(numbers);
  return module.once(`product ${tails.rows} ${tails.columns} ${endingKey(ending)}`, () => {
    const tileOf = (rows: number, columns: number) => tile(module, rows, columns, ending);
    const whole = tileOf(TILE_ROWS, width);
    const isOneMore = tails.columns === 1 && numbers.bytes === 4;
    const columnTail = isOneMore ? 0 : tails.columns;
    return procedureOf(module, 8 + epilogue.operands.length, (f, ...params) => {
      const [a, b, rows, columns, depth, out, outStride, bits, ...operands] =
        params as unknown as Given;
      const panelBytes = f.let(i32.mul(depth, numbers.bytes));

      /** The tiles of some rows. */
      const across = (row: Local<'i32'>, rowCount: number): void => {
        const left = f.let(moved(a, row, panelBytes));
        const place = f.let(moved(out, row, outStride));
        const one = (column: Local<'i32'>, columnCount: number): void => {
          const isWhole = rowCount === TILE_ROWS && columnCount === width;
          const address = f.let(moved(place, column, bytes));
          const others = operandsAt(
            epilogue,
            operands,
            (it, own) => i32.add(it, rescaled(i32.sub(address, out), bytes, own)),
            (it) => moved(it, ending.channels === 'rows' ? row : column, numbers.bytes),
          );
          const ref = isWhole ? whole : tileOf(rowCount, columnCount);
          // Parts of a tail share a panel.
          const isPart = tails.columns === 'any' && columnCount < width;
          const panel = isPart ? i32.and(column, -width) : column;
          const first = moved(b, panel, panelBytes);
          const right = isPart ? moved(first, i32.and(column, width - 1), numbers.bytes) : first;
          f.do(call(ref, left, right, depth, address, outStride, bits, ...others));
        };
        upTo(f, columns, width, columnTail, one);
      };
      upTo(f, rows, TILE_ROWS, tails.rows, across);
      if (isOneMore) lastColumn(f, module, tails, ending, params);
    });
  });
}

/** Writes the last column, if it is one more than whole tiles: many rows at once, then tiles. */
function lastColumn(
  f: FunctionBuilder,
  module: ModuleBuilder,
  tails: Tails,
  ending: Ending,
  params: ReadonlyArray<Local<'i32'>>,
): void {
  const [a, b, rows, columns, depth, out, outStride, bits, ...operands] =
    params as unknown as Given;
  f.if(i32.eq(i32.remU(columns, TILE_COLUMNS), 1), () => {
    const column = f.let(i32.sub(columns, 1));
    const panelBytes = f.let(i32.mul(depth, 4));
    const right = f.let(moved(b, column, panelBytes));
    const bytes = outBytesOf(ending.epilogue);
    const top = f.let(moved(out, column, bytes));
    const some = (ref: Procedure, row: Local<'i32'>): void => {
      const address = f.let(moved(top, row, outStride));
      const others = operandsAt(
        ending.epilogue,
        operands,
        (it, own) => i32.add(it, rescaled(i32.sub(address, out), bytes, own)),
        (it) => moved(it, ending.channels === 'rows' ? row : column, 4),
      );
      f.do(call(ref, moved(a, row, panelBytes), right, depth, address, outStride, bits, ...others));
    };
    const row = f.let(i32.const(0));
    const down = (step: number, ref: Procedure): void =>
      until(f, i32.gtS(i32.add(row, step), rows), () => {
        some(ref, row);
        f.increase(row, step);
      });
    down(COLUMN_ROWS, columnOf(module, ending));
    down(TILE_ROWS, tile(module, TILE_ROWS, 1, ending));
    rest(f, row, rows, tails.rows, (size) => some(tile(module, size, 1, ending), row));
  });
}

type I = Local<'i32'>;
type Given = [I, I, I, I, I, I, I, I, ...I[]];

/** Whole steps up to a count, and what is left, if the count has that tail. */
function upTo(
  f: FunctionBuilder,
  count: Value<'i32'>,
  step: number,
  tail: Tail,
  body: (at: Local<'i32'>, size: number) => void,
): void {
  const at = f.let(i32.const(0));
  until(f, i32.gtS(i32.add(at, step), count), () => {
    body(at, step);
    f.increase(at, step);
  });
  // A part begins at a whole vector, so that loads of vectors stay in the panel.
  if (tail === 'any' && step > LANES) {
    f.if(i32.and(count, LANES), () => {
      body(at, LANES);
      f.increase(at, LANES);
    });
  }
  rest(f, at, count, tail, (size) => body(at, size));
}

/** What is left of a count: the tail that it has, or up to three. */
function rest(
  f: FunctionBuilder,
  at: Local<'i32'>,
  count: Value<'i32'>,
  tail: Tail,
  body: (size: number) => void,
): void {
  if (tail === 0) return;
  if (tail !== 'any') {
    f.if(i32.ltS(at, count), () => body(tail));
    return;
  }
  const left = f.let(i32.sub(count, at));
  for (let size = 1; size < LANES; size++) f.if(i32.eq(left, size), () => body(size));
}

const LANES = 4;
