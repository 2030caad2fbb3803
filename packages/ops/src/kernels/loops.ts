/**
 * Loops over elements, generated from scalar expressions. Each expression has its own loop for each
 * dtype, storage and strides: V8 keeps its feedback by the text of a function, so a loop that
 * several expressions share calls each of them through memory, ten times slower than the sum of two
 * numbers.
 *
 * `new Function` compiles the loop, from a text that contains the expression. If that is forbidden,
 * as under a Content-Security-Policy, shared loops call the expression as a function.
 */
import { invariant, remember } from '@baton/base';
import type { DType, NumberData, TensorData } from '@baton/tensor';
import { compileText, composed, type ScalarText, scalarText, storedAs } from '../scalar/compile.ts';
import type { Scalar } from '../scalar/expr.ts';
import type { Apply } from '../scalar/nodes.ts';

/** Writes `length` results from `to` on; reads each operand from its start with its step. */
export type MapLoop = (
  data: ReadonlyArray<TensorData>,
  starts: ReadonlyArray<number>,
  steps: ReadonlyArray<number>,
  length: number,
  out: TensorData,
  to: number,
) => void;

/** The state after `length` elements from `at` on, with this step. */
export type FoldLoop = (
  state: number,
  data: NumberData,
  at: number,
  length: number,
  step: number,
) => number;

/** The state after the elements at these offsets from `at`. */
export type CellsLoop = (
  state: number,
  data: NumberData,
  at: number,
  cells: ArrayLike<number>,
) => number;

/**
 * The last of `length` elements from `at` on that replaces the state, for which `step` holds, or
 * -1.
 */
export type FindLoop = (
  state: number,
  data: NumberData,
  at: number,
  length: number,
  step: number,
) => number;

export interface Loops {
  readonly mapLoop: (
    expr: Scalar,
    dtype: DType,
    data: ReadonlyArray<TensorData>,
    steps: ReadonlyArray<number>,
    out: TensorData,
  ) => MapLoop;
  /** The loop that computes the next state from the state `x` and an element `y`. */
  readonly foldLoop: (expr: Scalar, dtype: DType, data: TensorData) => FoldLoop;
  /** The same over elements at any offsets. */
  readonly cellsLoop: (expr: Scalar, dtype: DType, data: TensorData) => CellsLoop;
  /** The loop in which an element `y` becomes the state `x` if the expression holds. */
  readonly findLoop: (expr: Scalar, dtype: DType, data: TensorData) => FindLoop;
  /** The function of single elements; `undefined` if a node is not defined for the dtype. */
  readonly onElements: (expr: Scalar, dtype: DType) => Apply | undefined;
}

/** Evaluates a text; `undefined` if that is forbidden. */
export type Compile = (text: string) => unknown;

/** Loops that are compiled on first use and kept with their expressions. */
export function makeLoops(compile: Compile = compileText): Loops {
  const kept = new WeakMap<Scalar, Map<string, unknown>>();
  let serial = 0;
  let isAllowed = true;
  const compiled = (text: string): unknown => {
    if (!isAllowed) return undefined;
    // Two functions with one text would share V8's feedback: the number distinguishes them.
    const made = compile(`/* ${serial++} */ return ${text}`);
    // After one refusal there is no further attempt: a browser reports each.
    isAllowed = made !== undefined;
    return made;
  };
  const madeOf = <L>(
    expr: Scalar,
    dtype: DType,
    storage: string,
    text: (of: ScalarText) => string,
    shared: (apply: Apply) => L,
  ): L | undefined => {
    const known = remember(kept, expr, () => new Map<string, unknown>());
    return remember(known, `${dtype} ${storage}`, () => {
      const stored = storedAs(expr, dtype);
      const apply = composed(stored, dtype);
      const scalar = scalarText(stored, dtype);
      return apply && scalar && (compiled(text(scalar)) ?? shared(apply));
      // The text is an `L`, and so is the compiled function.
    }) as L | undefined;
  };
  return {
    mapLoop: (expr, dtype, data, steps, out) => {
      const known = steps.map((step) => (step === 0 || step === 1 ? step : undefined));
      const storage = [...data.map(kindOf), ...known, kindOf(out)].join();
      const text = (scalar: ScalarText): string => mapText(scalar, known);
      return some(madeOf(expr, dtype, storage, text, sharedMap));
    },
    foldLoop: (expr, dtype, data) =>
      some(madeOf(expr, dtype, `fold ${kindOf(data)}`, foldText, sharedFold)),
    cellsLoop: (expr, dtype, data) =>
      some(madeOf(expr, dtype, `cells ${kindOf(data)}`, cellsText, sharedCells)),
    findLoop: (expr, dtype, data) =>
      some(madeOf(expr, dtype, `find ${kindOf(data)}`, findText, sharedFind)),
    onElements: (expr, dtype) =>
      madeOf(
        expr,
        dtype,
        '',
        ({ locals, value }) => `(x, y, z) => { ${locals} return ${value}; }`,
        (apply) => apply,
      ),
  };
}

