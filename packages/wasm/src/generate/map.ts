/**
 * Loop nests: one pass over memory that computes each element of a result. The innermost loop works
 * on four elements at once; operands that lie in steps are gathered, and those that stay the same are
 * loaded before it.
 */
import { collapseLoops, dtypeInfo, type Shape, type Tensor } from '@baton/tensor';
import {
  type FunctionBuilder,
  type FunctionRef,
  i8x16,
  i16x8,
  i32,
  i32x4,
  type Local,
  type ModuleBuilder,
  type Value,
  v128,
} from '../emit/index.ts';
import { type Element, windowsOf } from '../plan/element.ts';
import { asBit, elementCode, kindOf, type Lanes, masksOf } from './vector.ts';

/** An operand or the result in a nest: a pointer, and its steps in bytes for each loop. */
interface Cursor {
  readonly window: Tensor;
  readonly pointer: Local<'i32'>;
  readonly width: number;
  readonly steps: ReadonlyArray<number>;
}

interface Nest {
  readonly f: FunctionBuilder;
  readonly element: Element;
  readonly dims: Shape;
  readonly inputs: ReadonlyArray<Cursor>;
  readonly out: Cursor;
}

/** Vectors computed in one turn of the innermost loop. */
const UNROLLED = 4;
const LANES = 4;

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
        storeFour(nest, i * LANES, lanes);
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
    storeOne(nest, i, lanes);
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
    ({ window }) => {
      const known = same.get(window);
      if (known !== undefined) return known;
      const lanes = read(inputs.find((cursor) => cursor.window === window) as Cursor);
      return { kind: lanes.kind, vector: f.let(lanes.vector) };
    },
    f,
  );
}

const stepOf = ({ steps }: Cursor): number => steps.at(-1) as number;

/** The address of an element from the pointer on, and a constant offset that is not negative. */
const placeOf = (cursor: Cursor, index: number): readonly [Value<'i32'>, number] => {
  const distance = stepOf(cursor) * index;
  return distance < 0 ? [i32.add(cursor.pointer, distance), 0] : [cursor.pointer, distance];
};

/** An element in all lanes. */
function repeated(cursor: Cursor): Lanes {
  const kind = kindOf(cursor.window.dtype);
  if (kind === 'masks') return { kind, vector: masksOf(i32x4.splat(i32.load8U(cursor.pointer))) };
  return { kind, vector: v128.load32Splat(cursor.pointer) };
}

/** One element, in the first lane. */
function one(cursor: Cursor, index: number): Lanes {
  const kind = kindOf(cursor.window.dtype);
  const [address, offset] = placeOf(cursor, index);
  if (kind === 'masks') return { kind, vector: masksOf(i32x4.splat(i32.load8U(address, offset))) };
  return { kind, vector: v128.load32Zero(address, offset) };
}

/** Four neighbours along the loop. */
function four(cursor: Cursor, index: number): Lanes {
  const kind = kindOf(cursor.window.dtype);
  const [address, offset] = placeOf(cursor, index);
  if (stepOf(cursor) === cursor.width) {
    if (kind !== 'masks') return { kind, vector: v128.load(address, offset) };
    const bytes = v128.load32Zero(address, offset);
    const words = i32x4.extendLowI16x8U(i16x8.extendLowI8x16U(bytes));
    return { kind, vector: masksOf(words) };
  }
  const element = (i: number): Value<'i32'> => {
    const [at, distance] = placeOf(cursor, index + i);
    return kind === 'masks' ? i32.load8U(at, distance) : i32.load(at, distance);
  };
  let vector = i32x4.splat(element(0));
  for (let i = 1; i < LANES; i++) vector = i32x4.replaceLane(vector, i, element(i));
  return { kind, vector: kind === 'masks' ? masksOf(vector) : vector };
}

function storeFour({ f, out }: Nest, index: number, lanes: Lanes): void {
  const [address, offset] = placeOf(out, index);
  const vector = lanes.kind === 'masks' ? f.let(asBit(lanes.vector)) : lanes.vector;
  if (stepOf(out) !== out.width) {
    for (let i = 0; i < LANES; i++) storeLane({ f, out }, index + i, lanes.kind, vector, i);
  } else if (lanes.kind === 'masks') {
    const bytes = i8x16.shuffle(vector, vector, [0, 4, 8, 12, ...new Array<number>(12).fill(0)]);
    f.do(v128.store32Lane(address, bytes, 0, offset));
  } else f.do(v128.store(address, vector, offset));
}

function storeOne({ f, out }: Nest, index: number, { kind, vector }: Lanes): void {
  storeLane({ f, out }, index, kind, kind === 'masks' ? asBit(vector) : vector, 0);
}

function storeLane(
  { f, out }: Pick<Nest, 'f' | 'out'>,
  index: number,
  kind: Lanes['kind'],
  vector: Value<'v128'>,
  lane: number,
): void {
  const [address, offset] = placeOf(out, index);
  if (kind === 'masks') f.do(i32.store8(address, i32x4.extractLane(vector, lane), offset));
  else f.do(v128.store32Lane(address, vector, lane, offset));
}

/** A text that is equal for kernels of the same code. */
export function mapKey(element: Element, out: Tensor): string {
  const numbers = new Map<Element, number>();
  const exprs = new Map<unknown, string>();
  const windows = windowsOf(element);
  const textOf = (node: Element): string => {
    const known = numbers.get(node);
    if (known !== undefined) return `#${known}`;
    numbers.set(node, numbers.size);
    if (node._tag === 'Load') return `${windows.indexOf(node.window)}${windowKey(node.window)}`;
    if (node._tag === 'Literal') return `${Object.is(node.value, -0) ? '-0' : node.value}`;
    const expr = exprs.get(node.expr) ?? JSON.stringify(node.expr, keepNumbers);
    exprs.set(node.expr, expr);
    return `(${expr} ${node.args.map(textOf).join(' ')})`;
  };
  return `map ${textOf(element)} -> ${windowKey(out)}`;
}

/** JSON has no infinities, NaN and negative zero. */
const keepNumbers = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? (Object.is(value, -0) ? '-0' : `${value}`) : value;

const windowKey = ({ dtype, shape, strides }: Tensor): string =>
  `${dtype}[${shape.join()}|${strides.join()}]`;
