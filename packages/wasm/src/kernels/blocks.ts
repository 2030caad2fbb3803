/**
 * Products with a weight of few bits in blocks, `(q - zero point) * scale`, which is read as it lies:
 * `nn.dense_nbits`.
 *
 * For few rows of data the integers of the weight are multiplied as they are. Each block of a row of data
 * becomes integers, too: a power of 2 times `h + l / 2^15`, of 16 bits each, which leaves elements of the size
 * of the greatest one exact and rounds others by 2^-31 of it. `i32x4.dot_i16x8_s` then sums eight products. For many
 * rows the weight becomes floats where its panels are packed.
 */
import { shapeSize } from '@baton/tensor';
import {
  call,
  type FunctionBuilder,
  f32x4,
  i8x16,
  i16x8,
  i32,
  i32x4,
  type Local,
  type ModuleBuilder,
  type Value,
  v128,
} from '../emit/index.ts';
import {
  kernelFunction,
  operandBytesOf,
  operandsAt,
  outBytesOf,
  type Procedure,
  sharedFunction,
} from './function.ts';
import type { BlockOperand, HandKernel, KernelEntry, Site } from './kernel.ts';
import { each, loadLanes, moved, shuffled, splatOf, vectorBytes } from './lanes.ts';
import { type ColumnSource, matrixProduct } from './matrix-product.ts';
import { transpose } from './pack-matrix.ts';
import { shareOf } from './share.ts';
import { type Ending, endingKey, endingOf, loadOperand, storeResult } from './tile.ts';

type I = Local<'i32'>;
type Vector = Value<'v128'>;

/** A packed weight: its blocks lie in whole vectors. */
interface Blocks extends BlockOperand {
  readonly units: number;
  /** Blocks of a row. */
  readonly count: number;
  /** **Units** bytes of a block. */
  readonly bytes: number;
  /** Elements of a block. */
  readonly size: number;
  /** Elements of a row, of which the last block may have fewer than others. */
  readonly depth: number;
}

const VECTOR_BYTES = 16;

/** The most elements of a block, whose sums of products of 23 bits fit in 32. */
const MOST_SIZE = 512;

/** Rows of data from which on floats are packed; those of 2 bits never are. */
const LEAST_PACKED_ROWS = 5;

export const denseNbits: KernelEntry = {
  op: 'nn.dense_nbits',
  channelAxis: -1,
  make: (site) => {
    const { data, weight, out, blocks: packing, level } = site;
    const depth = data.at(-1) ?? 0;
    const [units = 0, count = 0, bytes = 0] = weight;
    if (packing === undefined || level === 'scalar' || shapeSize(out) * depth === 0) {
      return undefined;
    }
    const blocks = { ...packing, units, count, bytes, size: (8 * bytes) / packing.bits, depth };
    if (bytes % VECTOR_BYTES !== 0 || blocks.size > MOST_SIZE) return undefined;
    const rows = shapeSize(out) / units;
    const isUnpacked = rows < LEAST_PACKED_ROWS || packing.bits === 2;
    return (isUnpacked ? ofIntegers : ofFloats)(rows, blocks, site);
  },
};

const keyOf = (blocks: Blocks): string => JSON.stringify(blocks);

/** What a kernel that reads the weight as it lies does not pack. */
const UNPACKED = { packedBytes: 0, packKey: '', pack: () => {} } as const;

/** Where the integers of a row of data lie: of each block the parts, then the sums of blocks, then the unit. **Units** bytes. */
const rowOf = ({ size, count }: Blocks) => {
  const sums = 4 * size * count;
  const unit = sums + vectorBytes(count);
  return { block: 4 * size, sums, unit, bytes: unit + VECTOR_BYTES };
};

