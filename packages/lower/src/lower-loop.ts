/**
 * Loops: the kernels of a turn are there once. What a turn takes from the one before has a place of its
 * own, to which it comes at the end of a turn, at once where nothing reads it after; results in parts
 * are written where they belong.
 */
import { rowMajorStrides, type Shape } from '@baton/tensor';
import { isAlike, readsOf, writesOf } from './kernel.ts';
import {
  compute,
  elementAt,
  type Lowering,
  newBuffer,
  newResult,
  placeWithin,
  shapeAt,
  stored,
} from './lowering.ts';
import { rootsOf } from './memory.ts';
import type { LoopRows, Region, RegionLoop } from './region.ts';
import { type Buffer, isRowMajor, isWhole, type Window } from './window.ts';

/** The borders of loops. `before` is called before each step, and after the last. */
export function makeLoops(
  { loops }: Region,
  users: ReadonlyArray<ReadonlyArray<number>>,
  state: Lowering,
): { readonly before: (step: number) => void } {
  const pending = [...loops];
  let open: { readonly loop: RegionLoop; readonly from: number } | undefined;
  const before = (step: number): void => {
    for (;;) {
      if (open?.loop.to === step) {
        endTurn(open.loop, open.from, state);
        open = undefined;
      }
      if (open !== undefined || pending[0]?.from !== step) return;
      open = { loop: pending.shift() as RegionLoop, from: 0 };
      beginLoop(open.loop, users, state);
      open = { ...open, from: state.kernels.length };
    }
  };
  return { before };
}

/** What runs before the first turn: what turns read is stored, and the first values are in their places. */
function beginLoop(
  { from, carried, rows }: RegionLoop,
  users: ReadonlyArray<ReadonlyArray<number>>,
  state: Lowering,
): void {
  state.values.forEach((value, at) => {
    if (value?._tag === 'Pending' && users[at]?.some((user) => user >= from)) stored(at, state);
  });
  for (const { start, param, end } of carried) {
    const place = newResult(end, state);
    compute(elementAt(start, state), place, state);
    state.values[param] = place;
    state.values[end] = place;
  }
  for (const { result, start } of rows) {
    const place = newResult(result, state);
    state.values[result] = place;
    if (start !== undefined)
      compute(elementAt(start, state), partOf(place, shapeAt(start, state)), state);
  }
}

/** The first elements of a window, in a shape. */
const partOf = (window: Window, shape: Shape): Window => ({
  ...window,
  shape,
  strides: rowMajorStrides(shape),
});

/** The last kernels of a turn. */
function endTurn({ turns, carried, rows }: RegionLoop, from: number, state: Lowering): void {
  for (const one of rows) writeRow(one, state);
  const next = carried.map(({ next: at }) => stored(at, state));
  const places = carried.map(({ end }) => state.values[end] as Window);
  const moves = next.flatMap((window, i) =>
    isItself(window, places[i] as Window) ? [] : [{ window, place: places[i] as Window }],
  );
  const late = moves.filter(
    ({ window, place }, i) =>
      !comesAtOnce(window, place, { from, others: moves.filter((_, j) => j !== i), state }),
  );
  // One value may lie in the place of another: all leave before any comes.
  const left = late.map(({ window }) => {
    const isLost = late.some(({ place }) => place.buffer === window.buffer);
    if (!isLost) return window;
    const copy = newBuffer(window.dtype, window.shape, state);
    compute({ _tag: 'Load', window }, copy, state);
    return copy;
  });
  left.forEach((window, i) => {
    compute({ _tag: 'Load', window }, (late[i] as { readonly place: Window }).place, state);
  });
  state.loops.push({ from, to: state.kernels.length, turns });
}

const isItself = (a: Window, b: Window): boolean =>
  a.buffer === b.buffer && isRowMajor(a) && a.offset === b.offset;

/** Writes the part of a turn where it belongs. */
function writeRow({ row, result, first, step }: LoopRows, state: Lowering): void {
  const place = state.values[result] as Window;
  const part = { ...partOf(place, shapeAt(row, state)), offset: first, perTurn: step };
  compute(elementAt(row, state), part, state);
}

/** The kernels of a turn, and what else comes to a place at its end. */
interface Turn {
  readonly from: number;
  readonly others: ReadonlyArray<{ readonly window: Window }>;
  readonly state: Lowering;
}

/**
 * Whether a value is made in its place for the next turn: one kernel of the turn makes it, and nothing
 * reads what is there from then on, or it does element by element.
 */
function comesAtOnce(window: Window, place: Window, { from, others, state }: Turn): boolean {
  const { buffers, kernels } = state;
  const own = buffers[window.buffer];
  if (own === undefined || own.constant !== undefined || own.within !== undefined) return false;
  if (!isWhole(window, own) || !isAlike(window, place)) return false;
  const roots = rootsOf(buffers);
  const isOn = (buffer: number, other: Window): boolean => roots[other.buffer]?.buffer === buffer;
  if (others.some((other) => isOn(place.buffer, other.window))) return false;
  const writers = kernels.flatMap((kernel, at) =>
    writesOf(kernel).some((it) => isOn(window.buffer, it)) ? [at] : [],
  );
  const [made = -1] = writers;
  if (writers.length !== 1 || made < from) return false;
  const isInStep = (it: Window): boolean =>
    isWhole(it, buffers[it.buffer] as Buffer) && isAlike(it, window);
  const isFree = kernels
    .slice(made)
    .every((kernel, i) =>
      [...readsOf(kernel), ...writesOf(kernel)].every(
        (it) => !isOn(place.buffer, it) || (i === 0 && kernel._tag === 'Map' && isInStep(it)),
      ),
    );
  if (isFree) placeWithin(window.buffer, place, 0, state);
  return isFree;
}
