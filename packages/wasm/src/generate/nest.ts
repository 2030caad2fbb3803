/**
 * Loops over the elements of a result, with a pointer into each window. What computes elements takes
 * several of the innermost loop at a time.
 */
import type { Window } from '@baton/lower';
import { dtypeInfo, type LoopNest, type Shape } from '@baton/tensor';
import {
  call,
  type FunctionBuilder,
  i32,
  type Local,
  type ModuleBuilder,
  type Operand,
  type Part,
} from '../emit/index.ts';
import { type Procedure, procedureOf } from '../kernels/function.ts';
import { shareOf } from '../kernels/share.ts';
import { type Cursor, lanesOf, repeated } from './cursor.ts';
import type { Lanes } from './forms.ts';

/** The loops over a result. */
export interface Nest {
  readonly f: FunctionBuilder;
  readonly dims: Shape;
  readonly inputs: ReadonlyArray<Cursor>;
  readonly out: Cursor;
}

/** The code of a row, the innermost loop. Each piece leaves the pointers at its end. */
export interface Row {
  /** Elements in a turn. */
  readonly perTurn: number;
  readonly turn: () => void;
  /** Computes the elements that are left after whole turns. */
  readonly rest: () => void;
  /** Moves the pointers over a number of turns. */
  readonly skip: (turns: Operand<'i32'>) => void;
}

/**
 * Writes a function whose parameters are the addresses of the first elements of the windows, the result
 * last. `rowOf` begins the code of a row, where the function comes to it.
 */
export const nestFunction = (
  module: ModuleBuilder,
  windows: ReadonlyArray<Window>,
  { shape: dims, strides }: LoopNest,
  rowOf: (nest: Nest) => Row,
): Procedure =>
  procedureOf(module, windows.length, (f, ...pointers) => {
    if (dims.includes(0)) return;
    const lanes = lanesOf(windows);
    const cursors = windows.map((window, i): Cursor => {
      const width = dtypeInfo(window.dtype).bytes;
      const steps = (strides[i] as Shape).map((step) => step * width);
      return { window, pointer: pointers[i] as Local<'i32'>, width, steps, lanes };
    });
    const nest: Nest = { f, dims, inputs: cursors.slice(0, -1), out: cursors.at(-1) as Cursor };
    const begin = (): Row => rowOf(nest);
    if (module.part === undefined) loops(nest, 0, begin);
    else if (dims.length > 1) sharedLoop(nest, module, begin);
    else sharedRow(nest, module, module.part, begin());
  });

/** A row of any length: the innermost loop of a map, or the elements of one result. */
export interface OpenRow {
  /** Equal texts mean equal code. */
  readonly key: string;
  /** The steps of each window along the row, in elements. */
  readonly steps: ReadonlyArray<number>;
  /** The number of integer parameters after the pointers: its length first. */
  readonly integers: ReadonlyArray<number>;
  /** Writes the row. The nest has no sizes. */
  readonly write: (nest: Omit<Nest, 'dims'>, integers: ReadonlyArray<Local<'i32'>>) => void;
}

/**
 * The same function for many sizes: the loops around rows, which alone depend on sizes, call a function
 * that computes a row of any length.
 */
