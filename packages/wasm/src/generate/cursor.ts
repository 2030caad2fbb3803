/** Pointers into windows: how four elements along a loop, or two doubles, are loaded and stored. */
import type { Window } from '@baton/lower';
import { dtypeInfo, type Shape } from '@baton/tensor';
import { type FunctionBuilder, i32, i32x4, type Local, type Value, v128 } from '../emit/index.ts';
import { everyOther, gathered, loadInteger, narrowed, widened } from '../kernels/lanes.ts';
import type { Lanes } from './forms.ts';
import { asBit, kindOf, masksOf } from './vector.ts';

/** An operand or the result in a nest: a pointer, and its steps in bytes for each loop. */
export interface Cursor {
  readonly window: Window;
  readonly pointer: Local<'i32'>;
  /** The bytes of an element. */
  readonly width: number;
  readonly steps: Shape;
  /** Elements in a vector of the nest. */
  readonly lanes: number;
  /** Bytes from the pointer to where the loops start. */
  readonly shift?: number;
}

/** The elements in a vector of a nest: two if there are doubles among its windows, else four. */
export const lanesOf = (windows: ReadonlyArray<Window>): number =>
  windows.some(({ dtype }) => dtypeInfo(dtype).bytes === 8) ? 2 : 4;

const stepOf = ({ steps }: Cursor): number => steps.at(-1) as number;

/** The address of an element from the pointer on, and a constant offset that is not negative. */
export function placeOf(cursor: Cursor, index: number): readonly [Value<'i32'>, number] {
  const distance = stepOf(cursor) * index + (cursor.shift ?? 0);
  return distance < 0 ? [i32.add(cursor.pointer, distance), 0] : [cursor.pointer, distance];
}

/** The element at the pointer in all lanes. */
export const repeated = (cursor: Cursor): Lanes => ({
  ...alone(cursor, 0, [v128.load32Splat, v128.load64Splat]),
  isSame: true,
});

/** One element, in the first lane. */
export const one = (cursor: Cursor, index: number): Lanes =>
  alone(cursor, index, [v128.load32Zero, v128.load64Zero]);

type Loading = typeof v128.load32Zero;

/** One element: a mask in all lanes, others as the load of 32 or 64 bits puts them. */
function alone(
  cursor: Cursor,
  index: number,
  [load, loadDouble]: readonly [Loading, Loading],
): Lanes {
  const kind = kindOf(cursor.window.dtype);
  const place = placeOf(cursor, index);
  if (kind === 'masks') return { kind, vector: masksOf(i32x4.splat(i32.load8U(...place))) };
  if (cursor.width === 4) return { kind, vector: load(...place) };
  if (cursor.width === 8) return { kind, vector: loadDouble(...place) };
  return { kind, vector: i32x4.splat(loadInteger(cursor.window.dtype, ...place)) };
}

/** A vector of neighbours along the innermost loop. */
export function vectorAt(cursor: Cursor, index: number): Lanes {
  if (stepOf(cursor) === 0) return repeated(cursor);
  const kind = kindOf(cursor.window.dtype);
  // Masks of doubles are made one by one.
  if (stepOf(cursor) === cursor.width && cursor.lanes * cursor.width >= 4) {
    const place = placeOf(cursor, index);
    if (cursor.width >= 4) return { kind, vector: v128.load(...place) };
    const words = cursor.width === 1 ? v128.load32Zero(...place) : v128.load64Zero(...place);
    const vector = widened(cursor.window.dtype, words);
    return { kind, vector: kind === 'masks' ? masksOf(vector) : vector };
  }
  if (stepOf(cursor) === 2 * cursor.width && cursor.width === 4) {
    return { kind, vector: inSteps(cursor, index) };
  }
  if (cursor.width === 8) {
    return { kind, vector: gathered([placeOf(cursor, index), placeOf(cursor, index + 1)], 8) };
  }
  const element = (i: number): Value<'i32'> => {
    const at = placeOf(cursor, index + i);
    return kind === 'masks' ? i32.load8U(...at) : loadInteger(cursor.window.dtype, ...at);
  };
  let vector = i32x4.splat(element(0));
  for (let i = 1; i < cursor.lanes; i++) {
    for (const word of wordsOf(cursor, i)) {
      vector = i32x4.replaceLane(vector, word, element(i));
    }
  }
  return { kind, vector: kind === 'masks' ? masksOf(vector) : vector };
}

/** Four elements with one between any two: of two vectors that share one, and end at the last. */
function inSteps(cursor: Cursor, index: number): Value<'v128'> {
  const [last, end] = placeOf(cursor, index + 2);
  const second =
    end < cursor.width
      ? v128.load(i32.sub(last, cursor.width), end)
      : v128.load(last, end - cursor.width);
  return everyOther(v128.load(...placeOf(cursor, index)), second);
}

/** Stores a vector of neighbours along the innermost loop. */
export function storeVector(f: FunctionBuilder, out: Cursor, index: number, lanes: Lanes): void {
  const [address, offset] = placeOf(out, index);
  const vector = f.let(lanes.kind === 'masks' ? asBit(lanes.vector) : lanes.vector);
  if (stepOf(out) !== out.width || out.lanes * out.width < 4) {
    for (let i = 0; i < out.lanes; i++)
      storeLane(f, out, index + i, { kind: lanes.kind, vector }, i);
  } else if (out.width >= 4) f.do(v128.store(address, vector, offset));
  else {
    const store = out.width === 1 ? v128.store32Lane : v128.store64Lane;
    f.do(store(address, narrowed(out.width, vector), 0, offset));
  }
}

/** Stores the first lane. */
export function storeOne(f: FunctionBuilder, out: Cursor, index: number, lanes: Lanes): void {
  const vector = lanes.kind === 'masks' ? asBit(lanes.vector) : lanes.vector;
  storeLane(f, out, index, { kind: lanes.kind, vector }, 0);
}

function storeLane(
  f: FunctionBuilder,
  out: Cursor,
  index: number,
  { vector }: Lanes,
  lane: number,
): void {
  const [address, offset] = placeOf(out, index);
  if (out.width === 4) f.do(v128.store32Lane(address, vector, lane, offset));
  else if (out.width === 8) f.do(v128.store64Lane(address, vector, lane, offset));
  else {
    const store = out.width === 1 ? i32.store8 : i32.store16;
    const [word] = wordsOf(out, lane) as [number];
    f.do(store(address, i32x4.extractLane(vector, word), offset));
  }
}

/** The words of 32 bits that a lane has. */
const wordsOf = ({ lanes }: Cursor, lane: number): ReadonlyArray<number> =>
  lanes === 4 ? [lane] : [2 * lane, 2 * lane + 1];
