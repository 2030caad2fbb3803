/**
 * Convolutions of 3 × 3 by Winograd's transforms: tiles of the data and of the weight are
 * transformed, multiplied place by place, summed over the channels, and transformed back. A tile of
 * 2 × 2 results takes 16 multiplications in place of 36, and one of 4 × 4 takes 36 in place of 144.
 *
 * The sums of floats are others than those of the definition: the error grows from about 1e-7 of the
 * results' size to about 1e-6. Sums of integers are the same: fractions of the transforms become factors
 * of the results, which are divided by them at the end. All arithmetic is modulo 2^16 or 2^32, so only
 * what is multiplied has to fit in 16 bits, and the results, times the power of 2 in their factor, in 32.
 *
 * **Source** Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015.
 */
import { fastestAlgorithm } from '@baton/ops';
import {
  call,
  type FunctionBuilder,
  f32x4,
  i16x8,
  i32,
  i32x4,
  type Local,
  type ModuleBuilder,
  memoryFill,
  type Operand,
  select,
  type Value,
  v128,
} from '../emit/index.ts';
import { copyRow } from './copy-row.ts';
import {
  type Addresses,
  kernelFunction,
  operandBytesOf,
  operandsAt,
  outBytesOf,
  type Procedure,
  procedureOf,
  rescaled,
  sharedFunction,
} from './function.ts';
import { eachPart, type Geometry } from './geometry.ts';
import { type HandKernel, type IntegerOperands, plainOf, type Site, type Words } from './kernel.ts';
import { each, moved, smaller, splatOf, vectorBytes } from './lanes.ts';
import { transpose } from './pack-matrix.ts';
import { packRows } from './packing.ts';
import { paired } from './pairs.ts';
import { product, tailsOf } from './product.ts';
import { eachIn, shareOf, sizeOfShare, wholeOf } from './share.ts';
import {
  ENDS,
  type Ending,
  endingKey,
  endingOf,
  loadOperand,
  storeResult,
  TILE_COLUMNS,
  TILE_ROWS,
} from './tile.ts';

type Matrix = ReadonlyArray<ReadonlyArray<number>>;

/** The transforms of one size of tiles. */
interface Transforms {
  /** Results of a tile along each axis. */
  readonly size: 2 | 4;
  readonly data: Matrix;
  readonly weight: Matrix;
  readonly result: Matrix;
  /** The factor of the results, of integers. */
  readonly factor?: { readonly odd: number; readonly shift: number };
}

/** The transforms on integers: `scales` are what rows of the weight's are multiplied by to be whole. */
function onIntegers(
  { size, data, weight, result }: Transforms,
  scales: ReadonlyArray<number>,
  [common, odd, shift]: readonly [number, number, number],
): Transforms {
  return {
    size,
    data,
    weight: weight.map((row, i) => row.map((x) => Math.round(x * (scales[i] as number)))),
    result: result.map((row) => row.map((x, i) => (x * common) / (scales[i] as number))),
    factor: { odd, shift },
  };
}

/** Arithmetic on vectors, by the type of their lanes. */
type Lanes = Pick<typeof f32x4, 'add' | 'sub' | 'mul' | 'neg'> & {
  readonly splat: (value: number) => Value<'v128'>;
};

const FLOATS: Lanes = { ...f32x4, splat: splatOf };
const SHORTS: Lanes = { ...i16x8, splat: (x) => v128.const(new Int16Array(8).fill(x)) };
const WORDS: Lanes = { ...i32x4, splat: (x) => v128.const(new Int32Array(4).fill(x)) };

const TWO: Transforms = {
  size: 2,
  data: [
    [1, 0, -1, 0],
    [0, 1, 1, 0],
    [0, -1, 1, 0],
    [0, 1, 0, -1],
  ],
  weight: [
    [1, 0, 0],
    [1 / 2, 1 / 2, 1 / 2],
    [1 / 2, -1 / 2, 1 / 2],
    [0, 0, 1],
  ],
  result: [
    [1, 1, 1, 0],
    [0, 1, -1, -1],
  ],
};

