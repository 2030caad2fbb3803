/** A product of two packed matrices, tile by tile. */
import {
  call,
  type FunctionBuilder,
  type FunctionRef,
  i32,
  type Local,
  type ModuleBuilder,
  type Operand,
  type Value,
} from '../emit/index.ts';
import { COLUMN_ROWS, columnOf } from './column.ts';
import { moved } from './lanes.ts';
import { type Ending, endingKey, integers, TILE_COLUMNS, TILE_ROWS, tile } from './tile.ts';

/** The rows and columns that are left over beside whole tiles. */
export interface Tails {
  /** The last tile of each column has so many rows, if not zero. */
  readonly rows: number;
  /** The last tile of each row has so many columns, if not zero. */
  readonly columns: number;
}

/** The tails of a product. */
export const tailsOf = (rows: number, columns: number): Tails => ({
  rows: rows % TILE_ROWS,
  columns: columns % TILE_COLUMNS,
});

/**
 * A function that multiplies packed rows by packed columns.
 *
 * Its parameters: the rows, packed in tiles of {@link TILE_ROWS} and a rest; the columns, packed in
 * panels of {@link TILE_COLUMNS}; the number of rows, of columns, and the depth, which is not zero;
 * the result, and the bytes between its rows; the bits of {@link tile}; the epilogue's operands.
 * The number of rows has the tail that is stated; the columns have it or none.
 */
export function product(
  module: ModuleBuilder,
  tails: Tails,
  ending: Ending,
): FunctionRef<ReadonlyArray<'i32'>, 'none'> {
  const { operands } = ending.epilogue;
  return module.once(`product ${tails.rows} ${tails.columns} ${endingKey(ending)}`, () => {
    const tileOf = (rows: number, columns: number) => tile(module, rows, columns, ending);
    const whole = tileOf(TILE_ROWS, TILE_COLUMNS);
    const isOneMore = tails.columns === 1;
    return module.procedure(integers(8 + operands.length), (f, ...params) => {
      const [a, b, rows, columns, depth, out, outStride, bits] = params as Eight;
      const panelBytes = f.let(i32.mul(depth, 4));

      /** The tiles of some rows. */
      const across = (row: Local<'i32'>, rowCount: number): void => {
        const left = f.let(moved(a, row, panelBytes));
        const place = f.let(moved(out, row, outStride));
        const one = (column: Local<'i32'>, columnCount: number): void => {
          const isWhole = rowCount === TILE_ROWS && columnCount === TILE_COLUMNS;
          const address = f.let(moved(place, column, 4));
          const others = operands.map((spread, i): Operand<'i32'> => {
            const operand = params[8 + i] as Local<'i32'>;
            if (spread === 'scalar') return operand;
            if (spread === 'full') return i32.add(operand, i32.sub(address, out));
            return moved(operand, ending.channels === 'rows' ? row : column, 4);
          });
          const ref = isWhole ? whole : tileOf(rowCount, columnCount);
          const right = moved(b, column, panelBytes);
          f.do(call(ref, left, right, depth, address, outStride, bits, ...others));
        };
        upTo(f, columns, TILE_COLUMNS, isOneMore ? 0 : tails.columns, one);
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
  const [a, b, rows, columns, depth, out, outStride, bits, ...operands] = params as [
    ...Eight,
    ...I[],
  ];
  const spreads = ending.epilogue.operands;
  f.if(i32.eq(i32.remU(columns, TILE_COLUMNS), 1), () => {
    const column = f.let(i32.sub(columns, 1));
    const panelBytes = f.let(i32.mul(depth, 4));
    const right = f.let(moved(b, column, panelBytes));
    const top = f.let(moved(out, column, 4));
    const some = (ref: FunctionRef<ReadonlyArray<'i32'>, 'none'>, row: Local<'i32'>): void => {
      const address = f.let(moved(top, row, outStride));
      const others = operands.map((operand, i): Operand<'i32'> => {
        if (spreads[i] === 'scalar') return operand;
        if (spreads[i] === 'full') return i32.add(operand, i32.sub(address, out));
        return moved(operand, ending.channels === 'rows' ? row : column, 4);
      });
      f.do(call(ref, moved(a, row, panelBytes), right, depth, address, outStride, bits, ...others));
    };
    const row = f.let(i32.const(0));
    const down = (step: number, ref: FunctionRef<ReadonlyArray<'i32'>, 'none'>): void =>
      f.block((end) =>
        f.loop((again) => {
          f.branchIf(end, i32.gtS(i32.add(row, step), rows));
          some(ref, row);
          f.increase(row, step);
          f.branch(again);
        }),
      );
    down(COLUMN_ROWS, columnOf(module, ending));
    down(TILE_ROWS, tile(module, TILE_ROWS, 1, ending));
    if (tails.rows === 0) return;
    f.if(i32.ltS(row, rows), () => some(tile(module, tails.rows, 1, ending), row));
  });
}

type I = Local<'i32'>;
type Eight = [I, I, I, I, I, I, I, I];

/** Whole steps up to a count, and what is left, if the count has that tail. */
function upTo(
  f: FunctionBuilder,
  count: Value<'i32'>,
  step: number,
  tail: number,
  body: (at: Local<'i32'>, size: number) => void,
): void {
  const at = f.let(i32.const(0));
  f.block((end) =>
    f.loop((again) => {
      f.branchIf(end, i32.gtS(i32.add(at, step), count));
      body(at, step);
      f.increase(at, step);
      f.branch(again);
    }),
  );
  if (tail !== 0) f.if(i32.ltS(at, count), () => body(at, tail));
}
