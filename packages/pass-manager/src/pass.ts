/** Passes, and constructors of passes from functions and from other passes. */
import {
  type AnyFunction,
  aBoolean,
  aFunction,
  aText,
  atCaller,
  type Budget,
  checkOptions,
  type Diagnostic,
  fail,
  failure,
  isLeft,
  listOf,
  type OptionType,
  type OptionTypes,
  oneOfThese,
  type Result,
  right,
  someOf,
  wholeNumber,
} from '@baton/base';
import { type Func, type IRModule, type OpTable, withFunctions } from '@baton/ir';
import { type PassContext, type PassContextParts, passEnabled } from './context.ts';
import { notAPass, passReturned } from './diagnostics.ts';
import { FAST_MATH, type FastMath } from './fast-math.ts';
import type { PassInfo } from './instrument.ts';
import { PASS_SUBJECTS, type PassSubject } from './subject.ts';

/** A counter that is named after an operator. */
export type OperatorCounter = string & { readonly OperatorCounter: true };

export const operatorCounter = (name: string): OperatorCounter => name as OperatorCounter;

/** Adds 1, or `by`, to a counter of the pass. */
export type Count<Counter extends string = string> = (counter: Counter, by?: number) => void;

/** Does some work, and adds its time to a counter. */
export type Timed<Counter extends string = string> = <A>(counter: Counter, work: () => A) => A;

/** The context of a running pass, with the driver, which runs other passes. */
export interface RunningContext<Counter extends string = string> extends PassContext {
  /** The remaining limits of the run. */
  readonly budget: Budget;
  /** Adds to a counter or a remark in the report; it must be declared. */
  readonly count: Count<Counter>;
  /** Adds the time of work, by the clock of the context, to a counter in the report. */
  readonly timed: Timed<Counter>;
  /** Runs a pass within the running one: with instruments, checks, and a line in the report. */
  readonly apply: (pass: Pass, m: IRModule) => Result<IRModule>;
  /** Records in the report that the pipeline left a pass out. */
  readonly skip: (pass: Pass, m: IRModule) => void;
}

/** A transformation of modules, which returns the same object if it changes nothing. */
export interface Pass extends PassInfo {
  readonly _tag: 'Pass';
  /** The passes to run before this one, each time. */
  readonly requires: ReadonlyArray<Pass>;
  /** The passes that it runs itself, as a pipeline does: contexts may name them. */
  readonly passes: ReadonlyArray<Pass>;
  /** The cases that it counts, as LLVM's statistics; a pipeline has none. */
  readonly counters: ReadonlyArray<string>;
  /** Its counters for the operators of the table that a run uses. */
  readonly operatorCounters: (ops: OpTable) => ReadonlyArray<string>;
  /** Counts why a case did not apply, or why the pass stopped, as LLVM's missed-optimization remarks. */
  readonly remarks: ReadonlyArray<string>;
  /** @deprecated `counters` */
  readonly rows: ReadonlyArray<string>;
  /** @deprecated `operatorCounters` */
  readonly operatorRows: (ops: OpTable) => ReadonlyArray<string>;
  /** @deprecated `remarks` */
  readonly notes: ReadonlyArray<string>;
  /** The freedoms with rounding and special values, of a pipeline those of all its parts. */
  readonly needs: ReadonlyArray<FastMath>;
  /** Whether a second run on the result changes nothing. */
  readonly isIdempotent: boolean;
  /** The kind of programs that it is about, from which tests draw. */
  readonly subject: PassSubject;
  /** The parts of {@link withContext}: only the inner pass is run and reported. */
  readonly wraps?: { readonly pass: Pass; readonly parts: PassContextParts };
  /** Called by the driver: use `runPass`. */
  readonly run: (m: IRModule, context: RunningContext) => Result<IRModule>;
}

interface PassPartsBase<Counter extends string> {
  readonly name: string;
  /** One sentence. */
  readonly doc: string;
  /** The lowest optimization level at which a pipeline runs the pass. */
  readonly level: number;
  readonly requires?: ReadonlyArray<Pass>;
  /** The passes that it runs itself, by `context.apply`: contexts may name them. */
  readonly passes?: ReadonlyArray<Pass>;
  /** The cases that `context.count` counts, by short stable names. */
  readonly counters?: ReadonlyArray<Counter>;
  /** Further counters, one for each operator of the table in use that the pass is about. */
  readonly operatorCounters?: (ops: OpTable) => ReadonlyArray<OperatorCounter>;
  /** Counts why a case did not apply, or why the pass stopped. */
  readonly remarks?: ReadonlyArray<Counter>;
  /** @deprecated `counters` */
  readonly rows?: ReadonlyArray<Counter>;
  /** @deprecated `operatorCounters` */
  readonly operatorRows?: (ops: OpTable) => ReadonlyArray<OperatorCounter>;
  /** @deprecated `remarks` */
  readonly notes?: ReadonlyArray<Counter>;
  /** The freedoms with rounding and special values. Default: none, results keep every bit. */
  readonly needs?: ReadonlyArray<FastMath>;
  /** Whether a second run on the result changes nothing. Default: no promise. */
  readonly isIdempotent?: boolean;
  /** The kind of programs that it is about, from which tests draw. Default: `structure`. */
  readonly subject?: PassSubject;
}