const FOUR: Transforms = {
  size: 4,
  data: [
    [4, 0, -5, 0, 1, 0],
    [0, -4, -4, 1, 1, 0],
    [0, 4, -4, -1, 1, 0],
    [0, -2, -1, 2, 1, 0],
    [0, 2, -1, -2, 1, 0],
    [0, 4, 0, -5, 0, 1],
  ],
  weight: [
    [1 / 4, 0, 0],
    [-1 / 6, -1 / 6, -1 / 6],
    [-1 / 6, 1 / 6, -1 / 6],
    [1 / 24, 1 / 12, 1 / 6],
    [1 / 24, -1 / 12, 1 / 6],
    [0, 0, 1],
  ],
  result: [
    [1, 1, 1, 1, 1, 0],
    [0, 1, -1, 2, -2, 0],
    [0, 1, 1, 4, 4, 0],
    [0, 1, -1, 8, -8, 1],
  ],
};

/** The results of tiles of 2 × 2 have the factor 2², those of 4 × 4 have 24² = 9 · 2⁶. */
const TWO_ON_INTEGERS = onIntegers(TWO, [1, 2, 2, 1], [2, 1, 2]);
const FOUR_ON_INTEGERS = onIntegers(FOUR, [4, -6, -6, 24, 24, 1], [24, 9, 6]);

/** **Units** bytes. Transformed data and sums that lie in memory at a time. */
const BLOCK_BYTES = 2 ** 20;

/**
 * The kernel of a convolution of 3 × 3 without strides, if transforms are asked for; `undefined` for
 * others.
 */
export function winograd(shape: Geometry, site: Site): HandKernel | undefined {
  if (!isTransformable(shape) || !site.isWeightConstant) return undefined;
  const transforms = ALGORITHMS[algorithmOf(site)];
  return (
    transforms &&
    kernelOf(shape, site, transforms, (weight, into, first, count) => {
      transformWeight(weight, first, count, transforms.weight, into);
      return into;
    })
  );
}

/**
 * The same of integers, whose channels `shape` counts in pairs: wherever it is faster, since no bit
 * depends on it.
 */
export function winogradOfPairs(
  shape: Geometry,
  site: Site,
  { dataMost, weightMost, sumMost }: IntegerOperands,
  channels: number,
): HandKernel | undefined {
  if (!isTransformable(shape) || !site.isWeightConstant || site.transforms === false)
    return undefined;
  const algorithm = fastestAlgorithm({ attrs: site.attrs, weight: site.weight, result: site.out });
  const transforms = INTEGER_ALGORITHMS[algorithm];
  if (transforms?.factor === undefined) return undefined;
  const { data, weight, factor } = transforms;
  const isNarrow = Math.max(dataMost * reach(data), weightMost * reach(weight)) < 2 ** 15;
  if (!isNarrow || sumMost * 2 ** factor.shift >= 2 ** 31) return undefined;
  return kernelOf(shape, site, transforms, (numbers, turned, first, count) => {
    transformWeight(
      numbers,
      (channels * first) / shape.channels,
      (channels * count) / shape.channels,
      weight,
      turned,
    );
    const lines = (weight.length ** 2 * count) / shape.channels;
    const pairing = { along: 'rows', groups: 1, count: lines, elements: channels } as const;
    return paired(turned, pairing);
  });
}

/** What the greatest number may grow by in a transform along both axes. */
const reach = (matrix: Matrix): number =>
  Math.max(...matrix.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0))) ** 2;

function isTransformable(shape: Geometry): boolean {
  const { kernel, strides, dilation, channels, outputs, outHeight, outWidth } = shape;
  const isThree = kernel[0] === 3 && kernel[1] === 3;
  const isDense = [...strides, ...dilation].every((n) => n === 1);
  // Loops take eight channels and outputs at a time, and four tiles.
  return isThree && isDense && channels >= 8 && outputs >= 8 && outHeight * outWidth >= 16;
}

const ALGORITHMS: Readonly<Record<string, Transforms>> = { winograd2: TWO, winograd4: FOUR };

const INTEGER_ALGORITHMS: Readonly<Record<string, Transforms>> = {
  winograd2: TWO_ON_INTEGERS,
  winograd4: FOUR_ON_INTEGERS,
};

function algorithmOf({ attrs, weight, out, transforms }: Site): string {
  if (transforms === false) return 'direct';
  const isOpen = attrs.algorithm === '' || attrs.algorithm === undefined;
  if (isOpen && transforms !== true) return 'direct';
  return isOpen ? fastestAlgorithm({ attrs, weight, result: out }) : `${attrs.algorithm}`;
}