/** The kernel for few rows. */
function ofIntegers(rows: number, blocks: Blocks, site: Site): HandKernel {
  const { epilogue } = site;
  const { units, count, bytes, depth, hasOneZero } = blocks;
  const ending = endingOf(site, 'columns');
  const out = outBytesOf(epilogue);
  return {
    ...UNPACKED,
    key: `blocks ${rows} ${keyOf(blocks)} ${endingKey(ending)}`,
    scratchBytes: rowOf(blocks).bytes,
    emit: (module) => {
      const prepare = prepareRow(module, blocks);
      const four = someUnits(module, 4, blocks, ending);
      const tail = units % 4;
      const rest = tail === 0 ? undefined : someUnits(module, tail, blocks, ending);
      return kernelFunction(
        module,
        epilogue,
        (f, { data, weight, scaling = [], operands, out: results, scratch }) => {
          const [scale, zero] = scaling as [I, I];
          const { first, end } = shareOf(f, module, units, 4);
          each(f, rows, 1, (row) => {
            f.do(call(prepare, f.let(moved(data, row, 4 * depth)), scratch));
            const ofRow = operandsAt(epilogue, operands, (it, own) => moved(it, row, own * units));
            const run = (ref: Procedure, at: Value<'i32'>): void => {
              const others = ofRow.map((it, i) =>
                epilogue.operands[i] === 'scalar' ? it : moved(it, at, operandBytesOf(epilogue, i)),
              );
              f.do(
                call(
                  ref,
                  scratch,
                  moved(weight, at, count * bytes),
                  moved(scale, at, 4 * count),
                  hasOneZero ? zero : moved(zero, at, 4 * count),
                  moved(moved(results, row, out * units), at, out),
                  ...others,
                ),
              );
            };
            f.for(first, i32.sub(end, 3), 4, (at) => run(four, at));
            if (rest) f.if(i32.eq(end, units), () => run(rest, i32.const(units - tail)));
          });
        },
        { hasBlocks: true },
      );
    },
  };
}

/** Bits of an exponent of 32-bit floats, and of 2^-100, below which elements count as 0. */
const EXPONENT = 0x7f800000;
const LEAST = (127 - 100) << 23;

const bitsOf = (value: number): Vector => v128.const(new Int32Array(4).fill(value));

/** A function that makes integers of a row of data. Its parameters: the row, to. */
const prepareRow = (module: ModuleBuilder, blocks: Blocks): Procedure =>
  sharedFunction(module, `prepare ${keyOf({ ...blocks, units: 0 })}`, 2, (f, ...params) => {
    const [data, to] = params as unknown as [I, I];
    const { size, depth } = blocks;
    const { block, sums, unit } = rowOf(blocks);
    const power = powerOf(f, data, depth);
    f.do(v128.store(to, f32x4.mul(power, splatOf(2 ** -14)), unit));
    const inverse = f.let(f32x4.div(splatOf(2 ** 14), power));
    const [place, sumPlace] = [f.let(to), f.let(i32.add(to, sums))];
    const some = (count: number): void => {
      const sum = prepareBlock(f, blocks, { count, data, inverse, to: place });
      f.do(v128.store32Lane(sumPlace, sum, 0));
    };
    const whole = Math.floor(depth / size);
    // The sums of blocks lie in whole vectors.
    f.do(v128.store(to, bitsOf(0), unit - VECTOR_BYTES));
    if (whole > 0) {
      f.repeat(whole, () => {
        some(size);
        f.increase(data, 4 * size);
        f.increase(place, block);
        f.increase(sumPlace, 4);
      });
    }
    if (depth % size > 0) some(depth % size);
  });

/** The power of 2 with |x| < 2 · power for each of a number of elements x. */
function powerOf(f: FunctionBuilder, data: I, count: number): Local<'v128'> {
  const greatest = f.local('v128');
  const at = f.let(data);
  const take = (lanes: number): void =>
    f.set(greatest, f32x4.max(greatest, f32x4.abs(loadLanes(at, lanes))));
  if (count >= 4) {
    f.repeat(Math.floor(count / 4), () => {
      take(4);
      f.increase(at, VECTOR_BYTES);
    });
  }
  if (count % 4 > 0) take(count % 4);
  for (const step of [2, 1]) {
    f.set(greatest, f32x4.max(greatest, turned(greatest, step)));
  }
  return f.let(i32x4.maxS(v128.and(greatest, bitsOf(EXPONENT)), bitsOf(LEAST)));
}

