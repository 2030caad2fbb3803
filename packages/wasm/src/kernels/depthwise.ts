/**
 * Convolutions in which each channel has weights of its own, row by row along the width.
 *
 * A channel is copied into a plane with its padding, unless it needs none; rows of the result are
 * then sums of rows of the plane, each times a weight.
 */
import { type DType, dtypeInfo } from '@baton/tensor';
import {
  call,
  type FunctionBuilder,
  i32,
  type Local,
  type ModuleBuilder,
  memoryFill,
  type Operand,
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
  sharedFunction,
} from './function.ts';
import { type Geometry, reachOf } from './geometry.ts';
import type { HandKernel, IntegerOperands, Site } from './kernel.ts';
import { each, loadStrided, moved, vectorBytes } from './lanes.ts';
import {
  integerFunction,
  type Pairing,
  type Present,
  pairing,
  pairRows,
  pairsInto,
  pairsOf,
  typesOf,
} from './pairs.ts';
import { eachIn, shareOf } from './share.ts';
import { type Ending, endingKey, endingOf, loadOperand, stepOf, storeResults } from './tile.ts';

/** The kernel of a convolution whose groups have one channel each. */
export function depthwise(shape: Geometry, site: Site): HandKernel {
  return site.integers ? ofPairs(shape, site, site.integers) : ofFloats(shape, site);
}

function ofFloats(shape: Geometry, site: Site): HandKernel {
  const { epilogue } = site;
  const ending = endingOf(site, 'rows');
  const plane = planeOf(shape);
  return {
    key: `depthwise ${JSON.stringify(shape)} ${endingKey(ending)}`,
    scratchBytes: plane.isCopied ? vectorBytes(plane.height * plane.width) : 0,
    packedBytes: 0,
    packKey: '',
    pack: () => {},
    emit: (module) => {
      const { height, width } = shape;
      const copy = plane.isCopied ? copying(module, shape, plane) : undefined;
      const sum = emit(module, shape, plane, ending, 4 * height * width, copy);
      return kernelFunction(module, epilogue, (f, given) => sum(f, given));
    },
  };
}

/**
 * Two neighbouring rows of a window are a pair: the plane holds each row paired with the one that is
 * below it in a window, and the windows have half of the rows.
 */
function ofPairs(shape: Geometry, site: Site, integers: IntegerOperands): HandKernel {
  const { epilogue, isWeightConstant } = site;
  const { groups, outputs, kernel, dilation, height, width } = shape;
  const ending = endingOf(site, 'rows');
  const halved: Geometry = {
    ...shape,
    kernel: [Math.ceil(kernel[0] / 2), kernel[1]],
    dilation: [2 * dilation[0], dilation[1]],
  };
  const plane = { ...paddedPlane(halved), isCopied: true };
  const planeBytes = vectorBytes(plane.height * plane.width);
  const ofWeight: Pairing = {
    along: 'planes',
    groups: groups * outputs,
    count: kernel[0],
    elements: kernel[1],
  };
  const weightBytes = isWeightConstant ? 0 : vectorBytes(pairsOf(ofWeight));
  const { data: from, weight: by } = integers;
  const imageBytes = dtypeInfo(from).bytes * height * width;
  return {
    key: `depthwise pairs ${typesOf(integers)} ${isWeightConstant} ${JSON.stringify(shape)} ${endingKey(ending)}`,
    scratchBytes: planeBytes + weightBytes,
    packedBytes: isWeightConstant ? 4 * pairsOf(ofWeight) : 0,
    packKey: `pairs ${JSON.stringify(ofWeight)}`,
    pack: (weight, into) => pairsInto(weight, ofWeight, into),
    emit: (module) => {
      const pairWeight = isWeightConstant ? undefined : pairing(module, by, ofWeight);
      const copy = pairingCopy(module, shape, plane, from);
      const sum = emit(module, halved, plane, ending, imageBytes, copy);
      const count = epilogue.operands.length;
      return integerFunction(module, integers, count, (f, given, others) => {
        const [out, scratch] = others.slice(-2) as [I, I];
        const pairs = f.let(i32.add(scratch, planeBytes));
        pairWeight?.(f, given.weight, pairs, given.weightZero);
        const weight = pairWeight ? pairs : given.weight;
        const { data, dataZero: zero } = given;
        sum(f, { data, weight, operands: others.slice(0, -2), out, scratch }, zero);
      });
    },
  };
}