/** How the loops are cut, and where scratch lies. */
interface Plan {
  /** Places of a transformed tile along each axis, and in all. */
  readonly side: number;
  readonly places: number;
  /** Tiles along each axis. */
  readonly down: number;
  readonly across: number;
  /** Rows of tiles that are computed at a time, and their tiles rounded up to four. */
  readonly rows: number;
  readonly lanes: number;
  /** A padded part of one channel: the rows that a block of tiles needs. */
  readonly planeHeight: number;
  readonly planeWidth: number;
  /** Bytes from one place of the transformed tile to the next. */
  readonly dataStep: number;
  /** Bytes of eight tiles of all channels, at one place. */
  readonly panelBytes: number;
  readonly sumStep: number;
  /** Where the parts of scratch begin. */
  readonly at: {
    readonly plane: number;
    readonly offsets: number;
    readonly data: number;
    readonly sums: number;
    readonly end: number;
  };
}

/** The first part of scratch: transforms along one axis, and finished tiles. */
const WORK_BYTES = 16 * 36 + 16 * 16;

function planOf(shape: Geometry, { size }: Transforms): Plan {
  const { channels, outputs, outHeight, outWidth } = shape;
  const side = size + 2;
  const places = side ** 2;
  const [down, across] = [Math.ceil(outHeight / size), Math.ceil(outWidth / size)];
  const bytesOfTile = 4 * places * (channels + outputs);
  const rows = Math.min(down, Math.max(1, Math.floor(BLOCK_BYTES / (bytesOfTile * across))));
  const tiles = rows * across;
  const lanes = 4 * Math.ceil(tiles / 4);
  const [planeHeight, planeWidth] = [rows * size + 2, across * size + 2];
  const panelBytes = 4 * TILE_COLUMNS * channels;
  const dataStep = panelBytes * Math.ceil(tiles / TILE_COLUMNS);
  const sumStep = 4 * lanes * outputs;
  const plane = WORK_BYTES;
  const offsets = plane + vectorBytes(planeHeight * planeWidth);
  const data = offsets + 4 * lanes;
  const sums = data + places * dataStep;
  const at = { plane, offsets, data, sums, end: sums + places * sumStep };
  return {
    side,
    places,
    down,
    across,
    rows,
    lanes,
    planeHeight,
    planeWidth,
    panelBytes,
    dataStep,
    sumStep,
    at,
  };
}

/**
 * Transforms windows of the weight, `count` from window `first` on, place by place; of integers the
 * windows are pairs. Gives the elements, for which there may be room.
 */
type Turn = (weight: Words, room: Float32Array, first: number, count: number) => Words;

function kernelOf(shape: Geometry, site: Site, transforms: Transforms, turn: Turn): HandKernel {
  const plan = planOf(shape, transforms);
  const ending = endingOf(site, 'rows');
  const { epilogue } = site;
  const { groups, channels, outputs } = shape;
  const size = channels * outputs;
  return {
    key: `winograd ${transforms.size} ${JSON.stringify(shape)} ${endingKey(ending)}`,
    scratchBytes: plan.at.end,
    packedBytes: 4 * groups * plan.places * size,
    packKey: `winograd ${transforms.size} ${epilogue.sums} ${groups} ${channels} ${outputs}`,
    pack: (weight, into) => {
      const room = plan.places * channels * Math.min(outputs, PACKED_OUTPUTS);
      // A pair has room for both.
      const numbers = new Float32Array(transforms.factor === undefined ? room : 2 * room);
      for (let first = 0; first < groups * outputs; first = nextSlice(first, outputs)) {
        const lanes = nextSlice(first, outputs) - first;
        const count = lanes * channels;
        const turned = turn(weight, numbers, first * channels, count);
        const [group, output] = [Math.floor(first / outputs), first % outputs];
        const matrix = { lanes, depth: channels, laneStride: channels, depthStride: 1 };
        for (let place = 0; place < plan.places; place++) {
          const at = (group * plan.places + place) * size + output * channels;
          packRows(turned, { start: place * count, ...matrix }, channels, into, at);
        }
      }
    },
    emit: (module) => emit(module, shape, plan, ending, transforms),
  };
}

