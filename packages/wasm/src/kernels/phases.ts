/**
 * Packs the windows of a convolution of few channels, as in the first layer of a network, from a copy of
 * its data. The copy has the padding, and columns that lie a stride apart are neighbours in it: every
 * window lies inside, and four pixels of a row are four neighbours at each place of the window.
 */
import {
  type FunctionBuilder,
  i32,
  i32x4,
  type Local,
  type ModuleBuilder,
  select,
  v128,
} from '../emit/index.ts';
import { type Procedure, sharedFunction } from './function.ts';
import { type Geometry, reachOf } from './geometry.ts';
import { loadStrided, moved, vectorBytes } from './lanes.ts';
import { eachQuad, STEP, wrap } from './quads.ts';

/** The most channels whose copy costs little compared with the products. */
const MOST_CHANNELS = 4;

/** How often a number of the data is packed at least, so that the copy pays. */
const LEAST_USES = 4;

/** The most columns of a window: the copies of a row are written out. */
const MOST_COLUMNS = 11;

type I = Local<'i32'>;

/** The sizes of a copy, in elements. */
export interface Phases {
  /** Rows of a channel. */
  readonly rows: number;
  /** Columns that have the same rest when divided by the stride. */
  readonly width: number;
  readonly row: number;
  /** A channel. */
  readonly plane: number;
}

/** The copy from which a convolution is packed; `undefined` if it is packed from its data. */
export function phasesOf(shape: Geometry): Phases | undefined {
  const { channels, kernel, strides, outHeight, outWidth, top, left } = shape;
  const isDense = strides[1] === 1 && top === 0 && left === 0;
  if (channels > MOST_CHANNELS || kernel[1] > MOST_COLUMNS || isDense) return undefined;
  if (kernel[0] * kernel[1] < LEAST_USES * strides[0] * strides[1]) return undefined;
  const rows = reachOf(shape, 0, outHeight);
  const width = Math.ceil(reachOf(shape, 1, outWidth) / strides[1]);
  const row = width * strides[1];
  return { rows, width, row, plane: rows * row };
}

/** **Units** bytes. The room of a copy: whole vectors. */
export const bytesOf = ({ plane }: Phases, { channels }: Geometry): number =>
  vectorBytes(channels * plane);

/** A function that makes the copy. Its parameters: the data of an image, and where to. */
export const copyPhases = (module: ModuleBuilder, shape: Geometry, phases: Phases): Procedure =>
  sharedFunction(module, `phases ${JSON.stringify(shape)}`, 2, (f, ...params) => {
    const [data, to] = params as [I, I];
    const { channels, height, width, top } = shape;
    const zero = i32x4.splat(0);
    f.for(0, bytesOf(phases, shape), 16, (at) => f.do(v128.store(i32.add(to, at), zero)));
    const rows = Math.min(height, phases.rows - top);
    const from = f.let(data);
    const into = f.let(moved(to, top, 4 * phases.row));
    if (rows <= 0) return;
    f.repeat(channels, () => {
      f.repeat(rows, () => {
        for (let phase = 0; phase < shape.strides[1]; phase++) {
          copyPhase(f, shape, phases, phase, { from, into });
        }
        f.increase(from, 4 * width);
        f.increase(into, 4 * phases.row);
      });
      f.increase(from, 4 * width * (height - rows));
      f.increase(into, 4 * (phases.plane - rows * phases.row));
    });
  });

/** Copies the columns of one phase in a row. */
function copyPhase(
  f: FunctionBuilder,
  { width, strides, left }: Geometry,
  phases: Phases,
  phase: number,
  { from, into }: { readonly from: I; readonly into: I },
): void {
  const stride = strides[1];
  const first = Math.max(0, Math.ceil((left - phase) / stride));
  const end = Math.min(phases.width, Math.floor((width - 1 - phase + left) / stride) + 1);
  const count = end - first;
  if (count <= 0) return;
  const source = 4 * (first * stride + phase - left);
  const target = 4 * (phase * phases.width + first);
  const vectors = Math.floor(count / 4);
  if (vectors > 0) {
    const read = f.let(i32.add(from, source));
    const write = f.let(i32.add(into, target));
    f.repeat(vectors, () => {
      f.do(v128.store(write, loadStrided(read, stride)));
      f.increase(read, 16 * stride);
      f.increase(write, 16);
    });
  }
  for (let i = 4 * vectors; i < count; i++) {
    const one = v128.load32Zero(i32.add(from, source + 4 * stride * i));
    f.do(v128.store32Lane(into, f.let(one), 0, target + 4 * i));
  }
}

/**
 * A function that packs pixels `first` to `end` of a copy into panels, from a panel's start. Its parameters: the copy, where to, first, end, the number of channels, the bytes of
 * a panel.
 */
export const packPhases = (module: ModuleBuilder, shape: Geometry, phases: Phases): Procedure =>
  sharedFunction(module, `windows of phases ${JSON.stringify(shape)}`, 6, (f, ...params) => {
    const [copy, to, first, end, channels, panelBytes] = params as [I, I, I, I, I, I];
    const down = 4 * shape.strides[0] * phases.row;
    const outWidth = f.let(i32.const(shape.outWidth));
    const quads = { to, first, end, outWidth, panelBytes };
    eachQuad(f, quads, ({ pixel, x, y }) => {
      const begin = f.let(moved(moved(copy, y, down), x, 4));
      const packFrom = (begins: ReadonlyArray<I>): void =>
        copyWindows(f, shape, phases, { to, channels, begins });
      const isInRow = i32.ltS(i32.add(x, 3), outWidth);
      f.if(
        isInRow,
        () => packFrom([begin]),
        () => {
          const [atX, atY] = [f.let(x), f.let(y)];
          const others = [1, 2, 3].map((lane) => {
            f.increase(atX, 1);
            wrap(f, atX, atY, outWidth);
            const own = moved(moved(copy, atY, down), atX, 4);
            // What is packed for a pixel that there is not is never read.
            return f.let(select(own, begin, i32.ltS(i32.add(pixel, lane), end)));
          });
          packFrom([begin, ...others]);
        },
      );
    });
  });

/** Where windows begin in the copy, one for four neighbours or one for each, and where they are packed. */
interface Packed {
  readonly begins: ReadonlyArray<I>;
  readonly to: I;
  readonly channels: I;
}

/** Copies the windows of four pixels, place by place. */
function copyWindows(
  f: FunctionBuilder,
  { kernel: [rows, columns], strides, dilation }: Geometry,
  phases: Phases,
  { begins, to, channels }: Packed,
): void {
  const into = f.let(to);
  const by = f.let(i32.const(0));
  const rowBytes = 4 * dilation[0] * phases.row;
  f.repeat(channels, () => {
    f.repeat(rows, () => {
      const [first, ...others] = begins.map((begin) => f.let(i32.add(begin, by))) as [I, ...I[]];
      for (let i = 0; i < columns; i++) {
        const x = i * dilation[1];
        const offset = 4 * ((x % strides[1]) * phases.width + Math.floor(x / strides[1]));
        const four = others.reduce(
          (vector, at, lane) => v128.load32Lane(at, vector, lane + 1, offset),
          begins.length === 1 ? v128.load(first, offset) : v128.load32Zero(first, offset),
        );
        f.do(v128.store(into, four, STEP * i));
      }
      f.increase(into, STEP * columns);
      f.increase(by, rowBytes);
    });
    f.increase(by, 4 * phases.plane - rows * rowBytes);
  });
}
