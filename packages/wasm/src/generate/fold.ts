/**
 * Folds: loop nests in which each element of the result is made of many. Four results are made at once
 * where neighbours of the result read neighbours of the argument; else the elements of one result are
 * taken four at a time, and the states put together at the end.
 */
import { collapseLoops, type LoopNest, type Shape, type Tensor } from '@baton/tensor';
import {
  type FunctionBuilder,
  type FunctionRef,
  f32x4,
  i8x16,
  i32,
  type Local,
  type ModuleBuilder,
  type Part,
  type Value,
  v128,
} from '../emit/index.ts';
import { shareOf } from '../kernels/share.ts';
import { apply, type Element, literal, windowsOf } from '../plan/element.ts';
import type { FoldKernel } from '../plan/kernel.ts';
import { type Cursor, four, LANES, one, repeated, storeFour, storeOne } from './cursor.ts';
import { elementKey, windowKey } from './map.ts';
import { elementCode, type Lanes, scalarCode, splatOf } from './vector.ts';

type Vector = Value<'v128'>;

/** A result of more windows than this goes through them in loops. */
const MAX_UNROLLED = 16;

/** A row of fewer elements is not worth putting states together. */
const LEAST_ROW = 8;

/** States that are kept side by side, so that no step waits for the one before. */
const STATES = 4;

interface Nest {
  readonly f: FunctionBuilder;
  readonly kernel: FoldKernel;
  readonly inputs: ReadonlyArray<Cursor>;
  readonly out: Cursor;
  /** The loops over results: the strides are those of the inputs, then of the result. */
  readonly kept: LoopNest;
  /** The loops over the elements of a result. */
  readonly gone: LoopNest;
}

/** Writes a function with the parameters of a loop nest: the windows, then the result. */
export function foldFunction(
  module: ModuleBuilder,
  kernel: FoldKernel,
): FunctionRef<ReadonlyArray<'i32'>, 'none'> {
  const { element, out } = kernel;
  const windows = windowsOf(element);
  const { kept, gone } = loopsOf(kernel);
  const params = [...windows, out].map(() => 'i32' as const);
  return module.procedure(params, (f, ...pointers) => {
    if (kept.shape.includes(0)) return;
    const cursor = (window: Tensor, i: number): Cursor => ({
      window,
      pointer: pointers[i] as Local<'i32'>,
      width: 4,
      steps: bytesOf(kept.strides[i] as Shape),
    });
    const inputs = windows.map(cursor);
    const nest = { f, kernel, inputs, out: cursor(out, windows.length), kept, gone };
    if (module.part === undefined) overResults(nest, 0);
    else sharedResults(nest, module, module.part);
  });
}

const bytesOf = (strides: Shape): Shape => strides.map((stride) => stride * 4);

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

/** The part of the outermost loop that a thread does; the last one does what is left of vectors, too. */
function sharedResults(nest: Nest, module: ModuleBuilder, { index, count }: Part): void {
  const { f, kept, inputs, out } = nest;
  const results = kept.shape[0] as number;
  const isVectors = kept.shape.length === 1 && !isAlong(nest);
  const each = isVectors ? LANES : 1;
  const { first, end } = shareOf(f, module, Math.floor(results / each), 1);
  for (const { pointer, steps } of [...inputs, out]) {
    f.increase(pointer, i32.mul(first, each * (steps[0] as number)));
  }
  const { vectors, rest } = rowOfVectors(nest);
  if (kept.shape.length > 1) f.for(first, end, 1, () => turnOver(nest, 0));
  else f.for(first, end, 1, isVectors ? vectors : () => oneOfFolds(nest));
  if (isVectors) f.if(i32.eq(i32.add(index.value, 1), count.value), rest);
}

/** The loop over results at a level, and those inside it; pointers are left at the end. */
function overResults(nest: Nest, level: number): void {
  const { f, kept } = nest;
  if (level === kept.shape.length - 1) {
    if (isAlong(nest)) rowOfFolds(nest);
    else wholeRow(nest);
    return;
  }
  f.repeat(kept.shape[level] as number, () => turnOver(nest, level));
}

/** One turn of the loop over results at a level. */
function turnOver(nest: Nest, level: number): void {
  const { f, kept, inputs, out } = nest;
  overResults(nest, level + 1);
  for (const { pointer, steps } of [...inputs, out]) {
    const inner = (kept.shape[level + 1] as number) * (steps[level + 1] as number);
    move(f, pointer, (steps[level] as number) - inner);
  }
}

function move(f: FunctionBuilder, pointer: Local<'i32'>, distance: number): void {
  if (distance !== 0) f.increase(pointer, distance);
}