/** The lanes of a vector, each `step` places further, around. */
const turned = (vector: Local<'v128'>, step: number): Vector =>
  shuffled(
    vector,
    vector,
    [0, 1, 2, 3].map((lane) => (lane + step) % 4),
  );

/** Writes the integers of a block whose first elements are there and others 0; gives their sum. */
function prepareBlock(
  f: FunctionBuilder,
  { bits, size }: Blocks,
  {
    count,
    data,
    inverse,
    to,
  }: { readonly count: number; readonly data: I; readonly inverse: Vector; readonly to: I },
): Local<'v128'> {
  const parts = 16 / bits;
  for (let quad = 0; 4 * quad < size; quad++) {
    const isThere = 4 * quad < count;
    const elements = isThere ? loadLanes(data, count - 4 * quad, 16 * quad) : splatOf(0);
    const scaled = f.let(f32x4.mul(elements, inverse));
    const high = f.let(i32x4.truncSatF32x4S(scaled));
    const rest = f32x4.mul(f32x4.sub(scaled, f32x4.convertI32x4S(high)), splatOf(2 ** 15));
    const low = f.let(i32x4.truncSatF32x4S(rest));
    for (let lane = 0; lane < 4; lane++) {
      const [vector, place] = placeOf(4 * quad + lane, parts);
      const at = 2 * VECTOR_BYTES * vector + 2 * place;
      f.do(v128.store16Lane(to, high, 2 * lane, at));
      f.do(v128.store16Lane(to, low, 2 * lane, at + VECTOR_BYTES));
    }
  }
  const ones = v128.const(new Int16Array(8).fill(1));
  const sums = makeSums(f);
  for (let vector = 0; vector < size / 8; vector++) {
    add(
      f,
      sums,
      ones,
      [0, 1].map((part) => v128.load(to, partAt(vector, part))),
      vector === 0,
    );
  }
  const sum = f.let(joined(sums));
  for (const step of [2, 1]) f.set(sum, f32x4.add(sum, turned(sum, step)));
  return sum;
}

/** Where a part of a vector of integers lies in a block of data. **Units** bytes. */
const partAt = (vector: number, part: number): number => VECTOR_BYTES * (2 * vector + part);

/** The vector, and the place in it, that an element of the data has: that of its integer in the weight. */
const placeOf = (element: number, parts: number): readonly [vector: number, place: number] => {
  const word = Math.floor(element / (8 * parts));
  const within = element % (8 * parts);
  return [word * parts + (within % parts), Math.floor(within / parts)];
};

/** Sums of the high and of the low parts. */
type Sums = readonly [Local<'v128'>, Local<'v128'>];

const makeSums = (f: FunctionBuilder): Sums => [f.local('v128'), f.local('v128')];

/** Adds products of integers and the two parts of others. */
function add(
  f: FunctionBuilder,
  sums: Sums,
  integers: Vector,
  others: ReadonlyArray<Vector>,
  isFirst: boolean,
): void {
  for (const [part, sum] of sums.entries()) {
    const own = i32x4.dotI16x8S(integers, others[part] as Vector);
    f.set(sum, isFirst ? own : i32x4.add(sum, own));
  }
}

/** `h + l / 2^15` */
const joined = ([high, low]: Sums): Vector =>
  f32x4.add(f32x4.convertI32x4S(high), f32x4.mul(f32x4.convertI32x4S(low), splatOf(2 ** -15)));

/** The integers of a vector that are part of each 16 bits, by number. */
function partOf(given: Local<'v128'>, part: number, bits: number): Vector {
  const shifted = part === 0 ? given : i16x8.shrU(given, bits * part);
  const isLast = bits * (part + 1) === 16;
  return isLast ? shifted : v128.and(shifted, v128.const(new Int16Array(8).fill(2 ** bits - 1)));
}

/**
 * A function that multiplies a row of data by one to four rows of the weight. Its parameters: the data as
 * integers, the rows, their scales, their zero points, the result, the operands of the epilogue.
 */
