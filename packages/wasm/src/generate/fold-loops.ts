/**
 * The loops of folds: those over the results, and inside them those over the elements of each. What
 * computes results takes several of them at a time.
 */
import { collapseLoops, dtypeInfo, type LoopNest, type Shape, type Tensor } from '@baton/tensor';
import {
  type FunctionBuilder,
  type FunctionRef,
  i32,
  type Local,
  type ModuleBuilder,
  type Part,
} from '../emit/index.ts';
import { shareOf } from '../kernels/share.ts';
import { windowsOf } from '../plan/element.ts';
import type { FoldKernel } from '../plan/kernel.ts';
import type { Cursor } from './cursor.ts';
import { elementKey, windowKey } from './map.ts';

/** The loops of one fold. */
export interface FoldNest {
  readonly f: FunctionBuilder;
  readonly kernel: FoldKernel;
  readonly inputs: ReadonlyArray<Cursor>;
  readonly out: Cursor;
  /** The loops over results: the strides are those of the inputs, then of the result. */
  readonly kept: LoopNest;
  /** The loops over the elements of a result. */
  readonly gone: LoopNest;
}

/** The results along the innermost loop: those of each turn, and those that are left. */
export interface ResultRow {
  readonly perTurn: number;
  /** Computes the results of a turn, and moves the pointers behind them. */
  readonly turn: () => void;
  readonly rest: () => void;
}

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
): FunctionRef<ReadonlyArray<'i32'>, 'none'> {
  const { element, out } = kernel;
  const windows = windowsOf(element);
  const { kept, gone } = loopsOf(kernel);
  const params = [...windows, out].map(() => 'i32' as const);
  return module.procedure(params, (f, ...pointers) => {
    if (kept.shape.includes(0)) return;
    const cursor = (window: Tensor, i: number): Cursor => {
      const width = dtypeInfo(window.dtype).bytes;
      const steps = (kept.strides[i] as Shape).map((stride) => stride * width);
      return { window, pointer: pointers[i] as Local<'i32'>, width, steps };
    };
    const inputs = windows.map(cursor);
    const nest = { f, kernel, inputs, out: cursor(out, windows.length), kept, gone };
    const row = rowOf(nest);
    if (module.part === undefined) overResults(nest, row, 0);
    else sharedResults(nest, row, module, module.part);
  });
}

/** The loops over results, and over the elements of each. */
function loopsOf({ element, out }: FoldKernel): {
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

/** The part of the outermost loop that a thread does; the last one does what is left of turns, too. */
function sharedResults(
  nest: FoldNest,
  { perTurn, turn, rest }: ResultRow,
  module: ModuleBuilder,
  { index, count }: Part,
): void {
  const { f, kept, inputs, out } = nest;
  const isRow = kept.shape.length === 1;
  const each = isRow ? perTurn : 1;
  const { first, end } = shareOf(f, module, Math.floor((kept.shape[0] as number) / each), 1);
  for (const { pointer, steps } of [...inputs, out]) {
    f.increase(pointer, i32.mul(first, each * (steps[0] as number)));
  }
  f.for(first, end, 1, isRow ? turn : () => turnOver(nest, { perTurn, turn, rest }, 0));
  if (isRow) f.if(i32.eq(i32.add(index.value, 1), count.value), rest);
}

/** The loop over results at a level, and those inside it; pointers are left at the end. */
function overResults(nest: FoldNest, row: ResultRow, level: number): void {
  const { f, kept } = nest;
  if (level < kept.shape.length - 1) {
    f.repeat(kept.shape[level] as number, () => turnOver(nest, row, level));
    return;
  }
  const turns = Math.floor((kept.shape[level] as number) / row.perTurn);
  if (turns === 1) row.turn();
  else if (turns > 1) f.repeat(turns, row.turn);
  row.rest();
}

/** One turn of the loop over results at a level. */
function turnOver(nest: FoldNest, row: ResultRow, level: number): void {
  const { f, kept, inputs, out } = nest;
  overResults(nest, row, level + 1);
  for (const { pointer, steps } of [...inputs, out]) {
    const inner = (kept.shape[level + 1] as number) * (steps[level + 1] as number);
    move(f, pointer, (steps[level] as number) - inner);
  }
}

/** Moves a pointer by so many bytes. */
export function move(f: FunctionBuilder, pointer: Local<'i32'>, distance: number): void {
  if (distance !== 0) f.increase(pointer, distance);
}

/** Moves the pointers by so many results of the innermost loop. */
export function moveResults({ f, inputs, out }: FoldNest, results: number): void {
  for (const { pointer, steps } of [...inputs, out]) {
    move(f, pointer, (steps.at(-1) as number) * results);
  }
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
  const count = gone.shape.reduce((product, dim) => product * dim, 1);
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
  const own = strides[input]?.[level] as number;
  const isInnermost = level === shape.length - 1;
  const inner = isInnermost
    ? 0
    : (shape[level + 1] as number) * (strides[input]?.[level + 1] as number);
  return own - inner;
}

function forEachPlace(
  { shape, strides }: LoopNest,
  visit: (places: ReadonlyArray<number>) => void,
): void {
  const count = shape.reduce((product, dim) => product * dim, 1);
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
