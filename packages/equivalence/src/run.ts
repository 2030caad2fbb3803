/** Runs programs whose operators are watched. */
import {
  type Diagnostics,
  DiagnosticsError,
  isLeft,
  type Limits,
  type Result,
  remember,
  stoppedByHost,
} from '@baton/base';
import { type Executable, type Executor, interpreter, type Value } from '@baton/executor';
import { type IRModule, irModule } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import { isSimulated, resultTensors, type Watch, watched } from './observe.ts';
import { tensorsOf } from './values.ts';

export interface Run {
  readonly inputs: ReadonlyArray<Value>;
  readonly results: ReadonlyArray<Tensor>;
  /** In order of evaluation; `undefined` if the run was not watched. */
  readonly effects: ReadonlyArray<string> | undefined;
}

export type Runner = (m: IRModule, inputs: ReadonlyArray<Value>, watch?: Watch) => Run | string;

/**
 * How programs are run. A run that `shouldStop` ends throws a `DiagnosticsError`: the comparison
 * has no verdict.
 */
export interface RunnerParts extends Pick<Limits, 'shouldStop'> {
  readonly executor: Executor;
  readonly entry: string;
}

/** Watched runs are the interpreter's if the executor is compiled: no watch sees its code. */
export function makeRunner(parts: RunnerParts): Runner {
  if (parts.executor.isCompiled !== true) return makeWatchedRunner(parts);
  const plain = makeUnwatchedRunner(parts);
  const watchedRunner = makeWatchedRunner({ ...parts, executor: interpreter });
  return (m, inputs, watch) =>
    watch === undefined ? plain(m, inputs) : watchedRunner(m, inputs, watch);
}

function makeWatchedRunner(parts: RunnerParts): Runner {
  const prepared = new WeakMap<IRModule, Prepared>();
  return (m, inputs, watch = UNWATCHED) =>
    remember(prepared, m, () => prepare(parts, m))(inputs, watch);
}

function makeUnwatchedRunner({ executor, entry, shouldStop }: RunnerParts): Runner {
  const prepared = new WeakMap<IRModule, Result<Executable>>();
  return (m, inputs) => {
    if (shouldStop?.() === true) throw stopped();
    const executable = remember(prepared, m, () => executor.prepare(m, { shouldStop }));
    const value = isLeft(executable) ? executable : executable.right.run(inputs, { entry });
    return isLeft(value) ? refusal(value.left) : runOf(inputs, value.right, undefined);
  };
}

/** A watch that sees nothing and changes nothing. */
export const UNWATCHED: Watch = (_name, _attrs, result) => result;

const MAX_EVALUATIONS = 1_000_000;

type Prepared = (inputs: ReadonlyArray<Value>, watch: Watch) => Run | string;

const stopped = (): DiagnosticsError => new DiagnosticsError([stoppedByHost('the comparison')]);

function prepare({ executor, entry, shouldStop: isOver }: RunnerParts, m: IRModule): Prepared {
  let watch = UNWATCHED;
  let effects: string[] = [];
  let evaluations = 0;
  const seen = watched(m, (name, attrs, result, args) => {
    evaluations++;
    if (m.ops.get(name)?.effect === 'stateful') {
      const shapes = resultTensors(result).map((t) => `${t.dtype}(${t.shape.join()})`);
      effects.push(`${name} ${shapes.join(' ')}`);
    }
    return watch(name, attrs, result, args);
  });
  // A faulty pass may have made a recursion endless, so comparisons have a limit.
  const isEndless = (): boolean => evaluations > MAX_EVALUATIONS;
  const shouldStop = (): boolean => isEndless() || isOver?.() === true;
  const once = executor.prepare(seen, { shouldStop });
  // An executor may evaluate constants when it prepares a module, but each run must observe the
  // rounding of a constant.
  const roundsConstants = isSimulated(m);
  return (inputs, given) => {
    watch = given;
    effects = [];
    evaluations = 0;
    if (isOver?.() === true) throw stopped();
    const isAnew = roundsConstants && given !== UNWATCHED;
    const executable = isAnew ? executor.prepare(irModule({ ...seen }), { shouldStop }) : once;
    const value = isLeft(executable) ? executable : executable.right.run(inputs, { entry });
    if (isLeft(value)) {
      if (isEndless()) return `more than ${MAX_EVALUATIONS} evaluations of operators`;
      return refusal(value.left);
    }
    return runOf(inputs, value.right, effects);
  };
}

/**
 * The reason of a failure. A kernel that throws is a fault in every comparison; a run that its host
 * has stopped says nothing.
 */
function refusal(problems: Diagnostics): string {
  const isFinal = problems.some(
    ({ severity, code }) => severity === 'bug' || code === 'LIMIT_TIME',
  );
  if (isFinal) throw new DiagnosticsError(problems);
  return `${problems[0].code}: ${problems[0].message}`;
}

function runOf(inputs: ReadonlyArray<Value>, value: Value, effects: Run['effects']): Run | string {
  const results = tensorsOf(value);
  return results === undefined ? 'the result is not made of tensors' : { inputs, results, effects };
}
