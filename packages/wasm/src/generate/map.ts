/**
 * Loop nests: one pass over memory that computes each element of a result. The innermost loop works
 * on four elements at once, or on one; operands that lie in steps are gathered, and those that stay the
 * same are loaded before it.
 */
import { invariant } from '@baton/base';
import { collapseLoops, dtypeInfo, type Shape, type Tensor } from '@baton/tensor';
import {
  type FunctionBuilder,
  type FunctionRef,
  i32,
  type Local,
  type ModuleBuilder,
  type Operand,
  type Part,
} from '../emit/index.ts';
import { type Share, shareOf } from '../kernels/share.ts';
import { type Element, windowsOf } from '../plan/element.ts';
import type { Mode } from '../plan/kernel.ts';
import { type Cursor, four, LANES, one, placeOf, repeated, storeFour, storeOne } from './cursor.ts';
import { type Cell, kept, loadCell, singleCode, storeCell } from './single.ts';
import { elementCode, type Lanes } from './vector.ts';

interface Nest {
  readonly f: FunctionBuilder;
  readonly element: Element;
  readonly mode: Mode;
  readonly dims: Shape;
  readonly inputs: ReadonlyArray<Cursor>;
  readonly out: Cursor;
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
  out: Tensor,
  mode: Mode,
): FunctionRef<ReadonlyArray<'i32'>, 'none'> {
  const windows = windowsOf(element);
  const all = [...windows, out];
  const { shape: dims, strides } = collapseLoops(
    out.shape,
    all.map((window) => window.strides),
  );
  const params = all.map(() => 'i32' as const);
  return module.procedure(params, (f, ...pointers) => {
    if (dims.includes(0)) return;
    const cursors = all.map((window, i): Cursor => {
      const width = dtypeInfo(window.dtype).bytes;
      const steps = (strides[i] as Shape).map((step) => step * width);
      return { window, pointer: pointers[i] as Local<'i32'>, width, steps };
    });
    const inputs = cursors.slice(0, -1);
    const nest = { f, element, mode, dims, inputs, out: cursors.at(-1) as Cursor };
    if (module.part === undefined) loops(nest, 0);
    else if (dims.length > 1) sharedLoop(nest, shareOf(f, module, dims[0] as number, 1));
    else sharedRow(nest, module, module.part);
  });
}

/** The part of the outermost loop that a thread does. */
function sharedLoop(nest: Nest, { first, end }: Share): void {
  const { f, inputs, out } = nest;
  for (const { pointer, steps } of [...inputs, out]) {
    f.increase(pointer, i32.mul(first, steps[0] as number));
  }
  f.for(first, end, 1, () => turn(nest, 0));
}

/** The loop at a level, and those inside it. Each leaves the pointers at its end. */
function loops(nest: Nest, level: number): void {
  const { f, dims } = nest;
  if (level === dims.length - 1) {
    row(nest);
    return;
  }
  f.repeat(dims[level] as number, () => turn(nest, level));
}

/** One turn of the loop at a level. */
function turn(nest: Nest, level: number): void {
  const { f, dims, inputs, out } = nest;
  loops(nest, level + 1);
  for (const { pointer, steps } of [...inputs, out]) {
    const inner = (dims[level + 1] as number) * (steps[level + 1] as number);
    const distance = (steps[level] as number) - inner;
    if (distance !== 0) f.increase(pointer, distance);
  }
}

/** The code of a row, piece by piece. Each piece leaves the pointers at its end. */
interface Row {
  /** Elements in a large step, large steps in a row, and what is left of it. */
  readonly perTurn: number;
  readonly turns: number;
  readonly step: () => void;
  readonly rest: () => void;
  readonly move: (elements: Operand<'i32'>) => void;
}

const rowOf = (nest: Nest): Row =>
  nest.mode === 'vectors' ? rowOfVectors(nest) : rowOfSingles(nest);

/** Moves the pointers by so many elements of the innermost loop. */
const moving =
  ({ f, inputs, out }: Nest) =>
  (elements: Operand<'i32'>): void => {
    for (const { pointer, steps } of [...inputs, out]) {
      const step = steps.at(-1) as number;
      if (step === 0) continue;
      f.increase(pointer, typeof elements === 'number' ? step * elements : i32.mul(elements, step));
    }
  };

