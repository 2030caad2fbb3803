/** Pixels of an image in the order of its rows, four at a time, as they are packed into panels. */
import { type FunctionBuilder, i32, type Local, select } from '../emit/index.ts';

/** **Units** bytes. One row of a panel: two vectors. */
export const STEP = 32;

type I = Local<'i32'>;

/** The first of four pixels, and its place in the result. */
export interface Quad {
  readonly pixel: I;
  readonly x: I;
  readonly y: I;
}

/** Which pixels there are, and where they are packed. */
export interface Quads {
  /** Where the pixels are packed: each four move it on. */
  readonly to: I;
  readonly first: I;
  readonly end: I;
  /** The width of the result. */
  readonly outWidth: I;
  readonly panelBytes: I;
}

/** Runs a body for each four pixels, from the start of a panel on; a number has a number of bytes. */
export function eachQuad(
  f: FunctionBuilder,
  { to, first, end, outWidth, panelBytes }: Quads,
  body: (quad: Quad) => void,
  bytes = 4,
): void {
  const y = f.let(i32.divU(first, outWidth));
  const x = f.let(i32.remU(first, outWidth));
  const half = f.local('i32');
  f.for(first, end, 4, (pixel) => {
    body({ pixel, x, y });
    f.increase(x, 4);
    f.loop((again) =>
      f.if(i32.geS(x, outWidth), () => {
        f.increase(x, i32.sub(0, outWidth));
        f.increase(y, 1);
        f.branch(again);
      }),
    );
    if (4 * bytes === STEP) f.increase(to, panelBytes);
    else {
      f.increase(to, select(i32.sub(panelBytes, 16), i32.const(16), half));
      f.set(half, i32.eqz(half));
    }
  });
}

/** Advances to the next row at the end of one. */
export function wrap(f: FunctionBuilder, x: I, y: I, outWidth: I): void {
  f.if(i32.eq(x, outWidth), () => {
    f.set(x, 0);
    f.increase(y, 1);
  });
}
