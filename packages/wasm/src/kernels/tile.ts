/**
 * The innermost loop of all products: a tile of the result that stays in registers.
 *
 * A tile has at most 4 rows and two vectors of columns: 8 sums, which with what one step loads fill the
 * 15 registers that V8 gives out on x86. One step along the depth loads two vectors of columns, and
 * multiplies them by each of four numbers of the rows.
 *
 * The loop has two steps with an exit between them. V8 schedules all loads of a basic block before
 * the arithmetic, so two steps in one block would not fit in registers; the exit keeps the blocks
 * apart, and serves odd depths.
 */
import type { DType } from '@baton/tensor';
import {
  type FunctionBuilder,
  i8x16,
  i32,
  type Local,
  type ModuleBuilder,
  type Operand,
  type Value,
  v128,
} from '../emit/index.ts';
import type { SimdLevel } from '../level.ts';
import {
  alongDepth,
  operandBytesOf,
  outBytesOf,
  type Procedure,
  rescaled,
  sharedFunction,
} from './function.ts';
import { type Epilogue, plainOf } from './kernel.ts';
import { loadElements, loadLanes, saturated, storeElements } from './lanes.ts';
import { NUMBERS, type Numbers } from './numbers.ts';

/** The rows of a tile in the middle of a product, and its columns of numbers of 32 bits. */
export const TILE_ROWS = 4;
export const TILE_COLUMNS = 8;

/** The columns of a tile in the middle of a product: two vectors. */
export const tileColumns = ({ lanes }: Pick<Numbers, 'lanes'>): number => 2 * lanes;

/** How a product ends. */
export interface Ending {
  readonly epilogue: Epilogue;
  /** The axis of the result along which operands of spread `channel` change. */
  readonly channels: 'rows' | 'columns';
  readonly level: SimdLevel;
}

/** The ending of a product at a site. */
export const endingOf = (
  { epilogue, level }: Pick<Ending, 'epilogue' | 'level'>,
  channels: Ending['channels'],
): Ending => ({ epilogue, channels, level });

/** The numbers that the product of an ending multiplies and adds. */
export const numbersOf = ({ epilogue }: Pick<Ending, 'epilogue'>): Numbers =>
  NUMBERS[epilogue.sums];

/** A step along the depth: `a * b + c` of vectors. */
export type Step = ReturnType<Numbers['multiplyAdd']>;

/** What a step along the depth adds to a vector of sums. */
export const stepOf = (ending: Pick<Ending, 'epilogue' | 'level'>): Step =>
  numbersOf(ending).multiplyAdd(ending.level);

/** Whether sums are whole before they are stored: what is stored may have fewer bits than integers. */
export const areSumsWhole = ({ sums }: Epilogue): boolean => sums === 'int32';

/** The most terms of a sum that are added in one go, of `depth`. */
export const blockDepthOf = (epilogue: Epilogue, most: number, depth: number): number =>
  areSumsWhole(epilogue) ? depth : most;

/** A name for the code of an ending. */
export const endingKey = ({ epilogue, channels, level }: Ending): string =>
  `${epilogue.key}|${epilogue.operands.join()}|${epilogue.sums} ${typesKey(epilogue)}|${epilogue.operands.length === 0 ? '' : channels}|${level}`;

const typesKey = ({ types }: Epilogue): string =>
  types ? [...types.operands, types.out].join() : '';

/** Whether a tile adds to what the result holds; the bit of an argument. */
export const ADDS = 1;
/** Whether a tile's sums are whole, and the epilogue is due; the bit of an argument. */
export const ENDS = 2;

/** The bits for `count` terms from one on, of a sum of all terms. */
export const bitsOf = (
  f: FunctionBuilder,
  first: Operand<'i32'>,
  count: Value<'i32'>,
  all: number,
): I => {
  const adds = i32.mul(i32.ne(first, 0), ADDS);
  const ends = i32.mul(i32.eq(i32.add(first, count), all), ENDS);
  return f.let(i32.or(adds, ends));
};

/**
 * A function that computes one tile.
 *
 * Its parameters: the packed rows (`depth` × `rows`), the packed columns (`depth` ×
 * {@link tileColumns}), the depth, which is not zero, the place of the tile in the result, the
 * bytes between rows of the result, the bits {@link ADDS} and {@link ENDS}, and the places of the
 * epilogue's operands for the tile's first element.
 */
export function tile(
  module: ModuleBuilder,
  rows: number,
  columns: number,
  ending: Ending,
): Procedure {
  const key = `tile ${rows} ${columns} ${endingKey(ending)}`;
  return sharedFunction(module, key, 6 + ending.epilogue.operands.length, (f, ...params) => {
    const [a, b, depth, out, outStride, bits] = params as readonly [I, I, I, I, I, I];
    const numbers = numbersOf(ending);
    const sums = makeSums(f, rows, columns, numbers);
    const isWhole = areSumsWhole(ending.epilogue);
    const end = (): void => finish(f, sums, ending, [out, outStride, ...params.slice(6)]);
    if (!isWhole) f.if(i32.and(bits, ADDS), () => loadSums(f, sums, out, outStride, numbers));
    addProducts(f, sums, { a, b, depth }, numbers, stepOf(ending));
    if (isWhole) end();
    else {
      f.if(i32.and(bits, ENDS), end, () =>
        finish(f, sums, { ...ending, epilogue: plainOf(ending.epilogue.sums) }, [out, outStride]),
      );
    }
  });
}

type I = Local<'i32'>;