/** Whether the elements of one result are neighbours, and those of its neighbours are not. */
function isAlong({ inputs, kept, gone }: Nest): boolean {
  const steps = gone.strides.map((list) => list.at(-1) as number);
  const isRow = steps.every((step) => step === 0 || step === 1);
  const isColumn = inputs.every(({ steps: own }) => own.at(-1) === 4 || own.at(-1) === 0);
  const isWide = (kept.shape.at(-1) as number) >= LANES;
  return isRow && (gone.shape.at(-1) as number) >= LEAST_ROW && !(isColumn && isWide);
}

/** Results along the innermost loop: four at a time, and those that are left. */
function rowOfVectors(nest: Nest) {
  const { f, inputs, out, kept } = nest;
  const count = kept.shape.at(-1) as number;
  const advance = (results: number): void => {
    for (const { pointer, steps } of [...inputs, out]) {
      move(f, pointer, (steps.at(-1) as number) * results);
    }
  };
  const vectors = (): void => {
    const state = folded(nest, (cursor) => four(cursor, 0));
    storeFour(f, out, 0, finished(nest, state));
    advance(LANES);
  };
  const rest = (): void => {
    for (let i = 0; i < count % LANES; i++) {
      const state = folded(nest, (cursor) => one(cursor, 0));
      storeOne(f, out, 0, finished(nest, state));
      advance(1);
    }
  };
  return { turns: Math.floor(count / LANES), vectors, rest };
}

/** The row of vectors, from its start to its end. */
function wholeRow(nest: Nest): void {
  const { turns, vectors, rest } = rowOfVectors(nest);
  if (turns === 1) vectors();
  else if (turns > 1) nest.f.repeat(turns, vectors);
  rest();
}

/** The state after all elements; the pointers stay. */
function folded(nest: Nest, read: (cursor: Cursor) => Lanes): Vector {
  const { f, kernel, gone, inputs } = nest;
  const state = f.let(splatOf(kernel.fold.start));
  const count = gone.shape.reduce((product, dim) => product * dim, 1);
  if (count === 0) return state;
  const step = (shift: (input: number) => number, isFirst = false): void => {
    const element = codeOf(nest, (cursor, i) => read({ ...cursor, shift: shift(i) }));
    f.set(state, isFirst ? begun(nest, element) : stepped(nest, state, element));
  };
  if (count <= MAX_UNROLLED) {
    let isFirst = true;
    forEachPlace(gone, (places) => {
      step((i) => (places[i] as number) * 4, isFirst);
      isFirst = false;
    });
    return state;
  }
  const go = (level: number): void => {
    f.repeat(gone.shape[level] as number, () => {
      if (level === gone.shape.length - 1) step(() => 0);
      else go(level + 1);
      inputs.forEach(({ pointer }, i) => {
        move(f, pointer, distanceAfter(gone, i, level));
      });
    });
  };
  go(0);
  inputs.forEach(({ pointer }, i) => {
    const [dim, stride] = [gone.shape[0] as number, gone.strides[i]?.[0] as number];
    move(f, pointer, -4 * dim * stride);
  });
  return state;
}