export interface PassParts<Counter extends string = string> extends PassPartsBase<Counter> {
  readonly run: (
    m: IRModule,
    context: RunningContext<Counter | OperatorCounter>,
  ) => Result<IRModule>;
}

export interface FunctionPassParts<Counter extends string = string> extends PassPartsBase<Counter> {
  /** Transforms one function; returns it unchanged if nothing changes. `m` is the pass's input. */
  readonly run: (
    f: Func,
    m: IRModule,
    context: RunningContext<Counter | OperatorCounter>,
  ) => Result<Func>;
}

/**
 * A pass over a whole module.
 *
 * **Errors** of the pass, when it is run: `OPTION_*` and `PASS_NOT_A_PASS` if the parts are wrong.
 */
export const pass = <const Counter extends string = never>(parts: PassParts<Counter>): Pass =>
  checkedPass(parts, false, partProblems('pass', parts, pass));

/**
 * A pass over each function of a module, except those with `SkipOptimization=1`, a `Compiler`
 * attribute, or `Extern`. The diagnostics of all functions are gathered.
 */
export const functionPass = <const Counter extends string = never>(
  parts: FunctionPassParts<Counter>,
): Pass =>
  checkedPass<Counter>(
    { ...parts, run: (m, context) => runOnAll(m, parts, context) },
    false,
    partProblems('functionPass', parts, functionPass),
  );

const partProblems = (
  owner: string,
  parts: object,
  callee: AnyFunction,
): ReadonlyArray<Diagnostic> =>
  checkOptions<PassParts>(owner, parts, PASS_TYPES, callee, ['name', 'level', 'run']);

function runOnAll<Counter extends string>(
  m: IRModule,
  parts: FunctionPassParts<Counter>,
  context: RunningContext<Counter | OperatorCounter>,
): Result<IRModule> {
  const functions = new Map<string, Func>();
  let failed: Extract<Result<Func>, { _tag: 'Left' }> | undefined;
  for (const [name, f] of m.functions) {
    const next = isSkipped(f) ? right(f) : runOn(f, m, parts, context);
    if (isLeft(next)) {
      failed = failed === undefined ? next : { ...next, left: [...failed.left, ...next.left] };
    } else functions.set(name, next.right);
  }
  return failed ?? right(withFunctions(m, functions));
}

function runOn<Counter extends string>(
  f: Func,
  m: IRModule,
  parts: FunctionPassParts<Counter>,
  context: RunningContext<Counter | OperatorCounter>,
): Result<Func> {
  const next = parts.run(f, m, context);
  // A pass written in JavaScript may return anything, or nothing.
  const isFunction = next?._tag === 'Left' || next?.right?._tag === 'Function';
  return isFunction ? next : fail(passReturned(parts.name, 'function', next));
}

/** Whether function passes skip the function. */
export const isSkipped = (f: Func): boolean =>
  isSet(f.attrs.SkipOptimization) || f.attrs.Compiler !== undefined || isSet(f.attrs.Extern);

/** The name of a pipeline in reports. */
export interface SequentialOptions {
  readonly name?: string;
  readonly doc?: string;
  readonly level?: number;
  readonly requires?: ReadonlyArray<Pass>;
  readonly subject?: PassSubject;
}

/**
 * A pipeline runs these passes in order. Pipelines nest. A context with a level leaves out the
 * passes above it, and a context may disable passes by name; the report says so.
 *
 * **Errors** of the pass, when it is run: `PASS_NOT_A_PASS`, `OPTION_*`.
 */
