/**
 * Folds in vectors. A vector of results is made at once where neighbours of the result read neighbours of
 * the argument; else the elements of one result are taken a vector at a time, and the states put together
 * at the end.
 */

import { apply, type FoldKernel, literal, windowsOf } from '@baton/lower';
import { shapeSize } from '@baton/tensor';
import { f32x4, i32x4, type Local, type ModuleBuilder, type Value, v128 } from '../emit/index.ts';
import type { Procedure } from '../kernels/function.ts';
import { shuffled } from '../kernels/lanes.ts';
import { type Cursor, one, storeOne, storeVector, vectorAt } from './cursor.ts';
import {
  type FoldNest,
  foldLoops,
  loopsOf,
  MAX_UNROLLED,
  moveResults,
  overElements,
  type ResultRow,
} from './fold-loops.ts';
import type { Lanes } from './forms.ts';
import { elementKey, overAll } from './map.ts';
import { keptLanes, moveAlong, openNest, sameAlong, turned } from './nest.ts';
import { rowOfSingles } from './single-fold.ts';
import { elementCode, FLOAT_LANES, floats, floatTypeOf, scalarCode } from './vector.ts';

type Vector = Value<'v128'>;

/** A row of fewer elements is not worth putting states together. */
const LEAST_ROW = 8;

/** States that are kept side by side, so that no step waits for the one before. */
const STATES = 4;

/** Writes a function with the parameters of a loop nest: the windows, then the result. */
export function foldFunction(module: ModuleBuilder, kernel: FoldKernel): Procedure {
  const isOpen = module.isOpen && kernel.mode === 'vectors';
  return (
    (isOpen ? openFold(module, kernel) : undefined) ??
    foldLoops(module, kernel, kernel.mode === 'vectors' ? rowOfResults : rowOfSingles)
  );
}

/** The same function for many sizes, if each result is made of one row of neighbours of 32 bits. */
function openFold(module: ModuleBuilder, kernel: FoldKernel): Procedure | undefined {
  const { element, fold, out, divisor } = kernel;
  if (kernel.of === 'float64') return undefined;
  const { kept, gone } = loopsOf(kernel);
  const length = gone.shape[0] as number;
  const steps = gone.strides.map(([step]) => step as number);
  const isRow = steps.every((step) => step === 0 || step === 1);
  const isColumn = kept.strides.slice(0, -1).every((own) => own.at(-1) === 1 || own.at(-1) === 0);
  const isWide = (kept.shape.at(-1) as number) >= FLOAT_LANES.float32.count;
  const isOneRow = gone.shape.length === 1 && length > 0 && isRow;
  if (!isOneRow || (isColumn && isWide)) return undefined;
  const text = JSON.stringify([`${fold.start}`, fold.step, fold.finds, divisor === undefined]);
  return openNest(module, [...windowsOf(element), out], kept, {
    key: `fold ${text} ${elementKey(element, ({ dtype }) => dtype)} -> ${out.dtype}`,
    steps: [...steps, 0],
    integers: divisor === undefined ? [length] : [length, bitsOf(divisor)],
    write: (given, [count, bits]) => {
      const nest = { ...given, kernel };
      const state = acrossLanes(nest, openState(nest, count as Local<'i32'>));
      const whole = bits ? f32x4.div(state, i32x4.splat(bits)) : state;
      storeOne(given.f, given.out, 0, floats(whole));
    },
  });
}

/** The bits of a float. */
const bitsOf = (value: number): number =>
  new Int32Array(new Float32Array([value]).buffer)[0] as number;

/** The states of a row of any length in the lanes of a vector. */
function openState(nest: RowNest, count: Local<'i32'>): Vector {
  const { f, kernel } = nest;
  const { count: lanes } = instructionsOf(kernel);
  const states = Array.from({ length: STATES }, () => f.let(startOf(kernel)));
  const { turn, single } = rowSteps(nest, nest.inputs, states);
  overAll(f, count, [
    [STATES * lanes, () => turn(STATES)],
    [lanes, () => turn(1)],
    [1, single],
  ]);
  return joined(nest, states);
}