/** Outputs whose weights are transformed at a time, a multiple of the rows of a tile. */
const PACKED_OUTPUTS = 16;

/** The first output of the next slice: slices end where groups do. */
const nextSlice = (first: number, outputs: number): number =>
  Math.min(first + PACKED_OUTPUTS, outputs * (Math.floor(first / outputs) + 1));

/**
 * Transforms 3 × 3 windows along both axes, `count` of them from window `firstWindow` on: place by place
 * of the transformed windows.
 */
function transformWeight(
  weight: Words,
  firstWindow: number,
  count: number,
  matrix: Matrix,
  into: Float32Array,
): void {
  const side = matrix.length;
  const flat = Float64Array.from(matrix.flat());
  // Copied, so that loops read arrays of one type.
  const window = new Float64Array(9);
  const half = new Float64Array(side * 3);
  for (let n = 0; n < count; n++) {
    for (let i = 0, start = 9 * (firstWindow + n); i < 9; i++) {
      window[i] = weight[start + i] as number;
    }
    // Rows of one matrix by columns of the other: `place` counts results, one after the other.
    for (let i = 0, place = 0; i < side; i++) {
      for (let j = 0; j < 3; j++) half[place++] = dot(flat, 3 * i, 1, window, j, 3);
    }
    for (let i = 0, place = n; i < side; i++) {
      for (let j = 0; j < side; j++, place += count) {
        into[place] = dot(half, 3 * i, 1, flat, 3 * j, 1);
      }
    }
  }
}

/** The sum of three products. */
const dot = (
  a: Float64Array,
  aStart: number,
  aStride: number,
  b: Float64Array,
  bStart: number,
  bStride: number,
): number =>
  (a[aStart] as number) * (b[bStart] as number) +
  (a[aStart + aStride] as number) * (b[bStart + bStride] as number) +
  (a[aStart + 2 * aStride] as number) * (b[bStart + 2 * bStride] as number);

type I = Local<'i32'>;
type Address = Value<'i32'>;

function emit(
  module: ModuleBuilder,
  shape: Geometry,
  plan: Plan,
  ending: Ending,
  transforms: Transforms,
): Procedure {
  const { epilogue } = ending;
  const { at } = plan;
  const addBlock = makeBlock(module, shape, plan, ending, transforms);
  return kernelFunction(module, epilogue, (f, given) => {
    const work = given.scratch;
    const from = (offset: number): Address => f.let(i32.add(work, offset));
    const scratch = {
      work,
      plane: from(at.plane),
      offsets: from(at.offsets),
      turned: from(at.data),
      sums: from(at.sums),
    };
    f.do(memoryFill(scratch.plane, 0, at.offsets - at.plane));
    tileOffsets(f, scratch.offsets, plan, transforms);
    const weightBytes = 4 * plan.places * shape.channels * shape.outputs;
    eachPart(f, shape, weightBytes, epilogue, given, (part) => {
      const own = isByOutputs(shape) ? wholeOf(plan.down) : shareOf(f, module, plan.down, 1);
      eachIn(f, own, plan.rows, (row) => addBlock(f, part, scratch, [row, own.end]));
    });
  });
}

/** Whether threads share the outputs, and not the rows of tiles: each transforms all data then. */
const isByOutputs = ({ outputs }: Geometry): boolean => outputs >= SHARED_OUTPUTS;

const SHARED_OUTPUTS = 128;

/** The parts of scratch memory. */
type Scratch = { readonly [K in 'work' | 'plane' | 'offsets' | 'turned' | 'sums']: Address };

