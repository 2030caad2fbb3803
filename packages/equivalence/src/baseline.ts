/** The results of the first program of a comparison: computed once, compared many times. */
import {
  fail,
  fnv1a32,
  isLeft,
  mulberry32,
  once,
  type Random,
  type Result,
  right,
} from '@baton/base';
import { type Executor, foldValue, interpreter, tupleValue, type Value } from '@baton/executor';
import { type Func, type IRModule, inferTypes, type OpTable, postOrderExprs } from '@baton/ir';
import { type Numerics, numericsColumn } from '@baton/ops';
import { isFloat, type Tensor, toNumbers } from '@baton/tensor';
import { noEntry } from './diagnostics.ts';
import {
  CONTINUOUS_ATTEMPTS,
  continuousFill,
  GRID_ATTEMPTS,
  gridFill,
  type LeftOut,
  SPECIAL_ATTEMPTS,
  specialFill,
} from './input-distributions.ts';
import { type Fill, makeInputs } from './inputs.ts';
import { resultTensors, type Watch } from './observe.ts';
import { makeRunner, type Run, type Runner, UNWATCHED } from './run.ts';
import { type EquivalenceOptions, type NotApplied, notApplied } from './verdicts.ts';
import { widen, widenTensor } from './widen.ts';

/** Runs of the program in its own dtypes and in float64, on the same inputs. */
export interface ContinuousRuns {
  readonly native: Run;
  /** Absent if the program has no float64 version. */
  readonly wide: Run | undefined;
  readonly finiteShare: number;
}

/** A program and its results in each regime, computed on demand and cached. */
export interface Baseline {
  /** Runs this program, or another one with its signature. */
  readonly run: Runner;
  /** Runs the second program: on another executor, if one is compared. */
  readonly runSecond: Runner;
  /** A run of `run` as the interpreter has it, with which it repeats watched runs. */
  readonly undisturbed: (m: IRModule, run: Run) => Run | string;
  /** Whether an executor may add in another order than the interpreter. */
  readonly isReordered: boolean;
  readonly module: IRModule;
  readonly entry: Func;
  readonly entryName: string;
  readonly wide: () => Result<IRModule>;
  readonly grid: () => Run | NotApplied;
  readonly continuous: () => ContinuousRuns | NotApplied;
  /** Inputs with special values, except the excluded ones. */
  readonly special: (leftOut: LeftOut) => ReadonlyArray<Run> | NotApplied;
  readonly random: (purpose: string) => Random;
}

export interface BaselineOptions extends EquivalenceOptions {
  /** The executor of the second program. Default: the first program's. */
  readonly second?: Executor;
}

/**
 * The baseline of a program.
 *
 * **Errors** of `inferTypes`; `EQUIV_NO_ENTRY`.
 */
export function makeBaseline(given: IRModule, options: BaselineOptions = {}): Result<Baseline> {
  const typed = inferTypes(given);
  if (isLeft(typed)) return typed;
  const m = typed.right;
  const entryName = options.entry ?? 'main';
  const entry = m.functions.get(entryName);
  if (entry === undefined) return fail(noEntry(entryName, [...m.functions.keys()]));
  const random = (purpose: string): Random => mulberry32((options.seed ?? 0) ^ fnv1a32(purpose));
  const wide = once(() => widen(m));
  const { executor = interpreter, second, shouldStop } = options;
  const run = makeRunner({ executor, entry: entryName, shouldStop });
  const runSecond =
    second === undefined ? run : makeRunner({ executor: second, entry: entryName, shouldStop });
  const isReordered = second !== undefined || executor.isCompiled === true;
  const context: Context = { run, m, entry, random, wide, given: options.inputs };
  const specials = new Map<string, ReadonlyArray<Run> | NotApplied>();
  return right({
    run,
    runSecond,
    undisturbed: (program, given) =>
      executor.isCompiled === true ? run(program, given.inputs, UNWATCHED) : given,
    isReordered,
    module: m,
    entry,
    entryName,
    wide,
    grid: once(() => gridRun(context)),
    continuous: once(() => continuousRuns(context)),
    special: (leftOut) => {
      const key = `${leftOut.nan} ${leftOut.infinity}`;
      const known = specials.get(key) ?? specialRuns(context, leftOut);
      specials.set(key, known);
      return known;
    },
    random,
  });
}

export const widenInputs = (inputs: ReadonlyArray<Value>): ReadonlyArray<Value> =>
  mapInputs(inputs, widenTensor);

export const mapInputs = (
  inputs: ReadonlyArray<Value>,
  change: (t: Tensor) => Tensor,
): ReadonlyArray<Value> =>
  inputs.map((input) =>
    foldValue<Value>(input, {
      leaf: (leaf) => (leaf._tag === 'Tensor' ? change(leaf) : leaf),
      compound: (value, fields) => (value._tag === 'Tuple' ? tupleValue(fields) : value),
      cell: (cell) => ({ result: cell, fill: () => undefined }),
    }),
  );

