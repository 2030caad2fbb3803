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

/** A row that is named after an operator. */
export type OperatorRow = string & { readonly OperatorRow: true };

/** The name of a row that a pass has for an operator. */
export const operatorRow = (name: string): OperatorRow => name as OperatorRow;

/** Counts that a row of a pass's case table applied, once or `by` times. */
export type Count<Row extends string = string> = (row: Row, by?: number) => void;

/** Does the work of a row of a pass, and adds its time to the row. */
export type Timed<Row extends string = string> = <A>(row: Row, work: () => A) => A;

/** The context of a running pass, with the driver, which runs other passes. */
export interface RunningContext<Row extends string = string> extends PassContext {
  /** What is left of the limits of the run. */
  readonly budget: Budget;
  /** Counts an application of a row in the report; the row must be declared. */
  readonly count: Count<Row>;
  /** Adds the time of work, by the clock of the context, to a row in the report. */
  readonly timed: Timed<Row>;
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
  /** The rows of the pass's case table, which it counts; a pipeline has none. */
  readonly rows: ReadonlyArray<string>;
  /** Its rows for operators: those of the table that a run uses. */
  readonly operatorRows: (ops: OpTable) => ReadonlyArray<string>;
  /** Rows besides, which tell why a case did not apply, or why the pass stopped. */
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

interface PassPartsBase<Row extends string> {
  readonly name: string;
  /** One sentence. */
  readonly doc: string;
  /** The lowest optimization level at which a pipeline runs the pass. */
  readonly level: number;
  readonly requires?: ReadonlyArray<Pass>;
  /** The passes that it runs itself, by `context.apply`: contexts may name them. */
  readonly passes?: ReadonlyArray<Pass>;
  /** The rows of its case table, by short stable names, which `context.count` counts. */
  readonly rows?: ReadonlyArray<Row>;
  /** Rows besides, one for each operator of the table in use that the pass is about. */
  readonly operatorRows?: (ops: OpTable) => ReadonlyArray<OperatorRow>;
  /** Rows besides, which tell why a case did not apply, or why the pass stopped. */
  readonly notes?: ReadonlyArray<Row>;
  /** The freedoms with rounding and special values. Default: none, results keep every bit. */
  readonly needs?: ReadonlyArray<FastMath>;
  /** Whether a second run on the result changes nothing. Default: no promise. */
  readonly isIdempotent?: boolean;
  /** The kind of programs that it is about, from which tests draw. Default: `structure`. */
  readonly subject?: PassSubject;
}

export interface PassParts<Row extends string = string> extends PassPartsBase<Row> {
  readonly run: (m: IRModule, context: RunningContext<Row | OperatorRow>) => Result<IRModule>;
}

export interface FunctionPassParts<Row extends string = string> extends PassPartsBase<Row> {
  /** Transforms one function; returns it unchanged if nothing changes. `m` is the pass's input. */
  readonly run: (f: Func, m: IRModule, context: RunningContext<Row | OperatorRow>) => Result<Func>;
}

/**
 * A pass over a whole module.
 *
 * **Errors** of the pass, when it is run: `OPTION_*` and `PASS_NOT_A_PASS` if the parts are wrong.
 */
export const pass = <const Row extends string = never>(parts: PassParts<Row>): Pass =>
  checkedPass(parts, false, partProblems('pass', parts, pass));

/**
 * A pass over each function of a module, except those with `SkipOptimization=1`, a `Compiler`
 * attribute, or `Extern`. The diagnostics of all functions are gathered.
 */
export const functionPass = <const Row extends string = never>(
  parts: FunctionPassParts<Row>,
): Pass =>
  checkedPass<Row>(
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

function runOnAll<Row extends string>(
  m: IRModule,
  parts: FunctionPassParts<Row>,
  context: RunningContext<Row | OperatorRow>,
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

function runOn<Row extends string>(
  f: Func,
  m: IRModule,
  parts: FunctionPassParts<Row>,
  context: RunningContext<Row | OperatorRow>,
): Result<Func> {
  const next = parts.run(f, m, context);
  // A pass written in JavaScript may return anything, or nothing.
  const isFunction = next?._tag === 'Left' || next?.right?._tag === 'Function';
  return isFunction ? next : fail(passReturned(parts.name, 'function', next));
}

/** Whether function passes leave the function alone. */
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

/** All rows of the pass's case table, with those for the operators of a table. */
export const rowsWith = (pass: Pass, ops: OpTable): ReadonlyArray<string> => [
  ...pass.operatorRows(ops),
  ...pass.rows,
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
  rows: listOf(aText, 'names of rows'),
  operatorRows: aFunction,
  notes: listOf(aText, 'names of rows'),
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

function checkedPass<Row extends string>(
  parts: PassParts<Row>,
  isPipeline: boolean,
  problems: ReadonlyArray<Diagnostic>,
): Pass {
  if (problems.length === 0) return makePass(parts, isPipeline);
  return refusedPass(typeof parts?.name === 'string' ? parts.name : 'a pass', problems);
}

const makePass = <Row extends string>(parts: PassParts<Row>, isPipeline: boolean): Pass => ({
  _tag: 'Pass',
  name: parts.name,
  doc: parts.doc,
  level: parts.level,
  requires: parts.requires ?? [],
  passes: parts.passes ?? [],
  rows: parts.rows ?? [],
  operatorRows: parts.operatorRows ?? (() => []),
  notes: parts.notes ?? [],
  needs: parts.needs ?? [],
  isIdempotent: parts.isIdempotent ?? false,
  subject: parts.subject ?? 'structure',
  isPipeline,
  run: parts.run,
});

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