function rowOfVectors(nest: Nest): Row {
  const { f, dims, inputs, out } = nest;
  const count = dims.at(-1) as number;
  const same = new Map<Tensor, Lanes>();
  for (const cursor of inputs) {
    if (cursor.steps.at(-1) !== 0) continue;
    const lanes = repeated(cursor);
    same.set(cursor.window, { kind: lanes.kind, vector: f.let(lanes.vector) });
  }
  const move = moving(nest);
  const step = (vectors: number): void => {
    for (let i = 0; i < vectors; i++) {
      storeFour(
        f,
        out,
        i * LANES,
        valueAt(nest, same, (cursor) => four(cursor, i * LANES)),
      );
    }
    move(vectors * LANES);
  };
  const whole = Math.floor(count / LANES);
  const perTurn = inputs.length > 4 ? 1 : UNROLLED;
  const tail = count % LANES;
  const rest = (): void => {
    turned(f, whole % perTurn, () => step(1));
    for (let i = 0; i < tail; i++) {
      storeOne(
        f,
        out,
        i,
        valueAt(nest, same, (cursor) => one(cursor, i)),
      );
    }
    if (tail > 0) move(tail);
  };
  const turns = Math.floor(whole / perTurn);
  return { perTurn: perTurn * LANES, turns, step: () => step(perTurn), rest, move };
}

/** Elements computed in one turn, where they are computed one at a time. */
const SINGLES = 2;

function rowOfSingles(nest: Nest): Row {
  const { f, element, dims, inputs, out } = nest;
  const count = dims.at(-1) as number;
  const read = (cursor: Cursor, index: number): Cell =>
    kept(loadCell(cursor.window.dtype, ...placeOf(cursor, index)), f);
  const same = new Map(
    inputs.flatMap((cursor) =>
      cursor.steps.at(-1) === 0 ? [[cursor.window, read(cursor, 0)] as const] : [],
    ),
  );
  const move = moving(nest);
  const step = (elements: number): void => {
    for (let i = 0; i < elements; i++) {
      const cell = singleCode(
        element,
        ({ window }) =>
          same.get(window) ?? read(inputs.find((one) => one.window === window) as Cursor, i),
        f,
      );
      const [address, offset] = placeOf(out, i);
      f.do(storeCell(out.window.dtype, address, cell, offset));
    }
    move(elements);
  };
  const turns = Math.floor(count / SINGLES);
  const rest = (): void => (count % SINGLES > 0 ? step(count % SINGLES) : undefined);
  return { perTurn: SINGLES, turns, step: () => step(SINGLES), rest, move };
}

/** Code that runs so many times. */
function turned(f: FunctionBuilder, times: number, body: () => void): void {
  if (times === 1) body();
  else if (times > 1) f.repeat(times, body);
}

/** The innermost loop. */
function row(nest: Nest): void {
  const { turns, step, rest } = rowOf(nest);
  turned(nest.f, turns, step);
  rest();
}

/** The part of the only loop that a thread does; the last thread does what is left, too. */
function sharedRow(nest: Nest, module: ModuleBuilder, { index, count }: Part): void {
  const { f } = nest;
  const { perTurn, turns, step, rest, move } = rowOf(nest);
  const { first, end } = shareOf(f, module, turns, 1);
  move(i32.mul(first, perTurn));
  f.for(first, end, 1, step);
  f.if(i32.eq(i32.add(index.value, 1), count.value), rest);
}

function valueAt(
  { f, element, inputs }: Nest,
  same: ReadonlyMap<Tensor, Lanes>,
  read: (cursor: Cursor) => Lanes,
): Lanes {
  return elementCode(
    element,
    (leaf) => {
      invariant(leaf._tag === 'Load', 'a product is stored first');
      const known = same.get(leaf.window);
      if (known !== undefined) return known;
      const lanes = read(inputs.find(({ window }) => window === leaf.window) as Cursor);
      return { kind: lanes.kind, vector: f.let(lanes.vector) };
    },
    f,
  );
}

/** A text that is equal for loop nests of the same code. */
export const mapKey = (element: Element, out: Tensor, mode: Mode): string =>
  `map ${mode} ${elementKey(element)} -> ${windowKey(out)}`;

/** A text that is equal for elements of the same code. */
export function elementKey(element: Element): string {
  const numbers = new Map<Element, number>();
  const exprs = new Map<unknown, string>();
  const windows = windowsOf(element);
  const textOf = (node: Element): string => {
    const known = numbers.get(node);
    if (known !== undefined) return `#${known}`;
    numbers.set(node, numbers.size);
    if (node._tag === 'Load') return `${windows.indexOf(node.window)}${windowKey(node.window)}`;
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
export const windowKey = ({ dtype, shape, strides }: Tensor): string =>
  `${dtype}[${shape.join()}|${strides.join()}]`;
