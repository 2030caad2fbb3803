/**
 * One column of a product, of many rows at once: what is left where the columns are one more than
 * whole tiles, as in a result of 7 × 7 pixels. A tile of one column would use a quarter of each vector;
 * here the four lanes are four rows, as they lie packed.
 */
import { type DType, dtypeInfo } from '@baton/tensor';
import {
  type FunctionBuilder,
  i32,
  i32x4,
  type Local,
  type ModuleBuilder,
  type Value,
  v128,
} from '../emit/index.ts';
import {
  alongDepth,
  operandBytesOf,
  outBytesOf,
  type Procedure,
  rescaled,
  sharedFunction,
} from './function.ts';
import { loadInteger, saturated, widened } from './lanes.ts';
import {
  ADDS,
  areSumsWhole,
  ENDS,
  type Ending,
  endingKey,
  outTypeOf,
  type Step,
  stepOf,
  TILE_COLUMNS,
  TILE_ROWS,
} from './tile.ts';

/** Packed tiles of rows that are added side by side: as many sums and loads as fit in registers. */
const GROUPS = 6;

/** The rows of the result that one call computes. */
export const COLUMN_ROWS = GROUPS * TILE_ROWS;

type I = Local<'i32'>;
type Vector = Value<'v128'>;

/** A function that computes {@link COLUMN_ROWS} rows of one column. Its parameters are those of a tile. */
export function columnOf(module: ModuleBuilder, ending: Ending): Procedure {
  const count = 6 + ending.epilogue.operands.length;
  return sharedFunction(module, `column ${endingKey(ending)}`, count, (f, ...params) => {
    const [a, b, depth, to, outStride, bits, ...operands] = params as readonly [
      I,
      I,
      I,
      I,
      I,
      I,
      ...I[],
    ];
    const groupBytes = f.let(i32.mul(depth, 4 * TILE_ROWS));
    const groups = Array.from({ length: GROUPS }, (_, g) => ({
      rows: f.let(i32.add(a, i32.mul(groupBytes, g))),
      sum: f.local('v128'),
      place: f.let(i32.add(to, i32.mul(outStride, TILE_ROWS * g))),
    }));
    const { epilogue, channels } = ending;
    const out = outTypeOf(epilogue);
    const isWhole = areSumsWhole(epilogue);
    if (!isWhole) {
      f.if(i32.and(bits, ADDS), () => {
        for (const { sum, place } of groups) f.set(sum, loadDown(out, place, outStride));
      });
    }
    addProducts(f, groups, b, depth, stepOf(ending));
    const isAlong = (i: number): boolean =>
      epilogue.operands[i] === 'channel' && channels === 'rows';
    const finished = (sum: Vector, g: number): Vector =>
      epilogue.apply(
        f,
        sum,
        (i) => {
          const operand = operands[i] as I;
          if (epilogue.operands[i] === 'full') {
            const stride = rescaled(outStride, outBytesOf(epilogue), operandBytesOf(epilogue, i));
            const top = i32.add(operand, i32.mul(stride, TILE_ROWS * g));
            return loadDown(epilogue.types?.operands[i] ?? epilogue.sums, top, f.let(stride));
          }
          return isAlong(i) ? v128.load(operand, 16 * g) : v128.load32Splat(operand);
        },
        (i) => epilogue.operands[i] !== 'full' && !isAlong(i),
      );
    const finishAll = (): void => {
      for (const [g, { sum }] of groups.entries()) f.set(sum, finished(sum, g));
    };
    if (isWhole) finishAll();
    else f.if(i32.and(bits, ENDS), finishAll);
    for (const { sum, place } of groups) {
      if (epilogue.saturates) f.set(sum, widened(out, saturated(out, sum, sum)));
      storeDown(f, out, sum, place, outStride);
    }
  });
}

/** The packed rows of a group, and their sums. */
interface Group {
  readonly rows: I;
  readonly sum: Local<'v128'>;
}

/** Two steps along the depth in a turn, with an exit between, as in a tile. */
function addProducts(
  f: FunctionBuilder,
  groups: ReadonlyArray<Group>,
  column: I,
  depth: I,
  fused: Step,
): void {
  const step = (n: number): void => {
    const factor = f.let(v128.load32Splat(column, n * 4 * TILE_COLUMNS));
    const vectors = groups.map(({ rows }) => f.let(v128.load(rows, n * 4 * TILE_ROWS)));
    for (const [g, { sum }] of groups.entries())
      f.set(sum, fused(vectors[g] as Vector, factor, sum));
  };
  alongDepth(f, depth, step, () => {
    for (const { rows } of groups) f.increase(rows, 8 * TILE_ROWS);
    f.increase(column, 8 * TILE_COLUMNS);
  });
}

/** The places of the four rows of a group. */
const downFrom = (place: Value<'i32'>, stride: I): ReadonlyArray<Value<'i32'>> =>
  Array.from({ length: TILE_ROWS }, (_, row) => i32.add(place, i32.mul(stride, row)));

/** Four numbers, each in the row below. */
const loadDown = (dtype: DType, place: Value<'i32'>, stride: I): Vector => {
  const [first, ...others] = downFrom(place, stride) as [Value<'i32'>, ...Value<'i32'>[]];
  if (dtypeInfo(dtype).bytes < 4) {
    return others.reduce<Vector>(
      (lanes, at, i) => i32x4.replaceLane(lanes, i + 1, loadInteger(dtype, at)),
      i32x4.splat(loadInteger(dtype, first)),
    );
  }
  return others.reduce<Vector>(
    (lanes, at, i) => v128.load32Lane(at, lanes, i + 1),
    v128.load32Zero(first),
  );
};

function storeDown(
  f: FunctionBuilder,
  dtype: DType,
  vector: Local<'v128'>,
  place: I,
  stride: I,
): void {
  const { bytes } = dtypeInfo(dtype);
  for (const [lane, at] of downFrom(place, stride).entries()) {
    if (bytes === 4) f.do(v128.store32Lane(at, vector, lane));
    else {
      const store = bytes === 1 ? i32.store8 : i32.store16;
      f.do(store(at, i32x4.extractLane(vector, lane)));
    }
  }
}