export const { mapLoop, foldLoop, cellsLoop, findLoop, onElements }: Loops = makeLoops();

/** The function of a dtype's elements, which are numbers or bigints. */
export const elementFunction = (expr: Scalar, dtype: DType): Apply => some(onElements(expr, dtype));

function some<L>(loop: L | undefined): L {
  invariant(loop !== undefined, 'an expression has a meaning for the type of its elements');
  return loop;
}

/** Such as `Float32Array`. */
const kindOf = (array: TensorData): string => array[Symbol.toStringTag];

/** The code that reads an operand: before the loop, in each iteration, and after each iteration. */
interface OperandText {
  readonly before: string;
  readonly read: string;
  readonly move: string;
}

/** An operand with a known step needs no position of its own. */
function operandText(name: string, at: number, step: 0 | 1 | undefined): OperandText {
  const start = `const d${at} = data[${at}]; let i${at} = starts[${at}];`;
  if (step === 0) return { before: `${start} const ${name} = d${at}[i${at}];`, read: '', move: '' };
  if (step === 1) {
    return {
      before: `${start} i${at} -= to;`,
      read: `const ${name} = d${at}[i${at} + n];`,
      move: '',
    };
  }
  return {
    before: `${start} const s${at} = steps[${at}];`,
    read: `const ${name} = d${at}[i${at}];`,
    move: `i${at} += s${at};`,
  };
}

function mapText({ locals, value }: ScalarText, steps: ReadonlyArray<0 | 1 | undefined>): string {
  const operands = steps.map((step, at) => operandText('xyz'[at] ?? '', at, step));
  const each = (part: keyof OperandText): string => operands.map((text) => text[part]).join('');
  return (
    `(data, starts, steps, length, out, to) => { ${each('before')}` +
    `for (let n = to, end = to + length; n < end; n++) { ${each('read')}` +
    `${locals} out[n] = ${value}; ${each('move')} }}`
  );
}

const foldText = ({ locals, value }: ScalarText): string =>
  '(x, data, at, length, step) => {' +
  `for (let n = 0; n < length; n++) { const y = data[at]; ${locals} x = ${value}; at += step; }` +
  'return x; }';

const sharedFold =
  (apply: Apply): FoldLoop =>
  (start, data, from, length, step) => {
    let state = start;
    let at = from;
    for (let n = 0; n < length; n++) {
      state = apply(state, data[at] as number);
      at += step;
    }
    return state;
  };

const cellsText = ({ locals, value }: ScalarText): string =>
  '(x, data, at, cells) => {' +
  `for (let n = 0; n < cells.length; n++) { const y = data[at + cells[n]]; ${locals} x = ${value}; }` +
  'return x; }';

const sharedCells =
  (apply: Apply): CellsLoop =>
  (start, data, at, cells) => {
    let state = start;
    for (let n = 0; n < cells.length; n++) {
      state = apply(state, data[at + (cells[n] as number)] as number);
    }
    return state;
  };

const findText = ({ locals, value }: ScalarText): string =>
  '(x, data, at, length, step) => { let found = -1;' +
  `for (let n = 0; n < length; n++) { const y = data[at]; ${locals} if (${value}) { x = y; found = n; } at += step; }` +
  'return found; }';

const sharedFind =
  (apply: Apply): FindLoop =>
  (start, data, from, length, step) => {
    let [state, found] = [start, -1];
    for (let n = 0; n < length; n++) {
      const element = data[from + n * step] as number;
      if (!apply(state, element)) continue;
      state = element;
      found = n;
    }
    return found;
  };

// Elements are numbers or bigints by storage; the function ignores operands that do not exist.
const sharedMap =
  (apply: Apply): MapLoop =>
  (data, starts, steps, length, out, to) => {
    const [x, y = x, z = x] = data as [NumberData, NumberData?, NumberData?];
    let [i = 0, j = 0, k = 0] = starts;
    const [xStep = 0, yStep = 0, zStep = 0] = steps;
    for (let n = to; n < to + length; n++) {
      (out as NumberData)[n] = apply(x[i] as number, y[j] as number, z[k] as number);
      i += xStep;
      j += yStep;
      k += zStep;
    }
  };
