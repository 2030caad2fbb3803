/**
 * Loop nests: one pass over memory that computes each element of a result. The innermost loop works
 * on a vector of elements at once, or on one; operands that lie in steps are gathered, and those that stay the
 * same are loaded before it.
 */

import { invariant } from '@baton/base';
import { type Element, type Mode, type Window, windowsOf } from '@baton/lower';
import { collapseLoops, type LoopNest } from '@baton/tensor';
import { type FunctionBuilder, i32, type Local, type ModuleBuilder } from '../emit/index.ts';
import type { Procedure } from '../kernels/function.ts';
import { type Cursor, one, placeOf, storeOne, storeVector, vectorAt } from './cursor.ts';
import type { Lanes } from './forms.ts';
import {
  keptLanes,
  moveAlong,
  type Nest,
  nestFunction,
  openNest,
  type Row,
  sameAlong,
  turned,
} from './nest.ts';
import { type Cell, kept, loadCell, movedAs, singleCode, storeCell } from './single.ts';
import { elementCode } from './vector.ts';

/** The loops that compute an element. */
interface MapNest extends Nest {
  readonly element: Element;
}

/** Vectors computed in one turn of the innermost loop. */
const UNROLLED = 4;

/**
 * Writes a function that computes the elements of `out`. Its parameters are the addresses of the
 * first elements of the windows, in the order of {@link windowsOf}, then the address of the first
 * element of the result.
 */
export function mapFunction(
  module: ModuleBuilder,
  element: Element,
  out: Window,
  mode: Mode,
): Procedure {
  const all = [...windowsOf(element), out];
  const loops = collapseLoops(
    out.shape,
    all.map((window) => window.strides),
  );
  // A row without elements would still load what stays the same along it.
  if (module.isOpen && !loops.shape.includes(0)) {
    return openMap(module, all, loops, element, mode);
  }
  const rowOf = mode === 'vectors' ? rowOfVectors : rowOfSingles;
  return nestFunction(module, all, loops, (nest) => rowOf({ ...nest, element }));
}

/** The same function for many sizes. */
function openMap(
  module: ModuleBuilder,
  windows: ReadonlyArray<Window>,
  { shape, strides }: LoopNest,
  element: Element,
  mode: Mode,
): Procedure {
  const out = windows.at(-1) as Window;
  const around = { shape: shape.slice(0, -1), strides: strides.map((own) => own.slice(0, -1)) };
  const key = `${mode} ${elementKey(element, ({ dtype }) => dtype)} -> ${out.dtype}`;
  return openNest(module, windows, around, {
    key,
    steps: strides.map((own) => own.at(-1) as number),
    integers: [shape.at(-1) as number],
    write: (nest, [count]) => {
      const pieces = mode === 'vectors' ? piecesOfVectors : piecesOfSingles;
      overAll(nest.f, count as Local<'i32'>, pieces({ ...nest, element }));
    },
  });
}

/** Code for each power of two of elements, the largest first. */
type Pieces = ReadonlyArray<readonly [elements: number, write: () => void]>;

/** Goes through any number of elements in the largest pieces that fit. */
export function overAll(f: FunctionBuilder, count: Local<'i32'>, pieces: Pieces): void {
  const left = f.let(count);
  for (const [elements, write] of pieces) {
    const turns = f.let(i32.shrU(left, Math.log2(elements)));
    f.for(0, turns, 1, write);
    f.set(left, i32.and(left, elements - 1));
  }
}

/** Moves the pointers over turns of `count` elements. */
const skipping =
  ({ f, inputs, out }: Nest, perTurn: number): Row['skip'] =>
  (turns) => {
    const elements = i32.mul(turns, perTurn);
    for (const { pointer, steps } of [...inputs, out]) {
      const step = steps.at(-1) as number;
      if (step !== 0) f.increase(pointer, i32.mul(elements, step));
    }
  };

/** The code of a number of vectors, and of single elements, along a row. */
function vectorSteps(nest: Omit<MapNest, 'dims'>) {
  const { f, inputs, out } = nest;
  const same = sameAlong(f, inputs);
  const { lanes } = out;
  const move = (elements: number): void => moveAlong(f, [...inputs, out], elements);
  const step = (vectors: number): void => {
    for (let i = 0; i < vectors; i++) {
      storeVector(
        f,
        out,
        i * lanes,
        valueAt(nest, same, (cursor) => vectorAt(cursor, i * lanes)),
      );
    }
    move(vectors * lanes);
  };
  const singles = (elements: number): void => {
    for (let i = 0; i < elements; i++) {
      storeOne(
        f,
        out,
        i,
        valueAt(nest, same, (cursor) => one(cursor, i)),
      );
    }
    move(elements);
  };
  return { step, singles, lanes, vectors: inputs.length > 4 ? 1 : UNROLLED };
}