/** The plane that the rows are summed from: a channel with its padding. */
interface Plane {
  readonly height: number;
  /** The width, with what whole vectors read beyond the last pixel. */
  readonly width: number;
  /** Whether the data itself is no such plane. */
  readonly isCopied: boolean;
}

const paddedPlane = (shape: Geometry) => ({
  height: reachOf(shape, 0, shape.outHeight),
  width: reachOf(shape, 1, 4 * Math.ceil(shape.outWidth / 4)),
});

function planeOf(shape: Geometry): Plane {
  const { height, width } = paddedPlane(shape);
  const isPlain = shape.top === 0 && shape.left === 0;
  if (isPlain && height <= shape.height && width <= shape.width) {
    return { height: shape.height, width: shape.width, isCopied: false };
  }
  return { height, width, isCopied: true };
}

type I = Local<'i32'>;
type Address = Value<'i32'>;

/** Makes the plane of an image, in storage that is zero where no image comes. */
type Copy = (f: FunctionBuilder, image: Address, scratch: Address, zero: Operand<'i32'>) => void;

/** Writes the loops over all channels, whose images have `bytes` bytes. */
function emit(
  module: ModuleBuilder,
  shape: Geometry,
  plane: Plane,
  ending: Ending,
  imageBytes: number,
  copy: Copy | undefined,
) {
  const { batch, groups, outputs, outHeight, outWidth, kernel, strides } = shape;
  const { epilogue } = ending;
  const row = oneRow(module, shape, ending);
  return (f: FunctionBuilder, given: Addresses<I>, zero: Operand<'i32'> = 0): void => {
    const { data, weight, operands, out, scratch } = given;
    if (copy) f.do(memoryFill(scratch, 0, 4 * plane.height * plane.width));
    eachIn(f, shareOf(f, module, batch * groups, 1), 1, (channel) => {
      const image = f.let(moved(data, channel, imageBytes));
      copy?.(f, image, scratch, zero);
      each(f, outputs, 1, (output) => {
        const result = f.let(i32.add(i32.mul(channel, outputs), output));
        const own = f.let(i32.remU(result, groups * outputs));
        const weights = f.let(moved(weight, own, 4 * kernel[0] * kernel[1]));
        each(f, outHeight, 1, (y) => {
          const place = (base: Address, bytes: number) =>
            moved(base, i32.add(i32.mul(result, outHeight), y), bytes * outWidth);
          const others = operandsAt(epilogue, operands, place, (it) => moved(it, own, 4));
          const from = moved(copy ? scratch : image, y, 4 * plane.width * strides[0]);
          const rowBytes = 4 * plane.width * shape.dilation[0];
          const to = place(out, outBytesOf(epilogue));
          f.do(call(row, from, weights, to, rowBytes, Math.floor(outWidth / 8), ...others));
        });
      });
    });
  };
}

/** Copies the rows of a channel that fit into the plane, after their padding. */
function copying(
  module: ModuleBuilder,
  { height, width, top, left }: Geometry,
  plane: Plane,
): Copy {
  const rows = Math.min(height, plane.height - top);
  const columns = Math.min(width, plane.width - left);
  if (rows <= 0 || columns <= 0) return () => {};
  const copy = copyRow(module, columns);
  return (f, image, scratch) => {
    const [from, to] = [f.let(image), f.let(i32.add(scratch, 4 * (top * plane.width + left)))];
    f.repeat(rows, () => {
      f.do(call(copy, from, to, Math.floor(columns / 4)));
      f.increase(from, 4 * width);
      f.increase(to, 4 * plane.width);
    });
  };
}

