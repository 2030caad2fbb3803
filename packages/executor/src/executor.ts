/// <reference lib="esnext.disposable" preserve="true" />
/** The common interface of executors. */
import { gradientsAsGraphs } from '@baton/autodiff';
import {
  aLimit,
  aText,
  checkOptions,
  type Diagnostic,
  fail,
  failure,
  isLeft,
  LIMIT_TYPES,
  type OptionType,
  type OptionTypes,
  type Result,
  right,
} from '@baton/base';
import {
  call,
  constant,
  type Expr,
  type Func,
  func,
  type IRModule,
  inferTypes,
  irModule,
  postOrderExprs,
  tuple,
  type Var,
  wellFormed,
} from '@baton/ir';
import type { CallEvaluator, OpValue } from '@baton/ops';
import { dense, isDense, isTensor, type Tensor, tensor } from '@baton/tensor';
import * as diagnostics from './diagnostics.ts';
import { Meter, type RunLimits } from './limits.ts';
import { untilStop } from './stop.ts';
import { foldValue, someLeaf } from './values/fold.ts';
import { fromHost } from './values/from-host.ts';
import type { HostValue } from './values/host-value.ts';
import { toOpValue } from './values/op-value.ts';
import { adtValue, type Closure, tupleValue, type Value } from './values/value.ts';

/** Arguments by position, or by the names of parameters. */
export type Arguments = ReadonlyArray<HostValue> | Readonly<Record<string, HostValue>>;

export interface RunOptions extends RunLimits {
  /**
   * The function to call.
   * @defaultValue `main`
   */
  readonly entry?: string;
}

/** A holder of threads or memory, until it is disposed of or `using` leaves its scope. */
export interface Held extends Disposable {
  readonly dispose: () => void;
}

/** A checked module, ready for any number of runs. `dispose` ends its workers: it cannot run again. */
export interface Executable extends Held {
  readonly module: IRModule;
  /**
   * What makes runs slower than they could be: the host lacks something, threads were missing up to
   * now, or parts of the program have no compiled code. Values are the same.
   */
  readonly warnings: ReadonlyArray<Diagnostic>;
  /**
   * Calls a function, like `evaluate`. The result is the caller's: it shares no memory with the module
   * or with tensors that are given. A value of a data type that is given comes back as it is.
   */
  readonly run: (args?: Arguments, options?: RunOptions) => Result<Value>;
}

/**
 * An executor of programs. All executors give the same values and the same diagnostics. `dispose` ends
 * its threads, if it has any: what it prepared and prepares runs on the caller's.
 */
export interface Executor extends CallEvaluator, Held {
  readonly name: string;
  /**
   * Whether it may compute calls by code of its own: other kernels in the table of a module's
   * operators are not called then.
   * @defaultValue false
   */
  readonly isCompiled?: boolean;
  /**
   * Checks a module once for many runs. The limits hold for each run that has none of its own.
   *
   * **Errors** of `wellFormed` and `inferTypes`.
   */
  readonly prepare: (m: IRModule, limits?: RunLimits) => Result<Executable>;
}

/** A module in the form of one executor. */
export interface Program {
  /** Calls a function of the module with values that fit the parameters' types. The run may stop. */
  readonly call: (func: Func, args: ReadonlyArray<Value>, meter: Meter) => Value;
  /** @defaultValue none */
  readonly warnings?: (() => ReadonlyArray<Diagnostic>) | undefined;
  readonly dispose?: (() => void) | undefined;
}

/** An executor from its function that makes programs of typed modules. */
export function makeExecutor(
  name: string,
  makeProgram: (m: IRModule, limits: RunLimits) => Program,
  dispose: () => void = () => {},
): Executor {
  const prepare: Executor['prepare'] = (m, limits = {}) => {
    const illFormed = failure(wellFormed(m));
    if (illFormed !== undefined) return illFormed;
    const typed = inferTypes(m, { limits });
    if (isLeft(typed)) return typed;
    const expanded = gradientsAsGraphs(typed.right);
    const ready = isLeft(expanded) ? expanded : inferTypes(expanded.right, { limits });
    if (isLeft(ready)) return ready;
    return right(makeExecutable(name, ready.right, makeProgram(ready.right, limits), limits));
  };
  return {
    ...held(dispose),
    name,
    prepare,
    evaluateCall: (ops, { op, attrs, span }, values) => {
      const body = call(op, values.map(constantOf), { attrs, span });
      const program = prepare(irModule({ ops, functions: new Map([['main', func([], body)]]) }));
      const value = isLeft(program) ? program : program.right.run();
      return isLeft(value) ? value : right(toOpValue(value.right));
    },
  };
}

