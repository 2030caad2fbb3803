/**
 * Packs the windows of a convolution as the columns of a product.
 *
 * A column is one pixel of the result; its rows are the numbers of the data under the window, in
 * the order of the weight: channel, row, column. Four pixels are packed together. Most lie in one
 * row with their windows inside the data, and are copied by vectors; the others are gathered, with
 * zeros for the padding.
 */
import {
  type FunctionBuilder,
  i32,
  i32x4,
  type Local,
  type ModuleBuilder,
  select,
  type Value,
  v128,
} from '../emit/index.ts';
import { type Procedure, sharedFunction } from './function.ts';
import { gathered, loadStrided } from './lanes.ts';
import type { Numbers } from './numbers.ts';
import { eachQuad, type Quad, type Quads, STEP, wrap } from './quads.ts';

/** The window of a convolution of two axes: the part that the code depends on. */
export interface Window {
  readonly kernel: readonly [number, number];
  readonly strides: readonly [number, number];
  readonly dilation: readonly [number, number];
}

/** Rows of a window, and columns, up to which the copies are written out. */
const WRITTEN_ROWS = 3;
const WRITTEN_COLUMNS = 11;

type I = Local<'i32'>;

/** The parameters of the function: addresses in bytes, sizes in elements. */
interface Params extends Quads {
  /** The first channel that is packed. */
  readonly data: I;
  readonly channels: I;
  readonly height: I;
  readonly width: I;
  readonly top: I;
  readonly left: I;
}

const NAMES: ReadonlyArray<keyof Params> = [
  'data',
  'to',
  'first',
  'end',
  'channels',
  'height',
  'width',
  'outWidth',
  'top',
  'left',
  'panelBytes',
];

/**
 * A function that packs pixels `first` to `end` into panels, from a panel's
 * start. Its parameters are data, to, first, end, channels, height, width, width of the result,
 * padding above and to the left, and the bytes of a panel.
 */
export function packWindows(module: ModuleBuilder, window: Window, numbers: Numbers): Procedure {
  const { kernel, strides, dilation } = window;
  const { bytes } = numbers;
  const key = `windows ${bytes} ${[kernel, strides, dilation].join()}`;
  return sharedFunction(module, key, NAMES.length, (f, ...values) => {
    const params = Object.fromEntries(NAMES.map((name, i) => [name, values[i]])) as never as Params;
    const plane = f.let(i32.mul(i32.mul(params.height, params.width), bytes));
    const pack = (quad: Quad): void => {
      const lanes = placesOf(f, params, window, quad);
      f.if(
        isInside(params, window, quad, lanes),
        () => copyInside(f, params, window, lanes[0] as Place, plane, numbers),
        () => gather(f, params, window, lanes, plane, numbers),
      );
    };
    eachQuad(f, params, pack, bytes);
  });
}

/** The first pixels of the vectors that four pixels fill. */
const firstPixels = ({ lanes }: Numbers): ReadonlyArray<number> => (lanes === 4 ? [0] : [0, 2]);

/** Where the window of a pixel begins in the data; outside for pixels that there are not. */
interface Place {
  readonly y: I;
  readonly x: I;
}

/** So far above the data that no row of a window reaches it. */
const FAR_ABOVE = -(2 ** 30);

/** The places of four pixels from the first on. */
function placesOf(
  f: FunctionBuilder,
  { end, outWidth, top, left }: Params,
  { strides: [stepY, stepX] }: Window,
  { pixel, x, y }: Quad,
): Place[] {
  const [atX, atY] = [f.let(x), f.let(y)];
  return [0, 1, 2, 3].map((lane) => {
    if (lane > 0) {
      f.increase(atX, 1);
      wrap(f, atX, atY, outWidth);
    }
    const placeY = f.let(i32.sub(i32.mul(atY, stepY), top));
    if (lane > 0) {
      f.if(i32.geS(i32.add(pixel, lane), end), () => f.set(placeY, FAR_ABOVE));
    }
    return { y: placeY, x: f.let(i32.sub(i32.mul(atX, stepX), left)) };
  });
}

/** Whether four pixels are neighbours in a row, with windows that lie in the data. */
function isInside(
  { end, height, width, outWidth }: Params,
  { kernel, strides, dilation }: Window,
  { pixel, x }: Quad,
  [place]: ReadonlyArray<Place>,
): Value<'i32'> {
  const { y: top, x: left } = place as Place;
  const down = (kernel[0] - 1) * dilation[0];
  const across = (kernel[1] - 1) * dilation[1] + 3 * strides[1];
  return [
    i32.geS(top, 0),
    i32.ltS(i32.add(top, down), height),
    i32.geS(left, 0),
    i32.ltS(i32.add(left, across), width),
    i32.ltS(i32.add(x, 3), outWidth),
    i32.ltS(i32.add(pixel, 3), end),
  ].reduce((all, one) => i32.and(all, one));
}

