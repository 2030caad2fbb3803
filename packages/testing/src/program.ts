/** One program from one seed. */
import { DiagnosticsError, InvariantError, isLeft, reasonOf, stackOf } from '@baton/base';
import { numericsOf } from '@baton/equivalence';
import {
  type Func,
  freeVars,
  func,
  globalVar,
  type IRModule,
  inferTypes,
  irModule,
  type OpInfo,
  type OpTable,
} from '@baton/ir';
import { samplingColumn, standardOps } from '@baton/ops';
import { printModule } from '@baton/text';
import { motifFailed } from './diagnostics.ts';
import { fullLanguage } from './full-language/full-language.ts';
import type { Builder, Callee } from './generate/builder.ts';
import { makeBuilder } from './generate/make-builder.ts';
import { type Motif, possible } from './generate/motif.ts';
import type { NumericKind } from './generate/numeric-kind.ts';
import { makeChoices, type Weighted } from './generate/random.ts';
import type { TensorValue, Value } from './generate/value.ts';
import { withLateTypes } from './late-types/with-late-types.ts';
import { type Focus, MOTIFS } from './motifs/by-focus.ts';
import { type ProgramOptions, requireOptions } from './options.ts';
import { samplerOf } from './samplers/standard.ts';
import {
  type ChooseOp,
  callFunction,
  callStep,
  functionStep,
  ifStep,
  keepResult,
  latest,
  letStep,
  type Step,
  tupleStep,
} from './steps.ts';

export interface Program {
  /**
   * The inferred module; `main` takes tensors and gives a tensor or a tuple of tensors. Their
   * shapes are static unless types come late.
   */
  readonly module: IRModule;
  /** The seed of this program, before any shrinking. */
  readonly seed: number;
}

/**
 * The program of a seed: the same text for the same seed and options.
 *
 * **Errors** throws a `DiagnosticsError` with `OPTION_*` for wrong options.
 * **Complexity** linear in the calls, times a small constant.
 */
export function programOf(seed: number, options: ProgramOptions = {}): Program {
  requireOptions('programOf', options, programOf);
  const ops = options.ops ?? standardOps;
  const random = makeChoices(seed);
  const numerics = options.numerics ?? 'any';
  const eligible = eligibleOps(ops, numerics);
  const b = makeBuilder({
    ops,
    random,
    numerics,
    float: options.dtype ?? 'float32',
    emptyAxes: options.emptyAxes,
    allows: (name) => eligible.names.has(name),
  });
  const most = Math.max(1, options.maxCalls ?? 12);
  const focus = [options.focus ?? []].flat();
  const size = random.int(
    Math.ceil(most * (focus.length === 0 && options.motifs === undefined ? 0.35 : 0.7)),
    most,
  );
  const plain = someStep(chooser(ops, eligible.infos));
  const full = options.language === 'whole' ? fullLanguage(b) : undefined;
  const focused = focusedStep(b, focus, options.motifs ?? []);
  const step: Step = () => {
    if (full !== undefined && random.chance(FULL_LANGUAGE)) full.step(b);
    else if (focused !== undefined && random.chance(FOCUSED)) focused(b);
    else plain(b);
  };
  const functions = new Map<string, Func>();
  const isAboutFunctions = focus.includes('unused-functions');
  const callees =
    isAboutFunctions || random.chance(0.15) ? helperFunctions(b, functions, plain) : [];
  const called = isAboutFunctions ? callees.filter(() => random.chance(0.7)) : callees;
  const main = b.inFunction(true, () => {
    b.callees().push(...called);
    b.keep(b.operand());
    focused?.(b);
    for (let tries = 0; b.callCount() < size && tries < 4 * size; tries++) step(b);
    return resultOf(b);
  });
  functions.set('main', functionOf(main.params, main.result));
  const m = full?.module(functions, ops) ?? irModule({ functions, ops });
  const module = typed(m, seed);
  return { module: options.types === 'late' ? withLateTypes(module, seed) : module, seed };
}

const FULL_LANGUAGE = 0.55;

/** Global functions, some of which are called. */
function helperFunctions(
  b: Builder,
  functions: Map<string, Func>,
  step: Step,
): ReadonlyArray<Callee> {
  const earlier: Callee[] = [];
  for (let index = b.random.int(0, 1); index >= 0; index--) {
    const name = `helper${earlier.length}`;
    const { params, result } = b.inFunction(true, () => {
      b.keep(b.operand());
      b.callees().push(...earlier.filter(() => b.random.chance(0.5)));
      step(b);
      return latest(b);
    });
    const f = functionOf(params, result);
    functions.set(name, f);
    const used = params.filter((param) => f.params.some((p) => p === param.expr));
    earlier.push({
      expr: globalVar(name),
      params: used,
      result: result as TensorValue,
      isEffectful: b.hasEffect(result),
    });
  }
  return earlier;
}