export const sequential = (passes: ReadonlyArray<Pass>, options: SequentialOptions = {}): Pass => {
  const listed = Array.isArray(passes) ? passes.filter(isPass) : [];
  return checkedPass(
    {
      name: options?.name ?? 'sequential',
      doc: options?.doc ?? `Runs ${listed.map((p) => p.name).join(', ') || 'nothing'}.`,
      level: options?.level ?? 0,
      requires: options?.requires ?? [],
      ...(options?.subject === undefined ? {} : { subject: options.subject }),
      passes: listed,
      needs: FAST_MATH.filter((word) => listed.some((p) => p.needs.includes(word))),
      run: (m, context) => runInOrder(listed, m, context),
    },
    true,
    [
      ...atCaller(notPasses(passes), 'sequential', sequential),
      ...checkOptions('sequential', options, SEQUENTIAL_TYPES, sequential),
    ],
  );
};

/** All counters of the pass, with those for the operators of a table. */
export const countersWith = (pass: Pass, ops: OpTable): ReadonlyArray<string> => [
  ...pass.operatorCounters(ops),
  ...pass.counters,
];

/** Whether a value is a pass: JavaScript programs may pass anything. */
export const isPass = (value: unknown): value is Pass =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  '_tag' in value &&
  value._tag === 'Pass';

const notPasses = (passes: unknown): ReadonlyArray<Diagnostic> =>
  Array.isArray(passes)
    ? passes.flatMap((item, i) => (isPass(item) ? [] : [notAPass(`as item ${i} of a list`, item)]))
    : [notAPass('in a list', passes)];

const aPass: OptionType = { expected: 'a pass', is: isPass };

const SEQUENTIAL_TYPES: OptionTypes<SequentialOptions> = {
  name: aText,
  doc: aText,
  level: wholeNumber(0),
  requires: listOf(aPass, 'passes'),
  subject: oneOfThese(PASS_SUBJECTS),
};

const PASS_TYPES: OptionTypes<PassParts> = {
  ...SEQUENTIAL_TYPES,
  passes: listOf(aPass, 'passes'),
  counters: listOf(aText, 'names of counters'),
  operatorCounters: aFunction,
  remarks: listOf(aText, 'names of remarks'),
  rows: listOf(aText, 'names of counters'),
  operatorRows: aFunction,
  notes: listOf(aText, 'names of remarks'),
  needs: someOf(FAST_MATH),
  isIdempotent: aBoolean,
  run: aFunction,
};

/**
 * The pass in a context of its own: the surrounding one with some parts replaced. Given instruments
 * replace the surrounding ones, and are entered and left around the pass.
 */
export const withContext = (parts: PassContextParts, inner: Pass): Pass =>
  isPass(inner)
    ? { ...inner, wraps: { pass: inner, parts } }
    : refusedPass(
        'withContext',
        atCaller([notAPass('in a context', inner)], 'withContext', withContext),
      );

/** A pass that only reports the mistakes in its construction. */
export const refusedPass = (name: string, problems: ReadonlyArray<Diagnostic>): Pass =>
  makePass(
    {
      name,
      doc: 'Fails, since it was constructed with wrong options.',
      level: 0,
      run: (m) => failure(problems) ?? right(m),
    },
    false,
  );

function checkedPass<Counter extends string>(
  parts: PassParts<Counter>,
  isPipeline: boolean,
  problems: ReadonlyArray<Diagnostic>,
): Pass {
  if (problems.length === 0) return makePass(parts, isPipeline);
  return refusedPass(typeof parts?.name === 'string' ? parts.name : 'a pass', problems);
}

const makePass = <Counter extends string>(parts: PassParts<Counter>, isPipeline: boolean): Pass => {
  const counters = parts.counters ?? parts.rows ?? [];
  const operatorCounters = parts.operatorCounters ?? parts.operatorRows ?? (() => []);
  const remarks = parts.remarks ?? parts.notes ?? [];
  return {
    _tag: 'Pass',
    name: parts.name,
    doc: parts.doc,
    level: parts.level,
    requires: parts.requires ?? [],
    passes: parts.passes ?? [],
    ...{ counters, operatorCounters, remarks },
    ...{ rows: counters, operatorRows: operatorCounters, notes: remarks },
    needs: parts.needs ?? [],
    isIdempotent: parts.isIdempotent ?? false,
    subject: parts.subject ?? 'structure',
    isPipeline,
    run: parts.run,
  };
};

function runInOrder(
  passes: ReadonlyArray<Pass>,
  m: IRModule,
  context: RunningContext,
): Result<IRModule> {
  let current = m;
  for (const next of passes) {
    if (!passEnabled(context, next)) {
      context.skip(next, current);
      continue;
    }
    const result = context.apply(next, current);
    if (isLeft(result)) return result;
    current = result.right;
  }
  return right(current);
}

const isSet = (attr: unknown): boolean => attr !== undefined && attr !== false && attr !== 0;