/** The share of float elements that are finite; 1 if there are no floats. */
export function finiteShare(tensors: ReadonlyArray<Tensor>): number {
  let finite = 0;
  let all = 0;
  for (const t of tensors) {
    if (!isFloat(t.dtype)) continue;
    const values = toNumbers(t);
    all += values.length;
    for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i])) finite++;
  }
  return all === 0 ? 1 : finite / all;
}

interface Context {
  readonly run: Runner;
  readonly m: IRModule;
  readonly entry: Func;
  readonly random: (purpose: string) => Random;
  readonly wide: () => Result<IRModule>;
  readonly given: ReadonlyArray<Value> | undefined;
}

/** The most significant bits of results on the grid: the others leave room for reassociation. */
const ROOM_BITS: Readonly<Record<string, number>> = {
  float64: 40,
  float32: 18,
  float16: 8,
  bfloat16: 6,
};

/** Watches whether every operator's result has bits to spare, so that nothing was rounded. */
export function makeRoomWatch(): {
  readonly watch: Watch;
  /** Whether the results are exact, too: a pass may have computed them as constants. */
  readonly isExact: (results: ReadonlyArray<Tensor>) => boolean;
} {
  let exact = true;
  const watch: Watch = (_name, _attrs, result) => {
    if (exact) exact = resultTensors(result).every(hasRoom);
    return result;
  };
  return { watch, isExact: (results) => exact && results.every(hasRoom) };
}

function hasRoom(t: Tensor): boolean {
  const bits = ROOM_BITS[t.dtype];
  if (bits === undefined) return true;
  const values = toNumbers(t);
  const splitter = 2 ** (53 - bits) + 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    // Veltkamp's splitting: the upper bits must be the entire value.
    const product = value * splitter;
    if (product - (product - value) === value) continue;
    if (Math.abs(value) < 3e38 || Number.isNaN(value)) return false;
  }
  return true;
}

function gridRun(context: Context): Run | NotApplied {
  const inexact = smoothOperator(context.m);
  if (inexact !== undefined) return notApplied(`${inexact} rounds`);
  let reason = 'no inputs were found on which nothing rounds';
  for (const inputs of attempts(context, 'grid', GRID_ATTEMPTS, gridFill)) {
    if (typeof inputs === 'string') return notApplied(inputs);
    const room = makeRoomWatch();
    const found = context.run(context.m, inputs, room.watch);
    if (typeof found === 'string') reason = found;
    else if (room.isExact(found.results) && finiteShare(found.results) === 1) return found;
  }
  return notApplied(reason);
}

/** `undefined` for an operator without a class. */
export const numericsOf = (ops: OpTable, name: string): Numerics | undefined =>
  ops.read(numericsColumn, name);

function smoothOperator(m: IRModule): string | undefined {
  for (const node of postOrderExprs([...m.functions.values()])) {
    if (node._tag !== 'Op') continue;
    const numerics = numericsOf(m.ops, node.name);
    if (numerics === undefined || numerics === 'smooth') return node.name;
  }
  return undefined;
}

function continuousRuns(context: Context): ContinuousRuns | NotApplied {
  const wide = context.wide();
  let best: ContinuousRuns | undefined;
  let reason = 'no finite result was found';
  for (const inputs of attempts(context, 'continuous', CONTINUOUS_ATTEMPTS, continuousFill)) {
    if (typeof inputs === 'string') return notApplied(inputs);
    const native = context.run(context.m, inputs);
    if (typeof native === 'string') {
      reason = native;
      continue;
    }
    const share = finiteShare(native.results);
    if (share <= (best?.finiteShare ?? 0)) continue;
    const shadow = isLeft(wide) ? undefined : context.run(wide.right, widenInputs(inputs));
    if (typeof shadow === 'string') reason = shadow;
    else best = { native, wide: shadow, finiteShare: share };
    if (best?.finiteShare === 1) break;
  }
  return best ?? notApplied(reason);
}

function specialRuns(context: Context, leftOut: LeftOut): ReadonlyArray<Run> | NotApplied {
  const fill: AttemptFill = (attempt, random) => specialFill(attempt, leftOut, random);
  const runs: Run[] = [];
  let reason = 'no inputs could be made';
  for (const inputs of attempts(context, 'special', SPECIAL_ATTEMPTS, fill)) {
    if (typeof inputs === 'string') return notApplied(inputs);
    const found = context.run(context.m, inputs);
    if (typeof found === 'string') reason = found;
    else if (runs.push(found) === 2) break;
  }
  return runs.length === 0 ? notApplied(reason) : runs;
}

type AttemptFill = (attempt: number, random: Random) => Fill;

/** Inputs to try, given ones first; a text is the reason if there are none. */
function* attempts(
  context: Context,
  purpose: string,
  count: number,
  fill: AttemptFill,
): Generator<ReadonlyArray<Value> | string> {
  const random = context.random(purpose);
  for (let attempt = 0; attempt < count; attempt++) {
    const isGiven = attempt === 0 && context.given !== undefined;
    const made = isGiven
      ? right(context.given)
      : makeInputs(context.entry, random, () => fill(attempt, random));
    yield isLeft(made) ? made.left[0].message : made.right;
  }
}