/** Pairs each row that fits into the plane with the one below it in a window, after their padding. */
function pairingCopy(
  module: ModuleBuilder,
  { height, width, top, left, dilation: [apart] }: Geometry,
  plane: Plane,
  dtype: DType,
): Copy {
  const columns = Math.min(width, plane.width - left);
  if (columns <= 0) return () => {};
  const rowBytes = dtypeInfo(dtype).bytes * width;
  /** The rows of the plane whose first, or second, row lies in the image. */
  const within = (shift: number) => ({
    from: Math.max(0, top - shift),
    to: Math.min(plane.height, top - shift + height),
  });
  const [first, second] = [within(0), within(apart)];
  const pieces: ReadonlyArray<readonly [Present, number, number]> = [
    ['second', second.from, Math.min(second.to, first.from)],
    ['both', Math.max(first.from, second.from), Math.min(first.to, second.to)],
    ['first', Math.max(first.from, second.to), first.to],
  ];
  return (f, image, scratch, zero) => {
    for (const [present, from, to] of pieces) {
      if (from >= to) continue;
      const pair = pairRows(module, dtype, present);
      f.for(from, to, 1, (row) => {
        const a = f.let(i32.add(image, i32.mul(i32.sub(row, top), rowBytes)));
        const into = i32.add(scratch, i32.add(i32.mul(row, 4 * plane.width), 4 * left));
        f.do(call(pair, a, i32.add(a, apart * rowBytes), into, columns, zero));
      });
    }
  };
}

/** Columns of a window up to which a row of products is written out. */
const WRITTEN_COLUMNS = 3;

/**
 * A function that computes one row of the result. Its parameters: the plane's first row that it
 * needs, the weights, the row of the result, the bytes between rows of a window, the number of
 * whole pairs of vectors, and the operands of the epilogue.
 */
function oneRow(module: ModuleBuilder, shape: Geometry, ending: Ending) {
  const { kernel, strides, dilation, outWidth } = shape;
  const tail = outWidth % 8;
  const { epilogue } = ending;
  const spreads = epilogue.operands;
  const bytes = outBytesOf(epilogue);
  const key = [kernel, strides, dilation, tail].join();
  const name = `depthwise row ${key} ${endingKey(ending)}`;
  return sharedFunction(module, name, 5 + spreads.length, (f, ...params) => {
    const [from, weights, out, rowBytes, pairs, ...places] = params as unknown as Row;
    const some = (columns: number): void => {
      const sums = addWindow(f, shape, ending, { from, weights, rowBytes }, columns > 4 ? 2 : 1);
      const results = sums.map((sum, i) => {
        const lanes = Math.min(4, columns - 4 * i);
        const operand = (at: number): Value<'v128'> =>
          spreads[at] === 'full'
            ? loadOperand(epilogue, at, places[at] as I, lanes, 4 * i)
            : v128.load32Splat(places[at] as I);
        const isSame = (at: number): boolean => spreads[at] !== 'full';
        return { vector: epilogue.apply(f, sum, operand, isSame), lanes };
      });
      storeResults(f, epilogue, out, results);
    };
    f.for(0, pairs, 1, () => {
      some(8);
      f.increase(from, 32 * strides[1]);
      f.increase(out, 8 * bytes);
      for (const [i, place] of places.entries()) {
        if (spreads[i] === 'full') f.increase(place, 8 * operandBytesOf(epilogue, i));
      }
    });
    if (tail !== 0) some(tail);
  });
}

type Row = [I, I, I, I, I, ...I[]];

/** The sums of one or two vectors of windows. */
function addWindow(
  f: FunctionBuilder,
  { kernel: [rows, columns], strides, dilation }: Geometry,
  ending: Ending,
  given: { readonly from: I; readonly weights: I; readonly rowBytes: I },
  vectors: number,
): ReadonlyArray<Local<'v128'>> {
  const fused = stepOf(ending);
  const sums = Array.from({ length: vectors }, () => f.let(v128.const(new Float32Array(4))));
  const row = f.let(given.from);
  const weight = f.let(given.weights);
  const column = f.local('i32');
  const step = (offset: number, weightOffset: number): void => {
    const factor = f.let(v128.load32Splat(weight, weightOffset));
    for (const [i, sum] of sums.entries()) {
      const numbers = loadStrided(column, strides[1], offset + 16 * strides[1] * i);
      f.set(sum, fused(numbers, factor, sum));
    }
  };
  f.repeat(rows, () => {
    f.set(column, row);
    if (columns <= WRITTEN_COLUMNS) {
      for (let i = 0; i < columns; i++) step(4 * dilation[1] * i, 4 * i);
      f.increase(weight, 4 * columns);
    } else {
      f.repeat(columns, () => {
        step(0, 0);
        f.increase(column, 4 * dilation[1]);
        f.increase(weight, 4);
      });
    }
    f.increase(row, given.rowBytes);
  });
  return sums;
}