/** The result of `main`: all unused values, up to a limit. */
function resultOf(b: Builder): Value {
  const params = new Set(b.params().map((param) => param.expr));
  const ends = b.unused().filter((value) => !params.has(value.expr));
  const tensors = ends.filter((value) => value._tag === 'Tensor');
  const last = tensors.slice(-MOST_RESULTS);
  const [only] = last;
  if (only === undefined) return latest(b);
  return last.length === 1 ? only : b.tuple(last);
}

const MOST_RESULTS = 6;

function functionOf(params: ReadonlyArray<TensorValue>, result: Value): Func {
  const free = new Set(freeVars(result.expr));
  const own = params.flatMap(({ expr }) => (expr._tag === 'Var' && free.has(expr) ? [expr] : []));
  return func(own, result.expr, { retType: result.type });
}

/** Inference decides: a program that it refuses is a fault of the generator. */
function typed(m: IRModule, seed: number): IRModule {
  const inferred = inferTypes(m);
  if (!isLeft(inferred)) return inferred.right;
  const reasons = inferred.left.map((d) => d.message).join('; ');
  throw new InvariantError(`program ${seed} is well-typed: ${reasons}\n${printModule(m)}`);
}

function someStep(choose: ChooseOp): Step {
  const one = callStep(choose);
  const steps: ReadonlyArray<Weighted<Step>> = [
    [30, one],
    [2, letStep(one)],
    [1.5, ifStep(one)],
    [1, functionStep(one)],
    [1.5, tupleStep],
  ];
  return callOr(steps, 0.15);
}

/** Sometimes a call of a function, if there is one; else one of the steps. */
const callOr =
  (steps: ReadonlyArray<Weighted<Step>>, share: number): Step =>
  (b) => {
    if (b.callees().length > 0 && b.random.chance(share)) {
      callFunction(b, b.random.pick(b.callees()));
    } else b.random.weighted(steps)(b);
  };

/** A step on the focus: one of its motifs, sometimes in a new scope. */
function focusedStep(
  b: Builder,
  focus: ReadonlyArray<Focus>,
  own: ReadonlyArray<Motif>,
): Step | undefined {
  const themes = [...focus.map((f) => MOTIFS[f]), own]
    .map((motifs) => possible(b, motifs))
    .filter((motifs) => motifs.length > 0);
  if (themes.length === 0) return undefined;
  const one: Step = () => {
    const weights = b.random.pick(themes).map((m) => [m.weight, m] as const);
    const chosen = b.random.weighted(weights);
    const value = own.includes(chosen) ? ownValue(b, chosen) : chosen.make(b);
    if (value !== undefined) keepResult(b, value);
  };
  const steps: ReadonlyArray<Weighted<Step>> = [
    [12, one],
    [0.6, letStep(one)],
    [0.5, ifStep(one)],
    [0.4, functionStep(one)],
  ];
  return callOr(steps, focus.includes('unused-functions') ? 0.2 : 0.05);
}

/** The result of a user's motif. Its mistakes are the user's. */
function ownValue(b: Builder, { needs, make }: Motif): TensorValue | undefined {
  try {
    return make(b);
  } catch (error) {
    if (error instanceof DiagnosticsError) throw error;
    throw new DiagnosticsError([motifFailed(needs.join(' '), reasonOf(error), stackOf(error))]);
  }
}

/** The share of the steps on the focus. */
const FOCUSED = 0.93;

/** Chooses operators; those frequent in models are frequent here. */
function chooser(ops: OpTable, all: ReadonlyArray<OpInfo>): ChooseOp {
  const popular = all.filter((op) => ops.read(samplingColumn, op.name)?.isCommon === true);
  return (b) => b.random.pick(popular.length > 0 && b.random.chance(0.4) ? popular : all);
}

interface Eligible {
  readonly infos: ReadonlyArray<OpInfo>;
  readonly names: ReadonlySet<string>;
}

const known = new WeakMap<OpTable, Map<NumericKind, Eligible>>();

function eligibleOps(ops: OpTable, kind: NumericKind): Eligible {
  const kinds = known.get(ops) ?? new Map<NumericKind, Eligible>();
  known.set(ops, kinds);
  const found = kinds.get(kind) ?? findEligible(ops, kind);
  kinds.set(kind, found);
  return found;
}

function findEligible(ops: OpTable, kind: NumericKind): Eligible {
  const infos = ops.names.flatMap((name) => {
    const op = ops.get(name);
    const isOfKind = kind === 'any' || EXCLUDED[kind] !== (numericsOf(ops, name) ?? EXCLUDED[kind]);
    return op !== undefined && isOfKind && samplerOf(ops, op) !== undefined ? [op] : [];
  });
  return { infos, names: new Set(infos.map((op) => op.name)) };
}

/** Exact programs have no rounding operators, smooth ones none with jumps. */
const EXCLUDED = { exact: 'smooth', smooth: 'discontinuous' } as const;
