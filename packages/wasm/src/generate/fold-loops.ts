/**
 * The loops of folds: those over the results, and inside them those over the elements of each. What
 * computes results takes several of them at a time.
 */
import { type FoldKernel, windowsOf } from '@baton/lower';
import { collapseLoops, type LoopNest, type Shape, shapeSize } from '@baton/tensor';
import { i32, type ModuleBuilder } from '../emit/index.ts';
import type { Procedure } from '../kernels/function.ts';
import type { Cursor } from './cursor.ts';
import { elementKey, windowKey } from './map.ts';
import { move, moveAlong, type Nest, nestFunction, type Row } from './nest.ts';

/** The loops of one fold. */
export interface FoldNest extends Nest {
  readonly kernel: FoldKernel;
  /** The loops over the elements of a result. */
  readonly gone: LoopNest;
}

/** The results along the innermost loop: those of each turn, and those that are left. */
export type ResultRow = Omit<Row, 'skip'>;

/** A result of more elements than this goes through them in loops. */
export const MAX_UNROLLED = 16;

/**
 * Writes a function with the parameters of a loop nest: the windows, then the result. `rowOf` computes
 * results.
 */
export function foldLoops(
  module: ModuleBuilder,
  kernel: FoldKernel,
  rowOf: (nest: FoldNest) => ResultRow,
): Procedure {
  const { kept, gone } = loopsOf(kernel);
  const windows = [...windowsOf(kernel.element), kernel.out];
  return nestFunction(module, windows, kept, (nest) => {
    const { f, inputs, out } = nest;
    const row = rowOf({ ...nest, kernel, gone });
    return {
      ...row,
      skip: (turns) => {
        for (const { pointer, steps } of [...inputs, out]) {
          f.increase(pointer, i32.mul(turns, row.perTurn * (steps[0] as number)));
        }
      },
    };
  });
}

/** The loops over results, and over the elements of each. */
export function loopsOf({ element, out }: FoldKernel): {
  readonly kept: LoopNest;
  readonly gone: LoopNest;
} {
  const windows = windowsOf(element);
  const rank = out.shape.length;
  const shape = windows[0]?.shape ?? out.shape;
  const kept = collapseLoops(out.shape, [
    ...windows.map(({ strides }) => strides.slice(0, rank)),
    out.strides,
  ]);
  const gone = collapseLoops(
    shape.slice(rank),
    windows.map(({ strides }) => strides.slice(rank)),
  );
  return { kept, gone };
}

/** Moves the pointers by `count` results of the innermost loop. */
export function moveResults({ f, inputs, out }: FoldNest, results: number): void {
  moveAlong(f, [...inputs, out], results);
}

/**
 * The loops over the elements of a result, in row-major order; the pointers stay. `step` is given the
 * bytes from the pointer of each input to the element. With `row`, it is the code of the innermost loop.
 */
export function overElements(
  nest: FoldNest,
  step: (shifts: ReadonlyArray<number>) => void,
  row?: () => void,
): void {
  const { gone, inputs } = nest;
  const count = shapeSize(gone.shape);
  if (count === 0) return;
  if (row === undefined && count <= MAX_UNROLLED) {
    forEachPlace(gone, (places) =>
      step(places.map((place, i) => place * (inputs[i] as Cursor).width)),
    );
    return;
  }
  overLevel(nest, 0, row, () => step(inputs.map(() => 0)));
  inputs.forEach(({ pointer, width }, i) => {
    const [dim, stride] = [gone.shape[0] as number, gone.strides[i]?.[0] as number];
    move(nest.f, pointer, -width * dim * stride);
  });
}

/** The loop over elements at a level, and those inside it. */
function overLevel(
  nest: FoldNest,
  level: number,
  row: (() => void) | undefined,
  step: () => void,
): void {
  const { f, gone, inputs } = nest;
  const isInnermost = level === gone.shape.length - 1;
  if (isInnermost && row !== undefined) {
    row();
    return;
  }
  f.repeat(gone.shape[level] as number, () => {
    if (isInnermost) step();
    else overLevel(nest, level + 1, row, step);
    inputs.forEach(({ pointer, width }, i) => {
      move(f, pointer, width * distanceAfter(gone, i, level));
    });
  });
}

/** The elements from the end of the loop inside to the next turn of this one. */
function distanceAfter({ shape, strides }: LoopNest, input: number, level: number): number {
  const own = strides[input] as Shape;
  return (own[level] as number) - (shape[level + 1] ?? 0) * (own[level + 1] ?? 0);
}

function forEachPlace(
  { shape, strides }: LoopNest,
  visit: (places: ReadonlyArray<number>) => void,
): void {
  const count = shapeSize(shape);
  for (let n = 0; n < count; n++) {
    let rest = n;
    const places = strides.map(() => 0);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const index = rest % (shape[axis] as number);
      rest = Math.floor(rest / (shape[axis] as number));
      strides.forEach((list, i) => {
        places[i] = (places[i] as number) + index * (list[axis] as number);
      });
    }
    visit(places);
  }
}

/** A text that is equal for folds of the same code. */
export const foldKey = ({ element, fold, of, mode, divisor, out }: FoldKernel): string =>
  `fold ${mode} ${of} ${JSON.stringify([`${fold.start}`, fold.step, fold.finds, divisor])} ${elementKey(element)} -> ${windowKey(out)}`;
