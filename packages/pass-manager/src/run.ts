/** The driver: runs passes, checks their results, and writes the report. */
import {
  atCaller,
  type Budget,
  type Diagnostic,
  DiagnosticsError,
  fail,
  failure,
  isLeft,
  left,
  type Result,
  reasonOf,
  right,
  stackOf,
  stoppedByHost,
} from '@baton/base';
import { freeVars, type IRModule, inferTypes, type Var, wellFormed } from '@baton/ir';
import { budgetFor } from './budget.ts';
import { immutableModuleKey, readConfig } from './config.ts';
import {
  contextProblems,
  derivedContext,
  type PassContext,
  type PassContextParts,
  passContext,
  passEnabled,
} from './context.ts';
import * as diagnose from './diagnostics.ts';
import { digestModule } from './digest.ts';
import { FAST_MATH, type FastMath } from './fast-math.ts';
import { around, notify, wanted } from './hooks.ts';
import { keepNeeds, needsOf } from './needs.ts';
import { isPass, type Pass, type RunningContext, withContext } from './pass.ts';
import { type PassReportEntry, type PassResult, rowsOf, type SkipReason } from './report.ts';
import { makeTally, type Tally } from './tally.ts';

/**
 * Runs a pass, or a pipeline of passes, on a module.
 *
 * Types are inferred before the first pass, and after each pass for the new nodes. The driver
 * reports a bug of a pass that throws, changes its input, or returns a private node or an ill-typed
 * or ill-formed program.
 *
 * **Errors** of the context (`PASS_CONFIG_*`), of inference on the given module, of the passes
 * themselves, and `PASS_THREW`, `PASS_INSTRUMENT_THREW`, `PASS_BROKE_MODULE`, `PASS_MUTATED`,
 * `PASS_NO_MODULE`; `LIMIT` and `LIMIT_TIME` for limits of the context.
 */
export const runPass: RunPass = runPassWith({});

export type RunPass = (pass: Pass, parts?: PassContextParts) => (m: IRModule) => Result<PassResult>;

/** {@link runPass} with other defaults for the parts of contexts. */
export function runPassWith(defaults: PassContextParts): RunPass {
  const runPass: RunPass = (pass, parts = {}) => {
    const wrong = failure(
      isPass(pass)
        ? [
            ...contextProblems(parts, runPass),
            ...atCaller(unknownNames(parts, pass), 'runPass', runPass),
          ]
        : atCaller([diagnose.notAPass('to run', pass)], 'runPass', runPass),
    );
    const runOn = (m: IRModule): Result<PassResult> => {
      if (wrong !== undefined) return wrong;
      // A JavaScript program may pass a `Result` in the place of its module.
      const isModule = m?._tag === 'IRModule';
      const given = isModule ? [] : atCaller([diagnose.notAModule(m)], 'runPass', runOn);
      const made = failure(given) ?? passContext({ ...defaults, ...parts });
      return isLeft(made) ? made : runIn(made.right, pass, m);
    };
    return runOn;
  };
  return runPass;
}

function runIn(context: PassContext, pass: Pass, m: IRModule): Result<PassResult> {
  const run: Run = {
    counts: new WeakMap(),
    verified: new WeakSet(),
    needs: new Set(),
    budget: budgetFor(m, context.limits),
    inferMs: 0,
  };
  const tree: PassReportEntry[] = [];
  const at: Position = { context, run, entries: tree };
  const start = context.now();
  const typed = check(m, at);
  if (isLeft(typed)) return typed;
  const result = around(context.instruments, () => apply(pass, typed.right, at));
  if (isLeft(result)) return result;
  const module = result.right;
  const needs = FAST_MATH.filter((word) => run.needs.has(word));
  keepNeeds(module, [...needsOf(m), ...needs]);
  const report = {
    passes: rowsOf(tree),
    tree,
    needs,
    ms: context.now() - start,
    inferMs: run.inferMs,
    nodesBefore: nodeCount(m, at),
    nodesAfter: nodeCount(module, at),
  };
  return right({ module, report });
}

/** Names of passes in a context that the run does not contain. */
function unknownNames(parts: PassContextParts, pass: Pass): ReadonlyArray<Diagnostic> {
  const { requiredPasses, disabledPasses } = parts;
  if (requiredPasses === undefined && disabledPasses === undefined) return [];
  const known = [...namesIn(pass)].sort();
  return Object.entries({ requiredPasses, disabledPasses }).flatMap(([option, names]) =>
    // A list of another kind has its own diagnostic.
    !Array.isArray(names)
      ? []
      : names
          .filter((name) => typeof name === 'string' && !known.includes(name))
          .map((name) => diagnose.passUnknown(option, name, known)),
  );
}