/** Writes the work on some rows of tiles: transform, multiply, transform back. */
function makeBlock(
  module: ModuleBuilder,
  shape: Geometry,
  plan: Plan,
  ending: Ending,
  transforms: Transforms,
) {
  const { channels, outputs, height, width, outHeight, outWidth } = shape;
  const { across, rows, lanes } = plan;
  const fill = fillPlane(module, shape, plan);
  const turn = turnData(module, plan, transforms);
  const multiply = makeProducts(module, outputs, plan, ending);
  const finish = finishTiles(module, shape, plan, ending, transforms);
  return (
    f: FunctionBuilder,
    { data, weight, out, operands }: Addresses,
    scratch: Scratch,
    [row, end]: readonly [Operand<'i32'>, Operand<'i32'>],
  ): void => {
    const { work, plane, offsets, turned, sums } = scratch;
    const tiles = f.let(i32.mul(smaller(f, i32.sub(end, row), rows), across));
    const own = isByOutputs(shape) ? shareOf(f, module, outputs, TILE_ROWS) : wholeOf(outputs);
    const top = f.let(i32.sub(i32.mul(row, transforms.size), shape.top));
    each(f, channels, 1, (channel) => {
      const into = moved(turned, channel, 4 * TILE_COLUMNS);
      f.do(call(fill, moved(data, channel, 4 * height * width), plane, top));
      f.do(call(turn, plane, offsets, into, tiles, work));
    });
    each(f, plan.places, 1, (place) => {
      const ofPlace = moved(moved(weight, place, 4 * channels * outputs), own.first, 4 * channels);
      const columns = moved(turned, place, plan.dataStep);
      const into = moved(moved(sums, place, plan.sumStep), own.first, 4 * lanes);
      const count = sizeOfShare(own);
      multiply(f, tiles, [ofPlace, columns, count, tiles, channels, into, 4 * lanes, ENDS]);
    });
    eachIn(f, own, 1, (output) => {
      const ofOutput = (base: Address, own: number) =>
        moved(base, output, own * outHeight * outWidth);
      const channel = (it: Address) => moved(it, output, 4);
      const others = operandsAt(ending.epilogue, operands, ofOutput, channel);
      const from = moved(sums, output, 4 * lanes);
      const to = ofOutput(out, outBytesOf(ending.epilogue));
      f.do(call(finish, from, to, row, tiles, work, ...others));
    });
  };
}

/** Writes calls of products for the numbers of tiles that blocks have. */
function makeProducts(
  module: ModuleBuilder,
  outputs: number,
  plan: Plan,
  { epilogue, level }: Ending,
) {
  const { rows, down, across } = plan;
  const sums: Ending = { epilogue: plainOf(epilogue.sums), channels: 'rows', level };
  const counts = module.part ? Array.from({ length: rows }, (_, i) => i + 1) : [rows, down % rows];
  const tails = counts.map((count) => (count * across) % TILE_COLUMNS);
  const products = [...new Set(tails)].map((columns) => ({
    columns,
    ref: product(module, { ...tailsOf(outputs, 0), columns }, sums),
  }));
  return (f: FunctionBuilder, tiles: Address, args: ReadonlyArray<Operand<'i32'>>): void => {
    for (const { columns, ref } of products) {
      f.if(i32.eq(i32.remU(tiles, TILE_COLUMNS), columns), () => f.do(call(ref, ...args)));
    }
  };
}

/** Writes where each tile of a block begins in the plane; the last again for lanes without one. */
function tileOffsets(f: FunctionBuilder, offsets: Address, plan: Plan, { size }: Transforms): void {
  const last = plan.rows * plan.across - 1;
  f.for(0, plan.lanes, 1, (lane) => {
    const tile = f.let(select(i32.const(last), lane, i32.gtS(lane, last)));
    const y = i32.mul(i32.divU(tile, plan.across), size * plan.planeWidth);
    const x = i32.mul(i32.remU(tile, plan.across), size);
    f.do(i32.store(moved(offsets, lane, 4), i32.mul(i32.add(y, x), 4)));
  });
}

/** A function that fills the plane with rows of a channel: channel, plane, first row. */
function fillPlane(module: ModuleBuilder, shape: Geometry, plan: Plan): Procedure {
  const { height, width, left } = shape;
  const columns = Math.min(width, plan.planeWidth - left);
  const copy = copyRow(module, columns);
  const key = `plane ${[height, width, left, plan.planeHeight, plan.planeWidth].join()}`;
  return sharedFunction(module, key, 3, (f, ...params) => {
    const [channel, plane, first] = params as readonly [I, I, I];
    const row = f.let(first);
    const to = f.let(i32.add(plane, 4 * left));
    f.repeat(plan.planeHeight, () => {
      f.if(
        i32.ltU(row, height),
        () => f.do(call(copy, moved(channel, row, 4 * width), to, Math.floor(columns / 4))),
        () => f.do(memoryFill(to, 0, 4 * columns)),
      );
      f.increase(row, 1);
      f.increase(to, 4 * plan.planeWidth);
    });
  });
}

