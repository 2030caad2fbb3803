/**
 * Loops over elements. Each rule has a loop of its own for each combination of storage: V8 keeps
 * what it has seen by the text of a function, so a loop that several rules share calls each of them
 * through memory, ten times slower than the sum of two numbers, as soon as it has met a few.
 *
 * The loop is made with `new Function`, of a text that depends on the number of operands and on nothing
 * else. Where that is forbidden, as under a Content-Security-Policy, the shared loops do.
 */
import type { NumberData, TensorData } from '@baton/tensor';

/**
 * What becomes of one, two or three elements, numbers or bigints as the storage holds. It is given
 * no more than that: `Math.max` would take a third one into account.
 */
export type Apply = (...elements: number[]) => number;

/** Writes `length` results from `to` on; each operand is read from its start in its steps. */
export type MapLoop = (
  data: ReadonlyArray<TensorData>,
  starts: ReadonlyArray<number>,
  steps: ReadonlyArray<number>,
  length: number,
  out: TensorData,
  to: number,
) => void;

/** The state after `length` elements from `at` on, in these steps. */
export type FoldLoop = (
  state: number,
  data: NumberData,
  at: number,
  length: number,
  step: number,
) => number;

/** The loops of rules over operands, and for maps results, in such storage. */
export interface Loops {
  readonly mapLoop: (apply: Apply, data: ReadonlyArray<TensorData>, out: TensorData) => MapLoop;
  readonly foldLoop: (apply: Apply, data: NumberData) => FoldLoop;
}

/** Makes a function of a text in which `apply` is the rule; `undefined` where that is forbidden. */
export type Compile = (apply: Apply, text: string) => unknown;

/**
 * Loops that are made as they are needed, and kept with their rules. A rule runs in a shared loop the
 * first time: one that was made for a single call, and is never seen again, is not worth a text.
 */
export function makeLoops(compile: Compile = compileText): Loops {
  const loops = new WeakMap<Apply, Map<string, unknown>>();
  let serial = 0;
  let isAllowed = true;
  // The text is that of a loop of type `L`, as is what it is compiled to.
  const loopOf = <L>(apply: Apply, storage: () => string, text: () => string, shared: L): L => {
    const known = loops.get(apply);
    if (known === undefined) loops.set(apply, new Map());
    if (known === undefined || !isAllowed) return shared;
    const key = storage();
    const old = known.get(key) as L | undefined;
    if (old !== undefined) return old;
    // Two functions of one text would share what V8 has seen: the number tells them apart.
    const own = compile(apply, `/* ${serial++} */ return ${text()}`) as L | undefined;
    // What is forbidden once is not tried again: a browser reports each attempt.
    if (own === undefined) isAllowed = false;
    else known.set(key, own);
    return own ?? shared;
  };
  return {
    mapLoop: (apply, data, out) =>
      loopOf(
        apply,
        () => [...data, out].map(kindOf).join(),
        () => mapText(data.length),
        sharedMap(apply, data.length),
      ),
    foldLoop: (apply, data) =>
      loopOf(
        apply,
        () => `fold ${kindOf(data)}`,
        () => FOLD_TEXT,
        (state, from, at, length, step) => sharedFold(apply, state, from, at, length, step),
      ),
  };
}

/** The loops of this program: one for each rule that it runs, however many callers there are. */
export const { mapLoop, foldLoop }: Loops = makeLoops();

/** Such as `Float32Array`. */
const kindOf = (array: TensorData): string => array[Symbol.toStringTag];

function compileText(apply: Apply, text: string): unknown {
  try {
    return new Function('apply', text)(apply);
  } catch {
    return undefined;
  }
}

function mapText(operands: number): string {
  const places = Array.from({ length: operands }, (_, at) => at);
  const each = (text: (at: number) => string): string => places.map(text).join('');
  return (
    '(data, starts, steps, length, out, to) => {' +
    each((at) => `const x${at} = data[${at}], s${at} = steps[${at}]; let i${at} = starts[${at}];`) +
    'for (let n = to, end = to + length; n < end; n++) {' +
    `out[n] = apply(${places.map((at) => `x${at}[i${at}]`).join()});` +
    each((at) => `i${at} += s${at};`) +
    '}}'
  );
}

const FOLD_TEXT =
  '(state, data, at, length, step) => {' +
  'for (let n = 0; n < length; n++) { state = apply(state, data[at]); at += step; }' +
  'return state; }';

function sharedFold(
  apply: Apply,
  start: number,
  data: NumberData,
  from: number,
  length: number,
  step: number,
): number {
  let state = start;
  let at = from;
  for (let n = 0; n < length; n++) {
    state = apply(state, data[at] as number);
    at += step;
  }
  return state;
}

const sharedMap = (apply: Apply, operands: number): MapLoop => {
  const run = operands === 1 ? unary : operands === 2 ? binary : ternary;
  return (data, starts, steps, length, out, to) =>
    run(apply, data, starts, steps, length, out as NumberData, to);
};

type SharedMap = (
  apply: Apply,
  data: ReadonlyArray<TensorData>,
  starts: ReadonlyArray<number>,
  steps: ReadonlyArray<number>,
  length: number,
  out: NumberData,
  to: number,
) => void;

// Elements are numbers or bigints as the storage holds: the loop is the same.
const unary: SharedMap = (apply, data, starts, steps, length, out, to) => {
  const x = data[0] as NumberData;
  const step = steps[0] as number;
  let i = starts[0] as number;
  for (let n = to; n < to + length; n++) {
    out[n] = apply(x[i] as number);
    i += step;
  }
};

const binary: SharedMap = (apply, data, starts, steps, length, out, to) => {
  const [x, y] = data as [NumberData, NumberData];
  const [xStep, yStep] = steps as [number, number];
  let [i, j] = starts as [number, number];
  for (let n = to; n < to + length; n++) {
    out[n] = apply(x[i] as number, y[j] as number);
    i += xStep;
    j += yStep;
  }
};

const ternary: SharedMap = (apply, data, starts, steps, length, out, to) => {
  const [x, y, z] = data as [NumberData, NumberData, NumberData];
  const [xStep, yStep, zStep] = steps as [number, number, number];
  let [i, j, k] = starts as [number, number, number];
  for (let n = to; n < to + length; n++) {
    out[n] = apply(x[i] as number, y[j] as number, z[k] as number);
    i += xStep;
    j += yStep;
    k += zStep;
  }
};