const constantOf = (value: OpValue): Expr =>
  isTensor(value) ? constant(value) : tuple(value.map(constantOf));

export const anExecutor: OptionType = {
  expected: 'an executor',
  is: (value) =>
    typeof value === 'object' && value !== null && 'prepare' in value && 'evaluateCall' in value,
};

export const RUN_TYPES: OptionTypes<RunOptions> = {
  ...LIMIT_TYPES,
  entry: aText,
  fuel: aLimit,
  maxDepth: aLimit,
  maxBytes: aLimit,
};

/** The ways to end something. Older hosts have no `Symbol.dispose`. */
const held = (dispose: () => void): Held =>
  ({ dispose, ...(Symbol.dispose && { [Symbol.dispose]: dispose }) }) as Held;

function makeExecutable(
  executor: string,
  m: IRModule,
  made: Program,
  limits: RunLimits,
): Executable {
  let program: Program | undefined = made;
  let constants: Storage | undefined;
  const run: Executable['run'] = (args = [], options = {}) => {
    const wrong = failure(checkOptions('evaluate', options, RUN_TYPES, run));
    if (wrong !== undefined) return wrong;
    const { call } = program ?? {};
    if (call === undefined) return fail(diagnostics.disposed());
    const name = options.entry ?? 'main';
    const entry = m.functions.get(name);
    if (entry === undefined) return fail(diagnostics.unknownEntry(name, [...m.functions.keys()]));
    const ordered = inOrder(entry, args);
    if (isLeft(ordered)) return ordered;
    const values = convert(entry, ordered.right, m);
    if (isLeft(values)) return values;
    const foreign = failure(foreignFunctions(entry, values.right, executor));
    if (foreign !== undefined) return foreign;
    const meter = new Meter({ ...limits, ...options });
    const result = untilStop(() => call(entry, values.right, meter));
    if (isLeft(result)) return result;
    constants ??= storageOfConstants(m);
    const lent = storageOf(values.right);
    const isOwn = ({ data }: Tensor): boolean =>
      !lent.has(data.buffer) && constants?.has(data.buffer) === false;
    return right(withDense(result.right, (t) => isDense(t) && isOwn(t)));
  };
  const dispose = (): void => {
    program?.dispose?.();
    program = undefined;
  };
  return {
    ...held(dispose),
    module: m,
    get warnings() {
      return program?.warnings?.() ?? [];
    },
    run,
  };
}

type Storage = ReadonlySet<ArrayBufferLike>;

const storageOfConstants = ({ functions }: IRModule): Storage =>
  storageOf(
    postOrderExprs([...functions.values()]).flatMap((e) => (e._tag === 'Constant' ? [e.data] : [])),
  );

/** The memory of tensors and tuples. Data and cells belong to programs: runs hand them on. */
function storageOf(values: ReadonlyArray<Value>): Storage {
  const found = new Set<ArrayBufferLike>();
  // Also finds what is added meanwhile.
  const all = new Set(values);
  for (const value of all) {
    if (value._tag === 'Tensor') found.add(value.data.buffer);
    if (value._tag === 'Tuple') for (const field of value.fields) all.add(field);
  }
  return found;
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

/** Diagnostics for arguments that hold functions of another executor. */
const foreignFunctions = (
  { params }: Func,
  args: ReadonlyArray<Value>,
  executor: string,
): ReadonlyArray<Diagnostic> =>
  params.flatMap(({ nameHint, span }, i) => {
    const isForeign = (leaf: Tensor | Closure): boolean =>
      leaf._tag === 'Closure' && leaf.code.executor !== executor;
    return someLeaf(args[i] as Value, isForeign)
      ? [diagnostics.foreignFunction(`parameter %${nameHint}`, executor, span)]
      : [];
  });

/** The value with its unsuitable tensors made dense; cells stay the same. */
export function withDense(value: Value, isFine: (t: Tensor) => boolean): Value {
  if (!someLeaf(value, (leaf) => leaf._tag === 'Tensor' && !isFine(leaf))) return value;
  return foldValue<Value>(value, {
    leaf: (leaf) => (leaf._tag === 'Tensor' && !isFine(leaf) ? denseCopy(leaf) : leaf),
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

/** The elements of a tensor in separate storage. */
const denseCopy = (t: Tensor): Tensor =>
  isDense(t) ? tensor(t.data.slice(), t.shape, t.dtype) : dense(t);