export function openNest(
  module: ModuleBuilder,
  windows: ReadonlyArray<Window>,
  { shape: dims, strides }: LoopNest,
  { key, steps, integers, write }: OpenRow,
): Procedure {
  const widths = windows.map(({ dtype }) => dtypeInfo(dtype).bytes);
  const lanes = lanesOf(windows);
  const row = module.once(`row ${key} ${steps}`, () =>
    procedureOf(module, windows.length + integers.length, (f, ...params) => {
      const cursors = windows.map((window, i): Cursor => {
        const width = widths[i] as number;
        const pointer = params[i] as Local<'i32'>;
        return { window, pointer, width, steps: [(steps[i] as number) * width], lanes };
      });
      const out = cursors.at(-1) as Cursor;
      write({ f, inputs: cursors.slice(0, -1), out }, params.slice(windows.length));
    }),
  );
  return procedureOf(module, windows.length, (f, ...pointers) => {
    if (dims.includes(0)) return;
    const distance = (i: number, level: number): number =>
      (strides[i]?.[level] as number) * (widths[i] as number);
    const around = (level: number): void => {
      if (level === dims.length) {
        f.do(call(row, ...pointers, ...integers.map((integer) => i32.const(integer))));
        return;
      }
      f.repeat(dims[level] as number, () => {
        around(level + 1);
        for (const [i, pointer] of pointers.entries()) move(f, pointer, distance(i, level));
      });
      if (level === 0) return;
      for (const [i, pointer] of pointers.entries()) {
        move(f, pointer, -(dims[level] as number) * distance(i, level));
      }
    };
    around(0);
  });
}

/** The part of the outermost loop that a thread does. */
function sharedLoop(nest: Nest, module: ModuleBuilder, begin: () => Row): void {
  const { f, dims, inputs, out } = nest;
  const { first, end } = shareOf(f, module, dims[0] as number, 1);
  for (const { pointer, steps } of [...inputs, out]) {
    f.increase(pointer, i32.mul(first, steps[0] as number));
  }
  f.for(first, end, 1, () => turnOf(nest, 0, begin));
}

/** The part of the only loop that a thread does; the last thread does what is left, too. */
function sharedRow(
  { f, dims }: Nest,
  module: ModuleBuilder,
  { index, count }: Part,
  { perTurn, turn, rest, skip }: Row,
): void {
  const { first, end } = shareOf(f, module, Math.floor((dims[0] as number) / perTurn), 1);
  skip(first);
  f.for(first, end, 1, turn);
  f.if(i32.eq(i32.add(index.value, 1), count.value), rest);
}

/** The loop at a level, and those inside it. Each leaves the pointers at its end. */
function loops(nest: Nest, level: number, begin: () => Row): void {
  const { f, dims } = nest;
  const count = dims[level] as number;
  if (level < dims.length - 1) {
    f.repeat(count, () => turnOf(nest, level, begin));
    return;
  }
  const { perTurn, turn, rest } = begin();
  turned(f, Math.floor(count / perTurn), turn);
  rest();
}

/** One turn of the loop at a level. */
function turnOf(nest: Nest, level: number, begin: () => Row): void {
  const { f, dims, inputs, out } = nest;
  loops(nest, level + 1, begin);
  for (const { pointer, steps } of [...inputs, out]) {
    const inner = (dims[level + 1] as number) * (steps[level + 1] as number);
    move(f, pointer, (steps[level] as number) - inner);
  }
}

/** Code that runs `count` times. */
export function turned(f: FunctionBuilder, times: number, body: () => void): void {
  if (times === 1) body();
  else if (times > 1) f.repeat(times, body);
}

/** Moves a pointer by a number of bytes. */
export function move(f: FunctionBuilder, pointer: Local<'i32'>, distance: number): void {
  if (distance !== 0) f.increase(pointer, distance);
}

/** Moves pointers by a number of elements of the innermost loop. */
export function moveAlong(
  f: FunctionBuilder,
  cursors: ReadonlyArray<Cursor>,
  elements: number,
): void {
  for (const { pointer, steps } of cursors) move(f, pointer, (steps.at(-1) as number) * elements);
}

/** What stays the same in the innermost loop, in all lanes. */
export const sameAlong = (
  f: FunctionBuilder,
  cursors: ReadonlyArray<Cursor>,
): ReadonlyMap<Window, Lanes> =>
  new Map(
    cursors
      .filter(({ steps }) => steps.at(-1) === 0)
      .map((cursor) => [cursor.window, keptLanes(f, repeated(cursor))]),
  );

/** Lanes in a variable. */
export const keptLanes = (f: FunctionBuilder, { kind, vector, isSame }: Lanes): Lanes => ({
  kind,
  vector: f.let(vector),
  isSame,
});