function piecesOfVectors(nest: Omit<MapNest, 'dims'>): Pieces {
  const { step, singles, lanes, vectors } = vectorSteps(nest);
  const whole = vectors > 1 ? [[vectors * lanes, () => step(vectors)] as const] : [];
  return [...whole, [lanes, () => step(1)], [1, () => singles(1)]];
}

function rowOfVectors(nest: MapNest): Row {
  const { f, dims } = nest;
  const count = dims.at(-1) as number;
  const { step, singles, lanes, vectors } = vectorSteps(nest);
  const rest = (): void => {
    turned(f, Math.floor(count / lanes) % vectors, () => step(1));
    singles(count % lanes);
  };
  const perTurn = vectors * lanes;
  return { perTurn, turn: () => step(vectors), rest, skip: skipping(nest, perTurn) };
}

/** Elements computed in one turn, where they are computed one at a time. */
const SINGLES = 2;

const piecesOfSingles = (nest: Omit<MapNest, 'dims'>): Pieces => {
  const step = singleSteps(nest);
  return [
    [SINGLES, () => step(SINGLES)],
    [1, () => step(1)],
  ];
};

/** The code of a number of elements along a row. */
function singleSteps({ f, element, inputs, out }: Omit<MapNest, 'dims'>) {
  // What is only moved keeps its bits.
  const typeOf = ({ window: { dtype } }: Cursor) =>
    element._tag === 'Load' ? movedAs(dtype) : dtype;
  const read = (cursor: Cursor, index: number): Cell =>
    kept(loadCell(typeOf(cursor), ...placeOf(cursor, index), f), f);
  const same = new Map(
    inputs.flatMap((cursor) =>
      cursor.steps.at(-1) === 0 ? [[cursor.window, read(cursor, 0)] as const] : [],
    ),
  );
  return (elements: number): void => {
    for (let i = 0; i < elements; i++) {
      const cell = singleCode(
        element,
        ({ window }) =>
          same.get(window) ?? read(inputs.find((one) => one.window === window) as Cursor, i),
        f,
      );
      const [address, offset] = placeOf(out, i);
      f.do(storeCell(typeOf(out), address, cell, offset, f));
    }
    moveAlong(f, [...inputs, out], elements);
  };
}

function rowOfSingles(nest: MapNest): Row {
  const count = nest.dims.at(-1) as number;
  const step = singleSteps(nest);
  return {
    perTurn: SINGLES,
    turn: () => step(SINGLES),
    rest: () => step(count % SINGLES),
    skip: skipping(nest, SINGLES),
  };
}

function valueAt(
  { f, element, inputs }: Omit<MapNest, 'dims'>,
  same: ReadonlyMap<Window, Lanes>,
  read: (cursor: Cursor) => Lanes,
): Lanes {
  return elementCode(
    element,
    (leaf) => {
      invariant(leaf._tag === 'Load', 'a product is stored');
      const known = same.get(leaf.window);
      if (known !== undefined) return known;
      return keptLanes(f, read(inputs.find(({ window }) => window === leaf.window) as Cursor));
    },
    f,
  );
}

/** A text that is equal for loop nests of the same code. */
export const mapKey = (element: Element, out: Window, mode: Mode): string =>
  `map ${mode} ${elementKey(element)} -> ${windowKey(out)}`;

/** A text that is equal for elements of the same code. */
export function elementKey(element: Element, keyOf = windowKey): string {
  const numbers = new Map<Element, number>();
  const exprs = new Map<unknown, string>();
  const windows = windowsOf(element);
  const textOf = (node: Element): string => {
    const known = numbers.get(node);
    if (known !== undefined) return `#${known}`;
    numbers.set(node, numbers.size);
    if (node._tag === 'Load') return `${windows.indexOf(node.window)}${keyOf(node.window)}`;
    if (node._tag === 'Literal') return `${Object.is(node.value, -0) ? '-0' : node.value}`;
    if (node._tag === 'Product') return 'sum';
    const expr = exprs.get(node.expr) ?? JSON.stringify(node.expr, keepNumbers);
    exprs.set(node.expr, expr);
    return `(${node.of} ${expr} ${node.dtype} ${node.args.map(textOf).join(' ')})`;
  };
  return textOf(element);
}

/** JSON has no infinities, NaN and negative zero. */
const keepNumbers = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? (Object.is(value, -0) ? '-0' : `${value}`) : value;

/** A text that is equal for windows in which loops step alike. */
export const windowKey = ({ dtype, shape, strides }: Window): string =>
  `${dtype}[${shape.join()}|${strides.join()}]`;
