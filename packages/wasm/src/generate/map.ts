/**
 * Loop nests: one pass over memory that computes each element of a result. The innermost loop works
 * on four elements at once; operands that lie in steps are gathered, and those that stay the same are
 * loaded before it.
 */
import { invariant } from '@baton/base';
import { collapseLoops, dtypeInfo, type Shape, type Tensor } from '@baton/tensor';
import type { FunctionBuilder, FunctionRef, Local, ModuleBuilder } from '../emit/index.ts';
import { type Element, windowsOf } from '../plan/element.ts';
import { type Cursor, four, LANES, one, repeated, storeFour, storeOne } from './cursor.ts';
import { elementCode, type Lanes } from './vector.ts';

interface Nest {
  readonly f: FunctionBuilder;
  readonly element: Element;
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
    loops({ f, element, dims, inputs, out: cursors.at(-1) as Cursor }, 0);
  });
}

/** The loop at a level, and those inside it. Each leaves the pointers at its end. */
function loops(nest: Nest, level: number): void {
  const { f, dims, inputs, out } = nest;
  if (level === dims.length - 1) {
    row(nest);
    return;
  }
  f.repeat(dims[level] as number, () => {
    loops(nest, level + 1);
    for (const { pointer, steps } of [...inputs, out]) {
      const inner = (dims[level + 1] as number) * (steps[level + 1] as number);
      const distance = (steps[level] as number) - inner;
      if (distance !== 0) f.increase(pointer, distance);
    }
  });
}

/** The innermost loop. */
function row(nest: Nest): void {
  const { f, dims, inputs, out } = nest;
  const count = dims.at(-1) as number;
  const same = new Map<Tensor, Lanes>();
  for (const cursor of inputs) {
    if (cursor.steps.at(-1) !== 0) continue;
    const lanes = repeated(cursor);
    same.set(cursor.window, { kind: lanes.kind, vector: f.let(lanes.vector) });
  }
  const advance = (elements: number): void => {
    for (const { pointer, steps } of [...inputs, out]) {
      const distance = (steps.at(-1) as number) * elements;
      if (distance !== 0) f.increase(pointer, distance);
    }
  };
  const vectors = (turns: number, perTurn: number): void => {
    if (turns === 0) return;
    const turn = (): void => {
      for (let i = 0; i < perTurn; i++) {
        const lanes = valueAt(nest, same, (cursor) => four(cursor, i * LANES));
        storeFour(f, out, i * LANES, lanes);
      }
      advance(perTurn * LANES);
    };
    if (turns === 1) turn();
    else f.repeat(turns, turn);
  };
  const whole = Math.floor(count / LANES);
  const perTurn = inputs.length > 4 ? 1 : UNROLLED;
  vectors(Math.floor(whole / perTurn), perTurn);
  vectors(whole % perTurn, 1);
  const rest = count % LANES;
  for (let i = 0; i < rest; i++) {
    const lanes = valueAt(nest, same, (cursor) => one(cursor, i));
    storeOne(f, out, i, lanes);
  }
  if (rest > 0) advance(rest);
}

function valueAt(
  { f, element, inputs }: Nest,
  same: ReadonlyMap<Tensor, Lanes>,
  read: (cursor: Cursor) => Lanes,
): Lanes {
  return elementCode(
    element,
    (leaf) => {
      invariant(leaf._tag === 'Load', 'the product of a loop nest is stored before it');
      const known = same.get(leaf.window);
      if (known !== undefined) return known;
      const lanes = read(inputs.find(({ window }) => window === leaf.window) as Cursor);
      return { kind: lanes.kind, vector: f.let(lanes.vector) };
    },
    f,
  );
}

/** A text that is equal for loop nests of the same code. */
export const mapKey = (element: Element, out: Tensor): string =>
  `map ${elementKey(element)} -> ${windowKey(out)}`;

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
    return `(${expr} ${node.args.map(textOf).join(' ')})`;
  };
  return textOf(element);
}

/** JSON has no infinities, NaN and negative zero. */
const keepNumbers = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? (Object.is(value, -0) ? '-0' : `${value}`) : value;

/** A text that is equal for windows in which loops step alike. */
export const windowKey = ({ dtype, shape, strides }: Tensor): string =>
  `${dtype}[${shape.join()}|${strides.join()}]`;