/** The names of a pass, of the passes that it may run, and of the passes that these require. */
function namesIn(pass: Pass): ReadonlySet<string> {
  const seen = new Set<Pass>();
  const pending = [pass];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    pending.push(...next.passes, ...next.requires);
    if (next.wraps !== undefined) pending.push(next.wraps.pass);
  }
  return new Set([...seen].map(({ name }) => name));
}

interface Run {
  readonly needs: Set<FastMath>;
  readonly budget: Budget;
  readonly counts: WeakMap<IRModule, number>;
  readonly verified: WeakSet<IRModule>;
  /** The time of all inference so far. */
  inferMs: number;
}

/** The context of a pass in a run, and the list for its line of the report. */
interface Position {
  readonly context: PassContext;
  readonly run: Run;
  readonly entries: PassReportEntry[];
}

/** The module with types, if it is well-formed. */
function check(
  m: IRModule,
  { context, run }: Position,
  limits: Budget['inference'] = run.budget.inference,
): Result<IRModule> {
  const start = context.now();
  const typed = inferTypes(m, { limits });
  run.inferMs += context.now() - start;
  if (isLeft(typed) || !context.verify || run.verified.has(typed.right)) return typed;
  const failed = failure(wellFormed(typed.right));
  if (failed !== undefined) return failed;
  run.verified.add(typed.right);
  return typed;
}

function nodeCount(m: IRModule, { context, run }: Position): number {
  const old = run.counts.get(m);
  if (old !== undefined) return old;
  const nodes = context.countNodes(m);
  run.counts.set(m, nodes);
  return nodes;
}

/** Runs the required passes, the instruments, the pass itself, and the checks. */
function apply(pass: Pass, given: IRModule, at: Position): Result<IRModule> {
  if (pass.wraps !== undefined) return applyWithin(pass, given, at, pass.wraps);
  const { context, run } = at;
  if (run.budget.isOver()) return fail(stoppedByHost(`the pass ${pass.name}`));
  const start = context.now();
  const inferStart = run.inferMs;
  const requiredEntries: PassReportEntry[] = [];
  const ownEntries: PassReportEntry[] = [];
  const tally = makeTally(pass, given.ops, context.now);
  let m = given;
  for (const required of pass.requires) {
    const ready = apply(required, m, { ...at, entries: requiredEntries });
    if (isLeft(ready)) return ready;
    m = ready.right;
  }
  const isWanted = context.requiredPasses.includes(pass.name)
    ? right(true)
    : wanted(context.instruments, m, pass);
  if (isLeft(isWanted)) return isWanted;
  const inside = { ...at, entries: ownEntries };
  const result = isWanted.right ? transform(pass, m, inside, tally) : right(m);
  if (isLeft(result)) return result;
  const entry = entryOf(pass, nodeCount(given, at), {
    ms: context.now() - start,
    inferMs: run.inferMs - inferStart,
    nodesAfter: nodeCount(result.right, at),
    changed: result.right !== given,
    counts: Object.fromEntries(tally.counts),
    rowMs: Object.fromEntries(tally.times),
    children: [...requiredEntries.map((each) => ({ ...each, isRequired: true })), ...ownEntries],
  });
  at.entries.push(isWanted.right ? entry : { ...entry, skipped: 'instrument' });
  return result;
}

/**
 * Runs a pass in a context of its own. It has one entry, and each instrument sees it once: replaced
 * instruments outside see the whole, and those inside see the parts.
 */
function applyWithin(
  whole: Pass,
  given: IRModule,
  at: Position,
  { pass, parts }: NonNullable<Pass['wraps']>,
): Result<IRModule> {
  const wrong = failure([...contextProblems(parts, withContext), ...unknownNames(parts, pass)]);
  if (wrong !== undefined) return wrong;
  const made = derivedContext(at.context, parts);
  if (isLeft(made)) return made;
  const { limits } = parts;
  const run = limits === undefined ? at.run : { ...at.run, budget: budgetFor(given, limits) };
  const body = (): Result<IRModule> => apply(pass, given, { ...at, run, context: made.right });
  if (parts.instruments === undefined) return body();
  const { instruments } = at.context;
  const isWanted = wanted(instruments, given, whole);
  if (isLeft(isWanted)) return isWanted;
  if (!isWanted.right) {
    at.entries.push(entryOf(whole, nodeCount(given, at), { skipped: 'instrument' }));
    return right(given);
  }
  const before = notify(instruments, 'beforePass', (i) => i.beforePass?.(given, whole));
  if (before !== undefined) return before;
  const result = around(parts.instruments, body);
  if (isLeft(result)) return result;
  const after = notify(instruments, 'afterPass', (i) => i.afterPass?.(result.right, whole));
  return after ?? result;
}