const rowOfResults = (nest: FoldNest): ResultRow =>
  isAlong(nest) ? rowOfFolds(nest) : rowOfVectors(nest);

/** Whether the elements of one result are neighbours, and those of its neighbours are not. */
function isAlong({ inputs, dims, gone, out }: FoldNest): boolean {
  const steps = gone.strides.map((list) => list.at(-1) as number);
  const isRow = steps.every((step) => step === 0 || step === 1);
  const isColumn = inputs.every(
    ({ steps: own, width }) => own.at(-1) === width || own.at(-1) === 0,
  );
  const isWide = (dims.at(-1) as number) >= out.lanes;
  return isRow && (gone.shape.at(-1) as number) >= LEAST_ROW && !(isColumn && isWide);
}

/** Results along the innermost loop: a vector at a time, and those that are left. */
function rowOfVectors(nest: FoldNest): ResultRow {
  const { f, out, dims } = nest;
  const { lanes } = out;
  const count = dims.at(-1) as number;
  const turn = (): void => {
    storeVector(
      f,
      out,
      0,
      finished(
        nest,
        folded(nest, (cursor) => vectorAt(cursor, 0)),
      ),
    );
    moveResults(nest, lanes);
  };
  const rest = (): void => {
    for (let i = 0; i < count % lanes; i++) {
      storeOne(
        f,
        out,
        0,
        finished(
          nest,
          folded(nest, (cursor) => one(cursor, 0)),
        ),
      );
      moveResults(nest, 1);
    }
  };
  return { perTurn: lanes, turn, rest };
}

/** The state after all elements; the pointers stay. */
function folded(nest: FoldNest, read: (cursor: Cursor) => Lanes): Vector {
  const { f, kernel, gone } = nest;
  const state = f.let(startOf(kernel));
  const count = shapeSize(gone.shape);
  let isFirst = count <= MAX_UNROLLED;
  overElements(nest, (shifts) => {
    const element = codeOf(nest, (cursor, i) => read({ ...cursor, shift: shifts[i] as number }));
    f.set(state, isFirst ? begun(nest, element) : stepped(nest, state, element));
    isFirst = false;
  });
  return state;
}

/** Results along the innermost loop, one by one: each of a row of elements. */
const rowOfFolds = (nest: FoldNest): ResultRow => ({
  perTurn: 1,
  turn: () => {
    storeOne(nest.f, nest.out, 0, finished(nest, acrossLanes(nest, rowState(nest))));
    moveResults(nest, 1);
  },
  rest: () => {},
});

/** The states of a result's rows in the lanes of a vector; the pointers stay. */
function rowState(nest: FoldNest): Vector {
  const { f, kernel, gone, inputs } = nest;
  const last = gone.shape.length - 1;
  const length = gone.shape[last] as number;
  const start = startOf(kernel);
  const most = Math.floor(length / instructionsOf(kernel).count);
  const states = Array.from({ length: Math.min(STATES, most) }, () => f.let(start));
  const along = inputs.map((cursor, i) => ({
    ...cursor,
    steps: [cursor.width * (gone.strides[i]?.[last] as number)],
  }));
  const row = (): void => elementsOfRow(nest, along, states, length);
  overElements(nest, row, row);
  return joined(nest, states);
}

/** One state of several. */
function joined(nest: RowNest, states: ReadonlyArray<Local<'v128'>>): Vector {
  const [first, ...others] = states as [Local<'v128'>, ...Local<'v128'>[]];
  for (const other of others) nest.f.set(first, stepped(nest, first, other));
  return first;
}

/** What the code of a row needs of a nest. */
type RowNest = Pick<FoldNest, 'f' | 'kernel' | 'inputs'>;

