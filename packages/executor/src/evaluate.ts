import {
  aFunction,
  aLimit,
  aText,
  atCaller,
  checkOptions,
  type Diagnostic,
  fail,
  failure,
  isLeft,
  type OptionTypes,
  type Result,
  right,
} from '@baton/base';
import {
  type Expr,
  type Func,
  freeVars,
  func,
  type IRModule,
  inferTypes,
  type Var,
  wellFormed,
  withFunctions,
} from '@baton/ir';
import { dense, isDense } from '@baton/tensor';
import * as diagnostics from './diagnostics.ts';
import { makeProgram } from './program.ts';
import type { Limits } from './run/limits.ts';
import { foldValue, someTensor } from './values/fold.ts';
import { fromHost } from './values/from-host.ts';
import type { HostValue } from './values/host-value.ts';
import { adtValue, tupleValue, type Value } from './values/value.ts';

/** Arguments by position, or by the names of parameters. */
export type Arguments = ReadonlyArray<HostValue> | Readonly<Record<string, HostValue>>;

/** Options of {@link evaluate}. */
export interface EvaluateOptions extends Limits {
  /**
   * The function to call.
   * @defaultValue `main`
   */
  readonly entry?: string;
}

const EVALUATE_TYPES: OptionTypes<EvaluateOptions> = {
  entry: aText,
  fuel: aLimit,
  shouldStop: aFunction,
  maxDepth: aLimit,
  maxBytes: aLimit,
};

/** A module that is checked and ready to run, any number of times. */
export interface Executable {
  /** The module with types. */
  readonly module: IRModule;
  /** Calls a function: as {@link evaluate}. */
  readonly run: (args?: Arguments, options?: EvaluateOptions) => Result<Value>;
}

/**
 * Runs a function of a module. The module is type-checked first, which costs nothing where its
 * types are known. Tensors in the result are dense: `data` holds just their elements, row-major.
 *
 * Evaluation is strict and goes from left to right; a shared node is evaluated once (decisions
 * [D13](https://batonjs.github.io/baton/spec/decisions#D13) and
 * [D15](https://batonjs.github.io/baton/spec/decisions#D15)). Sizes are checked where functions are
 * entered and left, as far as types state them, and where a call, a match or a read gives a value
 * that may come from a type with `?`.
 *
 * **Errors** `OPTION_*`; those of `wellFormed` and `inferTypes`; `EXEC_UNKNOWN_ENTRY`, `EXEC_ARGUMENT_COUNT`,
 * `EXEC_MISSING_ARGUMENT`, `EXEC_UNKNOWN_ARGUMENT`, `EXEC_AMBIGUOUS_PARAMETER`,
 * `EXEC_ARGUMENT_TYPE`, `EXEC_ARGUMENT_RANGE`; `EXEC_DIMENSION`, `EXEC_NO_MATCH`,
 * `EXEC_OUT_OF_FUEL`, `EXEC_STOPPED`, `EXEC_TOO_DEEP` and those of operators at run time.
 * **Source** [language §7](https://batonjs.github.io/baton/spec/language#7).
 */
export function evaluate(
  m: IRModule,
  args: Arguments = [],
  options: EvaluateOptions = {},
): Result<Value> {
  const executable = prepare(m);
  if (isLeft(executable)) return executable;
  const result = executable.right.run(args, options);
  if (!isLeft(result)) return result;
  // What is wrong with the arguments, and not with the program, is where they were given.
  return failure(atCaller(result.left, 'evaluate', evaluate)) ?? result;
}

/**
 * Checks a module once for many calls of {@link evaluate}: that it is well-formed and well-typed.
 *
 * **Errors** those of `wellFormed` and of `inferTypes`.
 */
export function prepare(m: IRModule): Result<Executable> {
  const illFormed = failure(wellFormed(m));
  if (illFormed !== undefined) return illFormed;
  const typed = inferTypes(m);
  if (isLeft(typed)) return typed;
  const program = makeProgram(typed.right);
  return right({
    module: typed.right,
    run: (args = [], options = {}) => {
      const wrong = failure(checkOptions('evaluate', options, EVALUATE_TYPES, evaluate));
      if (wrong !== undefined) return wrong;
      const name = options.entry ?? 'main';
      const entry = typed.right.functions.get(name);
      if (entry === undefined) {
        return fail(diagnostics.unknownEntry(name, [...typed.right.functions.keys()]));
      }
      const ordered = inOrder(entry, args);
      if (isLeft(ordered)) return ordered;
      const values = convert(entry, ordered.right, typed.right);
      if (isLeft(values)) return values;
      const result = program.call(name, values.right, options);
      return isLeft(result) ? result : right(denseValue(result.right));
    },
  });
}

/**
 * Runs an expression with values for its free variables, by name. Functions and types of `m` are
 * at hand.
 *
 * **Errors** as {@link evaluate}.
 */
export function evaluateExpr(
  m: IRModule,
  expr: Expr,
  bindings: Readonly<Record<string, HostValue>> = {},
  options: Limits = {},
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

const isByPosition = (args: Arguments): args is ReadonlyArray<HostValue> => Array.isArray(args);

function inOrder(entry: Func, args: Arguments): Result<ReadonlyArray<HostValue>> {
  if (isByPosition(args)) {
    return args.length === entry.params.length
      ? right(args)
      : fail(diagnostics.argumentCount(entry.params.length, args.length, entry.span));
  }
  const problems: Diagnostic[] = [];
  const names = new Set<string>();
  for (const { nameHint, span } of entry.params) {
    if (names.has(nameHint)) problems.push(diagnostics.ambiguousParameter(nameHint, span));
    else if (!Object.hasOwn(args, nameHint)) {
      problems.push(diagnostics.missingArgument(nameHint, span));
    }
    names.add(nameHint);
  }
  for (const given of Object.keys(args)) {
    if (!names.has(given)) problems.push(diagnostics.unknownArgument(given, [...names]));
  }
  return (
    failure(problems) ?? right(entry.params.map(({ nameHint }) => args[nameHint] as HostValue))
  );
}

function convert(
  entry: Func,
  args: ReadonlyArray<HostValue>,
  m: IRModule,
): Result<ReadonlyArray<Value>> {
  const values: Value[] = [];
  const problems: Diagnostic[] = [];
  entry.params.forEach((param: Var, i) => {
    const type = param.typeAnnotation;
    if (type === undefined) {
      problems.push(
        diagnostics.notCovered(`parameter %${param.nameHint} without a type`, param.span),
      );
      return;
    }
    const target = { name: param.nameHint, type, span: param.span };
    const value = fromHost(args[i] as HostValue, target, m);
    if (isLeft(value)) problems.push(...value.left);
    else values.push(value.right);
  });
  return failure(problems) ?? right(values);
}

/** The value with every tensor in it dense; cells keep their identity. */
function denseValue(value: Value): Value {
  if (!someTensor(value, (t) => !isDense(t))) return value;
  return foldValue<Value>(value, {
    leaf: (leaf) => (leaf._tag === 'Tensor' ? dense(leaf) : leaf),
    compound: (compound, fields) =>
      compound._tag === 'Tuple' ? tupleValue(fields) : adtValue(compound.ctor, fields),
    cell: (cell) => ({
      result: cell,
      fill: (content) => {
        cell.value = content;
      },
    }),
  });
}