/** Runs the pass itself between the instruments, and checks its result. */
function transform(pass: Pass, m: IRModule, at: Position, tally: Tally): Result<IRModule> {
  const { context, run } = at;
  const { instruments } = context;
  const before = notify(instruments, 'beforePass', (i) => i.beforePass?.(m, pass));
  if (before !== undefined) return before;
  const isWatched = readConfig(context, immutableModuleKey);
  const digest = isWatched ? digestModule(m) : 0;
  const result = runGuarded(pass, m, runningContext(at, tally));
  if (isLeft(result)) return result;
  if (isWatched && digestModule(m) !== digest) return fail(diagnose.passMutated(pass.name));
  const checked = result.right === m ? result : checkResult(pass, m, result.right, at);
  if (isLeft(checked)) return checked;
  // The parts of a pipeline add their own needs if they change something.
  if (checked.right !== m && !pass.isPipeline) for (const word of pass.needs) run.needs.add(word);
  const after = notify(instruments, 'afterPass', (i) => i.afterPass?.(checked.right, pass));
  return after ?? checked;
}

function runGuarded(pass: Pass, m: IRModule, running: RunningContext): Result<IRModule> {
  try {
    const result = pass.run(m, running);
    // A pass written in JavaScript may return anything, or nothing.
    const isModule = result?._tag === 'Left' || result?.right?._tag === 'IRModule';
    return isModule ? result : fail(diagnose.passReturned(pass.name, 'module', result));
  } catch (error) {
    return thrownBy(pass.name, error);
  }
}

/** The exception of a pass as its failure: thrown diagnostics, or a bug with its stack. */
function thrownBy(name: string, error: unknown): Result<never> {
  if (error instanceof DiagnosticsError) {
    const [first, ...rest] = error.diagnostics;
    const blame = (d: Diagnostic): Diagnostic => diagnose.passThrewDiagnostic(name, d);
    return fail(blame(first), ...rest.map(blame));
  }
  return fail(diagnose.passThrew(name, reasonOf(error), stackOf(error)));
}

/** Checks the result of the pass, and infers its types. Mistakes in it are the pass's fault. */
function checkResult(pass: Pass, before: IRModule, m: IRModule, at: Position): Result<IRModule> {
  const unbound = at.context.verify ? newlyFree(before, m) : undefined;
  if (unbound !== undefined) return fail(diagnose.passUnbound(pass.name, unbound.nameHint));
  // A pass that the host has stopped, such as a search, may have a result: it gets its types.
  const { shouldStop: _, ...limits } = at.run.budget.inference;
  const checked = check(m, at, limits);
  if (!isLeft(checked)) return checked;
  const [first, ...rest] = checked.left;
  const blame = (d: Diagnostic): Diagnostic => diagnose.passBroke(pass.name, d);
  return left([blame(first), ...rest.map(blame)]);
}

/** A variable that became unbound in a function that the pass made. */
function newlyFree(before: IRModule, after: IRModule): Var | undefined {
  for (const [name, f] of after.functions) {
    const old = before.functions.get(name);
    if (old === f) continue;
    const found = freeVars(f);
    if (found.length === 0) continue;
    const known = new Set(old === undefined ? [] : freeVars(old));
    const unbound = found.find((variable) => !known.has(variable));
    if (unbound !== undefined) return unbound;
  }
  return undefined;
}

const runningContext = (at: Position, { count, timed }: Tally): RunningContext => ({
  ...at.context,
  budget: at.run.budget,
  count,
  timed,
  apply: (pass, m) => apply(pass, m, at),
  skip: (pass, m) => {
    at.entries.push(entryOf(pass, nodeCount(m, at), { skipped: skipReason(at.context, pass) }));
  },
});

/** The entry of a pass that changed nothing, except for what `did` says. */
const entryOf = (pass: Pass, nodes: number, did: Partial<PassReportEntry>): PassReportEntry => ({
  name: pass.name,
  isPipeline: pass.isPipeline,
  isRequired: false,
  ms: 0,
  inferMs: 0,
  nodesBefore: nodes,
  nodesAfter: nodes,
  changed: false,
  counts: {},
  rowMs: {},
  children: [],
  ...did,
});

const skipReason = (context: PassContext, pass: Pass): SkipReason =>
  passEnabled({ ...context, disabledPasses: [] }, pass) ? 'disabled' : 'level';