/** One vector of sums, and where it lies in the tile. */
interface Sum {
  readonly at: Local<'v128'>;
  readonly column: number;
  /** How many of its numbers belong to the result. */
  readonly lanes: number;
}

const makeSums = (f: FunctionBuilder, rows: number, columns: number, { lanes }: Numbers): Sum[][] =>
  Array.from({ length: rows }, () =>
    Array.from({ length: Math.ceil(columns / lanes) }, (_, i) => ({
      at: f.local('v128'),
      column: lanes * i,
      lanes: Math.min(lanes, columns - lanes * i),
    })),
  );

function loadSums(
  f: FunctionBuilder,
  sums: Sum[][],
  out: I,
  outStride: I,
  { bytes }: Numbers,
): void {
  const row = f.let(out);
  for (const vectors of sums) {
    for (const { at, column, lanes } of vectors) {
      f.set(at, loadLanes(row, lanes, bytes * column, bytes));
    }
    f.increase(row, outStride);
  }
}

function addProducts(
  f: FunctionBuilder,
  sums: Sum[][],
  { a, b, depth }: { readonly a: I; readonly b: I; readonly depth: I },
  numbers: Numbers,
  fused: Step,
): void {
  const { bytes, splat } = numbers;
  const [rowBytes, columnBytes] = [bytes * sums.length, bytes * tileColumns(numbers)];
  const step = (n: number): void => {
    const vectors = (sums[0] ?? []).map((_, i) => f.let(v128.load(b, n * columnBytes + 16 * i)));
    for (const [i, row] of sums.entries()) {
      const factor = f.let(splat(a, n * rowBytes + bytes * i));
      for (const [j, { at }] of row.entries()) {
        f.set(at, fused(vectors[j] as Value<'v128'>, factor, at));
      }
    }
  };
  alongDepth(f, depth, step, () => {
    f.increase(a, 2 * rowBytes);
    f.increase(b, 2 * columnBytes);
  });
}

/** Stores what the epilogue makes of the sums, row by row. */
function finish(
  f: FunctionBuilder,
  sums: Sum[][],
  ending: Ending,
  [out, outStride, ...operands]: ReadonlyArray<I>,
): void {
  const { epilogue, channels } = ending;
  const numbers = numbersOf(ending);
  const row = f.let(out as I);
  const places = operands.map((place) => f.let(place as I));
  const bytes = outBytesOf(epilogue);
  const isSame = (index: number): boolean => {
    const spread = epilogue.operands[index];
    return spread === 'scalar' || (spread === 'channel' && channels === 'rows');
  };
  for (const vectors of sums) {
    const results = vectors.map(({ at, column, lanes }) => {
      const operand = (index: number): Value<'v128'> => {
        const place = places[index] as I;
        if (isSame(index)) return numbers.splat(place);
        return loadOperand(epilogue, index, place, lanes, column);
      };
      return { vector: epilogue.apply(f, at, operand, isSame), lanes };
    });
    storeResults(f, epilogue, row, results);
    f.increase(row, outStride as I);
    for (const [i, place] of places.entries()) {
      const own = operandBytesOf(epilogue, i);
      if (epilogue.operands[i] === 'full') f.increase(place, rescaled(outStride as I, bytes, own));
      if (epilogue.operands[i] === 'channel' && channels === 'rows') {
        f.increase(place, numbers.bytes);
      }
    }
  }
}

/** The type of the results of an epilogue. */
export const outTypeOf = ({ types, sums }: Epilogue): DType => types?.out ?? sums;

/** Stores vectors of results, of which the last may have fewer lanes, one after another. */
export function storeResults(
  f: FunctionBuilder,
  epilogue: Epilogue,
  place: I,
  results: ReadonlyArray<{ readonly vector: Value<'v128'>; readonly lanes: number }>,
): void {
  const [dtype, bytes] = [outTypeOf(epilogue), outBytesOf(epilogue)];
  const [first, second] = results;
  if (epilogue.saturates && first && second && second.lanes === LANES && results.length === 2) {
    const both = f.let(saturated(dtype, first.vector, second.vector));
    f.do(v128.store64Lane(place, both, 0));
    return;
  }
  const { lanes: whole } = NUMBERS[epilogue.sums];
  for (const [i, { vector, lanes }] of results.entries()) {
    storeResult(f, epilogue, place, vector, lanes, whole * bytes * i);
  }
}

const LANES = 4;

/** Stores up to a vector of results. */
export function storeResult(
  f: FunctionBuilder,
  epilogue: Epilogue,
  place: Value<'i32'>,
  vector: Value<'v128'>,
  lanes: number,
  offset = 0,
): void {
  const dtype = outTypeOf(epilogue);
  if (!epilogue.saturates) {
    storeElements(f, dtype, place, vector, lanes, offset);
    return;
  }
  const whole = f.let(vector);
  const narrow = f.let(saturated(dtype, whole, whole));
  if (lanes >= LANES) {
    f.do(v128.store32Lane(place, narrow, 0, offset));
    return;
  }
  for (let i = 0; i < lanes; i++) {
    f.do(i32.store8(place, i8x16.extractLaneU(narrow, i), offset + i));
  }
}

/** Up to a vector of values of an operand, from an element on. */
export const loadOperand = (
  epilogue: Epilogue,
  index: number,
  place: I,
  lanes: number,
  first: number,
): Value<'v128'> =>
  loadElements(
    epilogue.types?.operands[index] ?? epilogue.sums,
    place,
    lanes,
    operandBytesOf(epilogue, index) * first,
  );