/** The code of a number of vectors, and of a single element, along a row: each moves the pointers. */
function rowSteps(
  nest: RowNest,
  along: ReadonlyArray<Cursor>,
  states: ReadonlyArray<Local<'v128'>>,
) {
  const { f, kernel } = nest;
  const { count: lanes, first } = instructionsOf(kernel);
  const row = { ...nest, inputs: along };
  const same = sameAlong(f, along);
  const read = (cursor: Cursor, at: number): Lanes =>
    same.get(cursor.window) ?? vectorAt(cursor, at);
  const turn = (count: number): void => {
    for (let s = 0; s < count; s++) {
      const state = states[s] as Local<'v128'>;
      f.set(
        state,
        stepped(
          nest,
          state,
          codeOf(row, (cursor) => read(cursor, s * lanes)),
        ),
      );
    }
    moveAlong(f, along, count * lanes);
  };
  const [state] = states as [Local<'v128'>];
  const singleAt = (i: number): void => {
    const element = codeOf(row, (cursor) => same.get(cursor.window) ?? one(cursor, i));
    const alone = v128.bitselect(element, startOf(kernel), first);
    f.set(state, stepped(nest, state, alone));
  };
  const single = (): void => {
    singleAt(0);
    moveAlong(f, along, 1);
  };
  return { turn, single, singleAt };
}

/** Takes a row of elements into the states, and leaves the pointers at its end. */
function elementsOfRow(
  nest: FoldNest,
  along: ReadonlyArray<Cursor>,
  states: ReadonlyArray<Local<'v128'>>,
  length: number,
): void {
  const { f, kernel } = nest;
  const { count: lanes } = instructionsOf(kernel);
  const { turn, singleAt } = rowSteps(nest, along, states);
  const perTurn = states.length * lanes;
  const turns = Math.floor(length / perTurn);
  turned(f, turns, () => turn(states.length));
  const rest = length - turns * perTurn;
  if (rest >= lanes) turn(Math.floor(rest / lanes));
  for (let i = 0; i < rest % lanes; i++) singleAt(i);
  moveAlong(f, along, rest % lanes);
}

/** The instructions on the elements of a fold, and a mask of the first lane. */
const instructionsOf = ({ of }: FoldKernel) => {
  const lanes = FLOAT_LANES[floatTypeOf(of)];
  const words = Int32Array.from({ length: 4 }, (_, word) => (word < 4 / lanes.count ? -1 : 0));
  return { ...lanes, first: v128.const(words) };
};

/** The state of all lanes, in the first of them. */
function acrossLanes(nest: RowNest, lanes: Vector): Vector {
  const { f } = nest;
  const joinedBy = (vector: Vector, order: ReadonlyArray<number>): Local<'v128'> =>
    f.let(stepped(nest, vector, shuffled(vector, vector, order)));
  if (instructionsOf(nest.kernel).count === 2) return joinedBy(lanes, [1, 0]);
  return joinedBy(joinedBy(lanes, [2, 3, 0, 1]), [1, 0, 3, 2]);
}

/** The state before the first element, in all lanes. */
const startOf = (kernel: FoldKernel): Vector =>
  instructionsOf(kernel).splat(Number(kernel.fold.start));

const stepped = ({ f, kernel }: RowNest, state: Vector, element: Vector): Vector =>
  scalarCode(kernel.fold.step, [lanesIn(kernel, state), lanesIn(kernel, element)], f, kernel.of)
    .vector;

/** The state after the first element: shorter code, as far as the start is known to it. */
function begun({ f, kernel }: FoldNest, first: Vector): Vector {
  const { fold, element, of } = kernel;
  const { expr } = apply(fold.step, of, [literal(Number(fold.start), of), element]);
  return scalarCode(expr, [lanesIn(kernel, first)], f, of).vector;
}

/** A vector of elements of a fold. */
const lanesIn = ({ of }: FoldKernel, vector: Vector): Lanes => floats(vector, floatTypeOf(of));

function finished({ kernel }: FoldNest, state: Vector): Lanes {
  const { divisor } = kernel;
  const { div, splat } = instructionsOf(kernel);
  return lanesIn(kernel, divisor === undefined ? state : div(state, splat(divisor)));
}

function codeOf(
  { f, kernel, inputs }: RowNest,
  read: (cursor: Cursor, input: number) => Lanes,
): Vector {
  return elementCode(
    kernel.element,
    (leaf) => {
      const i = inputs.findIndex((cursor) => leaf._tag === 'Load' && cursor.window === leaf.window);
      return keptLanes(f, read(inputs[i] as Cursor, i));
    },
    f,
  ).vector;
}