/** Copies the windows of four neighbours by vectors. */
function copyInside(
  f: FunctionBuilder,
  { data, to, channels, width }: Params,
  { kernel: [rows, columns], strides, dilation }: Window,
  { y, x }: Place,
  plane: I,
  numbers: Numbers,
): void {
  const { bytes } = numbers;
  const start = f.let(i32.add(data, i32.mul(i32.add(i32.mul(y, width), x), bytes)));
  const rowBytes = f.let(i32.mul(width, bytes * dilation[0]));
  const into = f.let(to);
  const row = f.local('i32');
  const copyFour = (from: I, offset: number, to: number): void => {
    for (const pixel of firstPixels(numbers)) {
      const vector = loadStrided(from, strides[1], offset + bytes * strides[1] * pixel, bytes);
      f.do(v128.store(into, vector, to + bytes * pixel));
    }
  };
  const copyRow = (): void => {
    if (columns <= WRITTEN_COLUMNS) {
      for (let i = 0; i < columns; i++) {
        copyFour(row, bytes * dilation[1] * i, STEP * i);
      }
      f.increase(into, STEP * columns);
    } else {
      const from = f.let(row);
      f.repeat(columns, () => {
        copyFour(from, 0, 0);
        f.increase(from, bytes * dilation[1]);
        f.increase(into, STEP);
      });
    }
    f.increase(row, rowBytes);
  };
  f.repeat(channels, () => {
    f.set(row, start);
    if (rows <= WRITTEN_ROWS) for (let i = 0; i < rows; i++) copyRow();
    else f.repeat(rows, copyRow);
    f.increase(start, plane);
  });
}

/** Gathers the windows of any four pixels: for each place of the window, all channels. */
function gather(
  f: FunctionBuilder,
  params: Params,
  { kernel: [rows, columns], dilation }: Window,
  lanes: ReadonlyArray<Place>,
  plane: I,
  numbers: Numbers,
): void {
  const { bytes } = numbers;
  const target = f.let(params.to);
  f.for(0, rows * dilation[0], dilation[0], (down) =>
    f.for(0, columns * dilation[1], dilation[1], (across) => {
      const { masks, offsets } = underPlace(f, params, lanes, [down, across], numbers);
      const [first, ...others] = offsets as [I, I, I, I];
      const from = f.let(i32.const(0));
      const into = f.let(target);
      const copyAll = (load: (pixel: number, mask: Local<'v128'>) => Value<'v128'>): void =>
        f.repeat(params.channels, () => {
          for (const [i, pixel] of firstPixels(numbers).entries()) {
            f.do(v128.store(into, load(pixel, masks[i] as Local<'v128'>), bytes * pixel));
          }
          f.increase(into, STEP * rows * columns);
          f.increase(from, plane);
        });
      const isRun = [
        ...masks.map((mask) => i32x4.allTrue(mask)),
        ...others.map((offset, i) => i32.eq(i32.sub(offset, first), bytes * (i + 1))),
      ].reduce((all, one) => i32.and(all, one));
      const gatheredFrom = (pixel: number): Value<'v128'> =>
        gathered(
          offsets
            .slice(pixel, pixel + numbers.lanes)
            .map((offset) => [i32.add(from, offset), 0] as const),
          bytes,
        );
      f.if(
        isRun,
        () => copyAll((pixel) => v128.load(i32.add(from, first), bytes * pixel)),
        () => copyAll((pixel, mask) => v128.and(mask, gatheredFrom(pixel))),
      );
      f.increase(target, STEP);
    }),
  );
}

/**
 * The addresses of the four numbers under one place of the window, in the first channel, and
 * masks of those that are not padding. Where the padding is, the address is the channel's first.
 */
function underPlace(
  f: FunctionBuilder,
  { data, height, width }: Params,
  lanes: ReadonlyArray<Place>,
  [down, across]: readonly [I, I],
  numbers: Numbers,
) {
  const words = numbers.bytes / 4;
  const masks = firstPixels(numbers).map(() => f.let(i32x4.splat(0)));
  const offsets = lanes.map(({ y, x }, lane) => {
    const atY = f.let(i32.add(y, down));
    const atX = f.let(i32.add(x, across));
    const isIn = f.let(i32.and(i32.ltU(atY, height), i32.ltU(atX, width)));
    const mask = masks[Math.floor(lane / numbers.lanes)] as Local<'v128'>;
    for (let word = 0; word < words; word++) {
      const at = words * (lane % numbers.lanes) + word;
      f.set(mask, i32x4.replaceLane(mask, at, i32.sub(0, isIn)));
    }
    const offset = i32.mul(i32.add(i32.mul(atY, width), atX), numbers.bytes);
    return f.let(i32.add(data, select(offset, i32.const(0), isIn)));
  });
  return { masks, offsets };
}
