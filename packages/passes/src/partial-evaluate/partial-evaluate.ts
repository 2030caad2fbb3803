/**
 * PartialEvaluate: computes at compile time what does not depend on unknown arguments.
 * [passes §13](https://batonjs.github.io/baton/spec/passes#13).
 */
import { aLimit, isLeft, isRight, type Result, right } from '@baton/base';
import {
  binders,
  type Func,
  type IRModule,
  inferTypes,
  postOrderExprs,
  structuralEqual,
  withFunctions,
} from '@baton/ir';
import { evaluateCall } from '@baton/ops';
import {
  type Count,
  inferType,
  isOpaque,
  pass,
  type RunningContext,
  withBody,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { toANormalForm } from '../normal-forms/a-normal-form.ts';
import { sharesEvaluations } from '../normal-forms/shared-evaluations.ts';
import { COUNTERS, type Counter } from './counters.ts';
import { type Given, Machine, type Own } from './machine.ts';

/** The default limit of the steps through called functions. */
export const MAX_EVALUATION_STEPS = 100_000;

const ENTRY = 'main';

export interface PartialEvaluateOptions {
  /**
   * The number of steps through the bodies of called functions, one for each binding, after which
   * calls stay: of those of `main` first. Default: `limits.steps` of the context, or
   * {@link MAX_EVALUATION_STEPS}.
   */
  readonly maxSteps?: number;
}

/**
 * Evaluates each function with unknown arguments, as far as its values are known, and writes what is
 * left:
 *
 * ```
 * let %f = fn (%n: int32) -> int32 { if (%n == 0) { 0 } else { %n + %f(%n - 1) } }; %f(3) * %x
 * =>
 * 6 * %x
 * ```
 *
 * Known are tensors, tuples, values of data types, functions, and what references hold. Calls of
 * known functions are taken apart, conditions and matches on known values decided, and reads of
 * references answered by the latest write. Whatever has effects stays, in order and number:
 * DeadCodeElimination drops what nothing needs. An unknown call may write to any reference.
 *
 * A call of a function that is in progress is taken apart only if one of its arguments is older than
 * all before it, such as the tail of a list, or a smaller whole number. A function stays as it is if
 * blocks share an evaluation, which only one of them runs.
 *
 * **Complexity** linear in the module and in the steps through called functions, at most `maxSteps`;
 * a variable costs the functions between its use and its binder.
 */
export const partialEvaluate: ConfigurablePass<PartialEvaluateOptions> = configurable(
  { maxSteps: aLimit },
  ({ maxSteps }) =>
    pass({
      name: 'PartialEval',
      doc: 'Evaluates what does not depend on unknown arguments.',
      subject: 'language',
      level: 1,
      requires: [inferType],
      passes: [toANormalForm],
      counters: COUNTERS,
      run: (m, context) =>
        evaluateAll(m, maxSteps ?? context.limits.steps ?? MAX_EVALUATION_STEPS, context),
    }),
);

/** The result of evaluating a function. */
interface Residual {
  readonly f: Func;
  readonly counted: ReadonlyArray<Parameters<Count<Counter>>>;
}

function evaluateAll(
  m: IRModule,
  maxSteps: number,
  { apply, count, budget: room }: RunningContext<Counter>,
): Result<IRModule> {
  const normal = apply(toANormalForm, m);
  if (isLeft(normal)) return normal;
  const formed = normal.right;
  const shared = new Set(
    [...formed.functions.values()].filter((f) => sharesEvaluations(f, formed)),
  );
  for (const f of shared) if (!isOpaque(f)) count('kept: shared');
  const given = {
    m: formed,
    evaluate: evaluateCall,
    budget: { left: maxSteps },
    room,
    isInOrder: (f: Func) => !shared.has(f),
  };
  const made = new Map<string, Residual>();
  for (const name of new Set([ENTRY, ...formed.functions.keys()])) {
    const f = formed.functions.get(name);
    if (f === undefined || isOpaque(f) || shared.has(f)) continue;
    const residual = evaluated(f, given, false);
    if (residual === undefined) continue;
    if (!structuralEqual(residual.f, m.functions.get(name) ?? f)) made.set(name, residual);
  }
  if (made.size === 0) return right(m);
  const whole = withResiduals(m, made);
  if (!isRight(inferTypes(whole))) {
    return right(onlyTyped(m, { ...given, budget: { left: maxSteps } }, made, count));
  }
  addCounts(made, count);
  return right(whole);
}

type GivenToAll = Omit<Given, 'bindsConstants' | 'count'>;

/** The residual function; `undefined` if nothing is known that changes it. */
function evaluated(f: Func, given: GivenToAll, bindsConstants: boolean): Residual | undefined {
  const counted: Parameters<Count<Counter>>[] = [];
  const count: Count<Counter> = (...entry) => counted.push(entry);
  const body = new Machine({ ...given, bindsConstants, count }, ownParts(f)).body(f);
  const isChanged = counted.some(([entry]) => !entry.startsWith('kept'));
  return isChanged ? { f: withBody(f, body), counted } : undefined;
}

/** The module with those residual functions that have types: constants may be refused. */
function onlyTyped(
  m: IRModule,
  given: GivenToAll,
  made: ReadonlyMap<string, Residual>,
  count: Count<Counter>,
): IRModule {
  const kept = new Map<string, Residual>();
  for (const [name, residual] of made) {
    const f = given.m.functions.get(name) as Func;
    const attempts = [residual, evaluated(f, given, true)].filter((r) => r !== undefined);
    const found = attempts.find((r) => isRight(inferTypes(withResiduals(m, new Map([[name, r]])))));
    if (found !== undefined) kept.set(name, found);
  }
  addCounts(kept, count);
  return withResiduals(m, kept);
}

const withResiduals = (m: IRModule, made: ReadonlyMap<string, Residual>): IRModule =>
  withFunctions(m, new Map([...m.functions].map(([name, f]) => [name, made.get(name)?.f ?? f])));

function addCounts(made: ReadonlyMap<string, Residual>, count: Count<Counter>): void {
  for (const { counted } of made.values()) for (const entry of counted) count(...entry);
}

const ownParts = (f: Func): ReadonlyArray<Own> =>
  postOrderExprs([f]).flatMap((node): ReadonlyArray<Own> => {
    if (node._tag !== 'Function') return binders(node);
    return [node, ...node.params, ...node.typeParams];
  });