/** Stores a matrix times vectors, `bytes` bytes apart. */
function storeProducts(
  f: FunctionBuilder,
  at: Address,
  matrix: Matrix,
  vectors: ReadonlyArray<Value<'v128'>>,
  step: number,
  lanes: Lanes,
): void {
  for (const [i, row] of matrix.entries()) {
    f.do(v128.store(at, combine(row, vectors, lanes), step * i));
  }
}

/** A row of a matrix times vectors. */
function combine(
  row: ReadonlyArray<number>,
  vectors: ReadonlyArray<Value<'v128'>>,
  { add, sub, mul, neg, splat }: Lanes,
): Value<'v128'> {
  let sum: Value<'v128'> | undefined;
  // A positive term first: the others are added to it or subtracted.
  const order = row
    .map((_, i) => i)
    .sort((a, b) => Math.sign(row[b] ?? 0) - Math.sign(row[a] ?? 0));
  for (const i of order) {
    const factor = row[i] ?? 0;
    if (factor === 0) continue;
    const vector = vectors[i] as Value<'v128'>;
    const size = Math.abs(factor);
    const term = size === 1 ? vector : mul(vector, splat(size));
    if (sum === undefined) sum = factor > 0 ? term : neg(term);
    else sum = factor > 0 ? add(sum, term) : sub(sum, term);
  }
  return sum ?? splat(0);
}

/**
 * A function that transforms the tiles of a channel, four at a time: plane, offsets of the tiles,
 * the channel's place in the packed columns, the number of tiles, room for work.
 */
function turnData(
  module: ModuleBuilder,
  plan: Plan,
  { size, data, factor }: Transforms,
): Procedure {
  const { side, planeWidth, dataStep } = plan;
  const numbers = factor === undefined ? FLOATS : SHORTS;
  const key = `turn ${factor === undefined ? '' : 'pairs '}${size} ${planeWidth} ${dataStep} ${plan.panelBytes}`;
  return sharedFunction(module, key, 5, (f, ...params) => {
    const [plane, offsets, into, tiles, work] = params as unknown as [I, I, I, I, I];
    const half = f.let(i32.const(0));
    const panelStep = i32.const(plan.panelBytes - 16);
    f.for(0, tiles, 4, () => {
      const rows = [0, 1, 2, 3].map((i) => f.let(i32.add(plane, i32.load(offsets, 4 * i))));
      const at = f.let(work);
      f.repeat(side, () => {
        const columns = columnsOf(f, rows, side);
        storeProducts(f, at, data, columns, 16, numbers);
        for (const row of rows) f.increase(row, 4 * planeWidth);
        f.increase(at, 16 * side);
      });
      const from = f.let(work);
      const column = f.let(into);
      f.repeat(side, () => {
        const vectors = data.map((_, i) => f.let(v128.load(from, 16 * side * i)));
        const place = f.let(column);
        for (const row of data) {
          f.do(v128.store(place, combine(row, vectors, numbers)));
          f.increase(place, side * dataStep);
        }
        f.increase(from, 16);
        f.increase(column, dataStep);
      });
      f.increase(into, select(panelStep, i32.const(16), half));
      f.set(half, i32.eqz(half));
      f.increase(offsets, 16);
    });
  });
}

/** The columns of a row of four tiles, each as a vector of the tiles. */
function columnsOf(
  f: FunctionBuilder,
  rows: ReadonlyArray<I>,
  side: number,
): ReadonlyArray<Value<'v128'>> {
  const four = transpose(
    f,
    rows.map((row) => f.let(v128.load(row))),
  );
  if (side === 4) return four;
  const rest = transpose(
    f,
    rows.map((row) => f.let(v128.load64Zero(row, 16))),
  );
  return [...four, ...rest.slice(0, 2)];
}

/**
 * A function that transforms the sums of an output back and stores its pixels: sums, the output's
 * pixels, the first row of tiles, the number of tiles, room for work, operands of the epilogue.
 */
