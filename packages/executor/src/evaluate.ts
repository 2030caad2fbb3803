/** Running programs: the functions that users call. */
import {
  atCaller,
  checkOptions,
  failure,
  isLeft,
  type OptionTypes,
  type Result,
} from '@baton/base';
import { type Expr, freeVars, func, type IRModule, withFunctions } from '@baton/ir';
import {
  type Arguments,
  anExecutor,
  type Executable,
  type Executor,
  RUN_TYPES,
  type RunOptions,
} from './executor.ts';
import { interpreter } from './interpreter.ts';
import type { RunLimits } from './limits.ts';
import type { HostValue } from './values/host-value.ts';
import type { Value } from './values/value.ts';

export interface EvaluateOptions extends RunOptions {
  /**
   * The executor of the program.
   * @defaultValue `interpreter`
   */
  readonly executor?: Executor;
}

const EVALUATE_TYPES: OptionTypes<EvaluateOptions> = { ...RUN_TYPES, executor: anExecutor };

/**
 * Runs a function of a module. The module is type-checked first, which costs nothing if its types
 * are known. Tensors in the result are dense: `data` holds just their elements, row-major.
 *
 * Evaluation is strict and goes from left to right; a shared node is evaluated once (decisions
 * [D13](https://batonjs.github.io/baton/spec/decisions#D13) and
 * [D15](https://batonjs.github.io/baton/spec/decisions#D15)). Sizes are checked where functions are
 * entered and left, as far as types state them, and where a call, a match or a read gives a value
 * that may come from a type with `?`.
 *
 * **Errors** `OPTION_*`; errors of `wellFormed` and `inferTypes`; `EXEC_UNKNOWN_ENTRY`,
 * `EXEC_ARGUMENT_COUNT`, `EXEC_MISSING_ARGUMENT`, `EXEC_UNKNOWN_ARGUMENT`,
 * `EXEC_AMBIGUOUS_PARAMETER`, `EXEC_ARGUMENT_TYPE`, `EXEC_ARGUMENT_RANGE`, `EXEC_FOREIGN_FUNCTION`;
 * `EXEC_DIMENSION`, `EXEC_NO_MATCH`, `EXEC_OUT_OF_FUEL`, `EXEC_STOPPED`, `LIMIT_TIME`, `EXEC_TOO_DEEP` and errors
 * of operators at run time.
 * **Source** [language §7](https://batonjs.github.io/baton/spec/language#7).
 */
export function evaluate(
  m: IRModule,
  args: Arguments = [],
  options: EvaluateOptions = {},
): Result<Value> {
  const wrong = failure(checkOptions('evaluate', options, EVALUATE_TYPES, evaluate));
  if (wrong !== undefined) return wrong;
  const { executor = interpreter, ...runOptions } = options;
  const executable = executor.prepare(m, runOptions);
  if (isLeft(executable)) return executable;
  const result = executable.right.run(args, runOptions);
  executable.right.dispose();
  if (!isLeft(result)) return result;
  // A mistake in the arguments, unlike one in the program, has the place of the call.
  return failure(atCaller(result.left, 'evaluate', evaluate)) ?? result;
}

/** The options of {@link prepare}: an executor, and limits of each run. */
export type PrepareOptions = Omit<EvaluateOptions, 'entry'>;

/**
 * Checks a module once for many runs, on an executor.
 *
 * **Errors** `OPTION_*`; errors of `wellFormed` and `inferTypes`.
 */
export function prepare(m: IRModule, options: PrepareOptions = {}): Result<Executable> {
  const { entry: _, ...types } = EVALUATE_TYPES;
  const wrong = failure(checkOptions('prepare', options, types, prepare));
  if (wrong !== undefined) return wrong;
  const { executor = interpreter, ...limits } = options;
  return executor.prepare(m, limits);
}

/**
 * Runs an expression with values for its free variables, by name. The expression may use functions
 * and types of `m`.
 *
 * **Errors** as {@link evaluate}.
 */
export function evaluateExpr(
  m: IRModule,
  expr: Expr,
  bindings: Readonly<Record<string, HostValue>> = {},
  options: RunLimits = {},
): Result<Value> {
  const name = unusedName(m);
  const entry = func(freeVars(expr), expr);
  const functions = new Map([...m.functions, [name, entry]]);
  return evaluate(withFunctions(m, functions), bindings, { ...options, entry: name });
}

function unusedName(m: IRModule): string {
  let name = 'main';
  for (let i = 1; m.functions.has(name); i++) name = `main${i}`;
  return name;
}