/** The bytes from the end of the loop inside to the next turn of this one. */
function distanceAfter({ shape, strides }: LoopNest, input: number, level: number): number {
  const own = strides[input]?.[level] as number;
  const isInnermost = level === shape.length - 1;
  const inner = isInnermost
    ? 0
    : (shape[level + 1] as number) * (strides[input]?.[level + 1] as number);
  return 4 * (own - inner);
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

/** Results along the innermost loop, one by one: each of a row of elements. */
function rowOfFolds(nest: Nest): void {
  const { f, kept } = nest;
  const count = kept.shape.at(-1) as number;
  if (count === 1) oneOfFolds(nest);
  else f.repeat(count, () => oneOfFolds(nest));
}

/** The next result of a row of elements. */
function oneOfFolds(nest: Nest): void {
  const { f, inputs, out } = nest;
  storeOne(f, out, 0, finished(nest, acrossLanes(nest, rowState(nest))));
  for (const { pointer, steps } of [...inputs, out]) move(f, pointer, steps.at(-1) as number);
}

/** The states of a result's rows in four lanes; the pointers stay. */
function rowState(nest: Nest): Vector {
  const { f, kernel, gone, inputs } = nest;
  const last = gone.shape.length - 1;
  const length = gone.shape[last] as number;
  const start = splatOf(kernel.fold.start);
  const states = Array.from({ length: Math.min(STATES, Math.floor(length / LANES)) }, () =>
    f.let(start),
  );
  const along = inputs.map((cursor, i) => ({
    ...cursor,
    steps: [4 * (gone.strides[i]?.[last] as number)],
  }));
  const row = (): void => elementsOfRow(nest, along, states, length);
  const go = (level: number): void => {
    if (level === last) {
      row();
      return;
    }
    f.repeat(gone.shape[level] as number, () => {
      go(level + 1);
      inputs.forEach(({ pointer }, i) => {
        move(f, pointer, distanceAfter(gone, i, level));
      });
    });
  };
  if (!gone.shape.includes(0)) {
    go(0);
    inputs.forEach(({ pointer }, i) => {
      const [dim, stride] = [gone.shape[0] as number, gone.strides[i]?.[0] as number];
      move(f, pointer, -4 * dim * stride);
    });
  }
  const [first, ...others] = states as [Local<'v128'>, ...Local<'v128'>[]];
  for (const other of others) f.set(first, stepped(nest, first, other));
  return first;
}

/** Takes a row of elements into the states, and leaves the pointers at its end. */
function elementsOfRow(
  nest: Nest,
  along: ReadonlyArray<Cursor>,
  states: ReadonlyArray<Local<'v128'>>,
  length: number,
): void {
  const { f, kernel } = nest;
  const row = { ...nest, inputs: along };
  const same = new Map<Tensor, Lanes>();
  for (const cursor of along) {
    if (cursor.steps[0] !== 0) continue;
    const { kind, vector } = repeated(cursor);
    same.set(cursor.window, { kind, vector: f.let(vector) });
  }
  const advance = (elements: number): void => {
    for (const { pointer, steps } of along) move(f, pointer, (steps[0] as number) * elements);
  };
  const read = (cursor: Cursor, at: number): Lanes => same.get(cursor.window) ?? four(cursor, at);
  const turn = (count: number): void => {
    for (let s = 0; s < count; s++) {
      const state = states[s] as Local<'v128'>;
      f.set(
        state,
        stepped(
          nest,
          state,
          codeOf(row, (cursor) => read(cursor, s * LANES)),
        ),
      );
    }
    advance(count * LANES);
  };
  const perTurn = states.length * LANES;
  const turns = Math.floor(length / perTurn);
  if (turns === 1) turn(states.length);
  else f.repeat(turns, () => turn(states.length));
  const rest = length - turns * perTurn;
  if (rest >= LANES) turn(Math.floor(rest / LANES));
  const [state] = states as [Local<'v128'>];
  for (let i = 0; i < rest % LANES; i++) {
    const element = codeOf(row, (cursor) => same.get(cursor.window) ?? one(cursor, i));
    const alone = v128.bitselect(element, splatOf(kernel.fold.start), FIRST_LANE);
    f.set(state, stepped(nest, state, alone));
  }
  advance(rest % LANES);
}

const FIRST_LANE = v128.const(Int32Array.of(-1, 0, 0, 0));

/** The state of four lanes, in the first of them. */
function acrossLanes(nest: Nest, lanes: Vector): Vector {
  const { f } = nest;
  const swapped = (vector: Vector, order: ReadonlyArray<number>): Vector =>
    i8x16.shuffle(
      vector,
      vector,
      order.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)),
    );
  const halves = f.let(stepped(nest, lanes, swapped(lanes, [2, 3, 0, 1])));
  return f.let(stepped(nest, halves, swapped(halves, [1, 0, 3, 2])));
}

const stepped = ({ f, kernel }: Nest, state: Vector, element: Vector): Vector =>
  scalarCode(
    kernel.fold.step,
    [
      { kind: 'floats', vector: state },
      { kind: 'floats', vector: element },
    ],
    f,
  ).vector;

/** The state after the first element: shorter code, as far as the start is known to it. */
function begun({ f, kernel: { fold, element } }: Nest, first: Vector): Vector {
  const { expr } = apply(fold.step, 'float32', [literal(fold.start, 'float32'), element]);
  return scalarCode(expr, [{ kind: 'floats', vector: first }], f).vector;
}

function finished({ kernel }: Nest, state: Vector): Lanes {
  const { divisor } = kernel;
  const vector = divisor === undefined ? state : f32x4.div(state, splatOf(divisor));
  return { kind: 'floats', vector };
}

function codeOf(
  { f, kernel, inputs }: Nest,
  read: (cursor: Cursor, input: number) => Lanes,
): Vector {
  const lanes = (element: Element): Lanes =>
    elementCode(
      element,
      (leaf) => {
        const i = inputs.findIndex(
          (cursor) => leaf._tag === 'Load' && cursor.window === leaf.window,
        );
        const { kind, vector } = read(inputs[i] as Cursor, i);
        return { kind, vector: f.let(vector) };
      },
      f,
    );
  return lanes(kernel.element).vector;
}

/** A text that is equal for folds of the same code. */
export const foldKey = ({ element, fold, divisor, out }: FoldKernel): string =>
  `fold ${JSON.stringify([`${fold.start}`, fold.step, divisor])} ${elementKey(element)} -> ${windowKey(out)}`;