function someUnits(module: ModuleBuilder, units: number, blocks: Blocks, ending: Ending) {
  const { epilogue } = ending;
  const { count, bytes, hasOneZero } = blocks;
  const key = `units ${units} ${keyOf({ ...blocks, units: 0 })} ${endingKey(ending)}`;
  return sharedFunction(module, key, 5 + epilogue.operands.length, (f, ...params) => {
    const [data, weight, scale, zero, out, ...places] = params as unknown as [
      I,
      I,
      I,
      I,
      I,
      ...I[],
    ];
    const totals = Array.from({ length: units }, (_, unit) =>
      totalOf(f, blocks, {
        data,
        weight: i32.add(weight, unit * count * bytes),
        scale: i32.add(scale, 4 * unit * count),
        zero: hasOneZero ? zero : i32.add(zero, 4 * unit * count),
      }),
    );
    const none = Array.from({ length: 4 - units }, () => splatOf(0));
    const columns = transpose(f, [...totals, ...none]);
    const sum = columns.reduce((all, one) => f32x4.add(all, one));
    const whole = f32x4.mul(sum, v128.load(data, rowOf(blocks).unit));
    const isSame = (i: number): boolean => epilogue.operands[i] === 'scalar';
    const operand = (i: number): Vector => {
      const place = places[i] as I;
      return isSame(i) ? v128.load32Splat(place) : loadOperand(epilogue, i, place, units, 0);
    };
    storeResult(f, epilogue, out, epilogue.apply(f, f.let(whole), operand, isSame), units);
  });
}

/** The products of a row of data and a row of the weight, in four sums. */
function totalOf(
  f: FunctionBuilder,
  blocks: Blocks,
  given: { readonly [N in 'data' | 'weight' | 'scale' | 'zero']: Value<'i32'> },
): Local<'v128'> {
  const { bits, bytes, count } = blocks;
  const [data, weight, scale] = [f.let(given.data), f.let(given.weight), f.let(given.scale)];
  const total = f.local('v128');
  const parts = 16 / bits;
  f.repeat(count, () => {
    const sums = makeSums(f);
    for (let word = 0; word < bytes / VECTOR_BYTES; word++) {
      const whole = f.let(v128.load(weight, VECTOR_BYTES * word));
      for (let part = 0; part < parts; part++) {
        const vector = parts * word + part;
        const others = [0, 1].map((half) => v128.load(data, partAt(vector, half)));
        add(f, sums, f.let(partOf(whole, part, bits)), others, vector === 0);
      }
    }
    f.set(total, f32x4.add(total, f32x4.mul(joined(sums), v128.load32Splat(scale))));
    f.increase(data, rowOf(blocks).block);
    f.increase(weight, bytes);
    f.increase(scale, 4);
  });
  subtractPoints(f, blocks, total, given);
  return total;
}

/** Takes the products of zero points off four sums. */
function subtractPoints(
  f: FunctionBuilder,
  blocks: Blocks,
  total: Local<'v128'>,
  given: { readonly [N in 'data' | 'scale' | 'zero']: Value<'i32'> },
): void {
  const { count, hasOneZero } = blocks;
  const [scale, zero] = [f.let(given.scale), f.let(given.zero)];
  const sum = f.let(i32.add(given.data, rowOf(blocks).sums));
  const take = (lanes: number): void => {
    const points = hasOneZero ? v128.load32Splat(zero) : loadLanes(zero, lanes);
    const scaled = f32x4.mul(f32x4.mul(loadLanes(scale, lanes), points), v128.load(sum));
    f.set(total, f32x4.sub(total, scaled));
  };
  if (count >= 4) {
    f.repeat(Math.floor(count / 4), () => {
      take(4);
      for (const place of hasOneZero ? [scale, sum] : [scale, sum, zero]) {
        f.increase(place, VECTOR_BYTES);
      }
    });
  }
  if (count % 4 > 0) take(count % 4);
}

