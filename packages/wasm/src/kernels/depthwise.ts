/**
 * Convolutions in which each channel has weights of its own, row by row along the width.
 *
 * A channel is copied into a plane with its padding, unless it needs none; rows of the result are
 * then sums of rows of the plane, each times a weight.
 */
import {
  call,
  type FunctionBuilder,
  type FunctionRef,
  i32,
  type Local,
  type ModuleBuilder,
  memoryFill,
  type Value,
  v128,
} from '../emit/index.ts';
import { copyRow } from './copy-row.ts';
import { kernelFunction, operandsAt, type Procedure, sharedFunction } from './function.ts';
import { type Geometry, reachOf } from './geometry.ts';
import type { HandKernel, Site } from './kernel.ts';
import {
  each,
  loadLanes,
  loadStrided,
  moved,
  multiplyAdd,
  storeLanes,
  vectorBytes,
} from './lanes.ts';
import { eachIn, shareOf } from './share.ts';
import { type Ending, endingKey } from './tile.ts';

/** The kernel of a convolution whose groups have one channel each. */
export function depthwise(shape: Geometry, { epilogue, level }: Site): HandKernel {
  const ending: Ending = { epilogue, channels: 'rows', level };
  const plane = planeOf(shape);
  return {
    key: `depthwise ${JSON.stringify(shape)} ${endingKey(ending)}`,
    scratchBytes: plane.isCopied ? vectorBytes(plane.height * plane.width) : 0,
    packedBytes: 0,
    packKey: '',
    pack: () => {},
    emit: (module) => emit(module, shape, plane, ending),
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

function planeOf(shape: Geometry): Plane {
  const height = reachOf(shape, 0, shape.outHeight);
  const width = reachOf(shape, 1, 4 * Math.ceil(shape.outWidth / 4));
  const isPlain = shape.top === 0 && shape.left === 0;
  if (isPlain && height <= shape.height && width <= shape.width) {
    return { height: shape.height, width: shape.width, isCopied: false };
  }
  return { height, width, isCopied: true };
}

type I = Local<'i32'>;
type Address = Value<'i32'>;

function emit(module: ModuleBuilder, shape: Geometry, plane: Plane, ending: Ending): Procedure {
  const { batch, groups, outputs, height, width, outHeight, outWidth, kernel, strides } = shape;
  const { epilogue } = ending;
  const row = oneRow(module, shape, ending);
  const copy = plane.isCopied
    ? copyRow(module, Math.min(width, plane.width - shape.left))
    : undefined;
  return kernelFunction(module, epilogue, (f, { data, weight, operands, out, scratch }) => {
    if (copy) f.do(memoryFill(scratch, 0, 4 * plane.height * plane.width));
    eachIn(f, shareOf(f, module, batch * groups, 1), 1, (channel) => {
      const image = f.let(moved(data, channel, 4 * height * width));
      if (copy) copyPlane(f, shape, plane, copy, image, scratch);
      each(f, outputs, 1, (output) => {
        const result = f.let(i32.add(i32.mul(channel, outputs), output));
        const own = f.let(i32.remU(result, groups * outputs));
        const weights = f.let(moved(weight, own, 4 * kernel[0] * kernel[1]));
        each(f, outHeight, 1, (y) => {
          const place = (base: Address) =>
            moved(base, i32.add(i32.mul(result, outHeight), y), 4 * outWidth);
          const others = operandsAt(epilogue, operands, place, (it) => moved(it, own, 4));
          const from = moved(copy ? scratch : image, y, 4 * plane.width * strides[0]);
          const rowBytes = 4 * plane.width * shape.dilation[0];
          f.do(call(row, from, weights, place(out), rowBytes, Math.floor(outWidth / 8), ...others));
        });
      });
    });
  });
}

/** Copies the rows of a channel that the plane has room for, behind their padding. */
function copyPlane(
  f: FunctionBuilder,
  { height, width, top, left }: Geometry,
  plane: Plane,
  copy: FunctionRef<ReadonlyArray<'i32'>, 'none'>,
  image: Address,
  scratch: Address,
): void {
  const rows = Math.min(height, plane.height - top);
  const columns = Math.min(width, plane.width - left);
  if (rows <= 0 || columns <= 0) return;
  const [from, to] = [f.let(image), f.let(i32.add(scratch, 4 * (top * plane.width + left)))];
  f.repeat(rows, () => {
    f.do(call(copy, from, to, Math.floor(columns / 4)));
    f.increase(from, 4 * width);
    f.increase(to, 4 * plane.width);
  });
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
  const spreads = ending.epilogue.operands;
  const key = [kernel, strides, dilation, tail].join();
  const name = `depthwise row ${key} ${endingKey(ending)}`;
  return sharedFunction(module, name, 5 + spreads.length, (f, ...params) => {
    const [from, weights, out, rowBytes, pairs, ...places] = params as unknown as Row;
    const some = (columns: number): void => {
      const sums = addWindow(f, shape, ending, { from, weights, rowBytes }, columns > 4 ? 2 : 1);
      for (const [i, sum] of sums.entries()) {
        const lanes = Math.min(4, columns - 4 * i);
        const operand = (at: number): Value<'v128'> =>
          spreads[at] === 'full'
            ? loadLanes(places[at] as I, lanes, 16 * i)
            : v128.load32Splat(places[at] as I);
        storeLanes(f, out, ending.epilogue.apply(f, sum, operand), lanes, 16 * i);
      }
    };
    f.for(0, pairs, 1, () => {
      some(8);
      f.increase(from, 32 * strides[1]);
      f.increase(out, 32);
      for (const [i, place] of places.entries()) if (spreads[i] === 'full') f.increase(place, 32);
    });
    if (tail !== 0) some(tail);
  });
}

type Row = [I, I, I, I, I, ...I[]];

/** The sums of one or two vectors of windows. */
function addWindow(
  f: FunctionBuilder,
  { kernel: [rows, columns], strides, dilation }: Geometry,
  { level }: Ending,
  given: { readonly from: I; readonly weights: I; readonly rowBytes: I },
  vectors: number,
): ReadonlyArray<Local<'v128'>> {
  const fused = multiplyAdd(level);
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