function finishTiles(
  module: ModuleBuilder,
  { outHeight, outWidth }: Geometry,
  plan: Plan,
  ending: Ending,
  { size, result, factor }: Transforms,
): Procedure {
  const numbers = factor === undefined ? FLOATS : WORDS;
  const { side, sumStep, across } = plan;
  const done = 16 * side * size;
  return procedureOf(module, 5 + ending.epilogue.operands.length, (f, ...params) => {
    const [sums, out, firstRow, tiles, work, ...operands] = params as unknown as Finishing;
    const x = f.let(i32.const(0));
    const y = f.let(i32.mul(firstRow, size));
    f.for(0, tiles, 4, (first) => {
      const at = f.let(work);
      const column = f.let(sums);
      f.repeat(side, () => {
        const place = f.let(column);
        const vectors = Array.from({ length: side }, () => {
          const vector = f.let(v128.load(place));
          f.increase(place, side * sumStep);
          return vector;
        });
        storeProducts(f, at, result, vectors, 16 * side, numbers);
        f.increase(at, 16);
        f.increase(column, sumStep);
      });
      const from = f.let(work);
      const to = f.let(i32.add(work, done));
      f.repeat(size, () => {
        const vectors = Array.from({ length: side }, (_, j) => f.let(v128.load(from, 16 * j)));
        const rows = result.map((row) => f.let(divided(combine(row, vectors, numbers), factor)));
        const filled = [...rows, ...rows].slice(0, 4);
        for (const [lane, tile] of transpose(f, filled).entries()) {
          f.do(v128.store(to, tile, 16 * size * lane));
        }
        f.increase(from, 16 * side);
        f.increase(to, 16);
      });
      f.increase(sums, 16);
      const tile = f.let(i32.add(work, done));
      const count = smaller(f, i32.sub(tiles, first), 4);
      f.repeat(count, () => {
        storeTile(f, ending, [size, outHeight, outWidth], { tile, x, y, out, operands });
        f.increase(tile, 16 * size);
        f.increase(x, size);
        f.if(i32.geS(x, across * size), () => {
          f.set(x, 0);
          f.increase(y, size);
        });
      });
    });
  });
}

/** Results without their factor, which is an odd number times a power of 2. */
function divided(sums: Value<'v128'>, factor: Transforms['factor']): Value<'v128'> {
  if (factor === undefined) return sums;
  const { odd, shift } = factor;
  const whole = odd === 1 ? sums : i32x4.mul(sums, WORDS.splat(inverseOf(odd)));
  return i32x4.shrS(whole, shift);
}

/** The number by which a multiple of an odd number is multiplied to divide it, modulo 2^32. */
const inverseOf = (odd: number): number =>
  // Newton's iteration: each turn doubles the bits that are right, of which there are 3 at first.
  [1, 2, 3, 4].reduce((x) => Math.imul(x, 2 - Math.imul(odd, x)), odd);

type Finishing = [I, I, I, I, I, ...I[]];

/** Stores the pixels of a finished tile that lie in the result. */
function storeTile(
  f: FunctionBuilder,
  { epilogue }: Ending,
  [size, outHeight, outWidth]: readonly [number, number, number],
  given: { readonly [K in 'tile' | 'x' | 'y' | 'out']: I } & {
    readonly operands: ReadonlyArray<I>;
  },
): void {
  const { tile, x, y, out, operands } = given;
  const bytes = outBytesOf(epilogue);
  const offset = f.let(i32.mul(i32.add(i32.mul(y, outWidth), x), bytes));
  const from = f.let(tile);
  const row = (lanes: number): void => {
    const operand = (i: number): Value<'v128'> =>
      epilogue.operands[i] === 'full'
        ? loadOperand(
            epilogue,
            i,
            f.let(i32.add(operands[i] as I, rescaled(offset, bytes, operandBytesOf(epilogue, i)))),
            lanes,
            0,
          )
        : v128.load32Splat(operands[i] as I);
    const isSame = (i: number): boolean => epilogue.operands[i] !== 'full';
    const result = epilogue.apply(f, f.let(v128.load(from)), operand, isSame);
    storeResult(f, epilogue, f.let(i32.add(out, offset)), result, lanes);
  };
  f.repeat(smaller(f, i32.sub(outHeight, y), size), () => {
    const tail = outWidth % size;
    if (tail === 0) row(size);
    else {
      f.if(
        i32.leS(i32.add(x, size), outWidth),
        () => row(size),
        () => row(tail),
      );
    }
    f.increase(from, 16);
    f.increase(offset, bytes * outWidth);
  });
}