/** The kernel for many rows: the product of matrices, whose columns become floats as they are packed. */
function ofFloats(rows: number, blocks: Blocks, site: Site): HandKernel {
  const { units, depth } = blocks;
  const shape = {
    ...{ batch: 1, rows, columns: units, depth },
    data: { matrix: 0, lane: depth, depth: 1 },
    weight: { matrix: 0, lane: depth, depth: 1 },
  };
  return matrixProduct(shape, { ...site, isWeightConstant: false }, columnsOf(blocks));
}

/** The columns of a product as rows of a packed weight. */
const columnsOf = (blocks: Blocks): ColumnSource => {
  const { count, bytes, size, hasOneZero } = blocks;
  return {
    key: keyOf(blocks),
    step: size,
    rowBytes: (depth) => 4 * size * Math.ceil(depth / size),
    unpack: (module) => {
      const unpack = unpackBlocks(module, blocks);
      return (f, { weight, scaling = [] }, { column, level, count: lanes, depth, to }) => {
        const [scale, zero] = scaling as [Value<'i32'>, Value<'i32'>];
        const first = typeof level === 'number' ? level / size : i32.divU(level, size);
        const own = f.let(i32.divU(i32.add(depth, size - 1), size));
        const gap = f.let(i32.mul(own, 4 * size));
        f.for(0, lanes, 1, (lane) => {
          const at = f.let(i32.add(column, lane));
          const scaleAt = f.let(moved(moved(scale, at, 4 * count), first, 4));
          f.do(
            call(
              unpack,
              moved(moved(weight, at, count * bytes), first, bytes),
              scaleAt,
              hasOneZero ? zero : i32.add(zero, i32.sub(scaleAt, scale)),
              moved(to, lane, gap),
              own,
            ),
          );
        });
        return gap;
      };
    },
  };
};

/** A function that makes floats of blocks. Its parameters: the blocks, scales, zero points, to, their number. */
const unpackBlocks = (module: ModuleBuilder, blocks: Blocks): Procedure =>
  sharedFunction(
    module,
    `unpack ${keyOf({ ...blocks, units: 0, depth: 0 })}`,
    5,
    (f, ...params) => {
      const [from, scale, zero, to, count] = params as unknown as [I, I, I, I, I];
      const { bits, bytes, size, hasOneZero } = blocks;
      f.repeat(count, () => {
        const factor = f.let(v128.load32Splat(scale));
        const point = f.let(v128.load32Splat(zero));
        for (let word = 0; word < bytes / VECTOR_BYTES; word++) {
          for (const [i, four] of foursOf(f, from, VECTOR_BYTES * word, bits).entries()) {
            const value = f32x4.mul(f32x4.sub(f32x4.convertI32x4S(four), point), factor);
            f.do(v128.store(to, value, VECTOR_BYTES * ((32 / bits) * word + i)));
          }
        }
        f.increase(from, bytes);
        f.increase(scale, 4);
        if (!hasOneZero) f.increase(zero, 4);
        f.increase(to, 4 * size);
      });
    },
  );

/** The integers of a vector in their order, four at a time in 32 bits. */
function foursOf(
  f: FunctionBuilder,
  from: I,
  offset: number,
  bits: Blocks['bits'],
): ReadonlyArray<Vector> {
  const whole = f.let(v128.load(from, offset));
  const nothing = bitsOf(0);
  const widened = (vector: Vector, first: number): Vector =>
    i8x16.shuffle(
      vector,
      nothing,
      [0, 1, 2, 3].flatMap((i) => [first + i, 16, 16, 16]),
    );
  if (bits === 8) return [0, 4, 8, 12].map((first) => widened(whole, first));
  const mask = v128.const(new Uint8Array(16).fill(15));
  const low = f.let(v128.and(whole, mask));
  const high = f.let(v128.and(i16x8.shrU(whole, 4), mask));
  return [0, 8].flatMap((start) => {
    const order = Array.from({ length: 8 }, (_, i) => [start + i, start + i + 16]).flat();
    const both = f.let(i8x16.shuffle(low, high, order));
    return [0, 4, 8, 12].map((first) => widened(both, first));
  });
}
