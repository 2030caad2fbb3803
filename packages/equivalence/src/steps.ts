/** Runs a pipeline once, and keeps the module before and after each of its passes. */
import { isLeft, isRight, type Result, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import {
  type Instrument,
  type Pass,
  type PassContextParts,
  type PassInfo,
  runPass,
} from '@baton/pass-manager';
import type { Baseline } from './baseline.ts';
import { compareWithBaseline } from './check.ts';
import { type EquivalenceOptions, REGIMES, type Regime } from './verdicts.ts';

export interface Step {
  readonly pass: string;
  readonly before: IRModule;
  readonly after: Result<IRModule>;
}

/** Keeps the inputs and outputs of a pipeline's passes. */
export interface StepRecorder extends Instrument {
  readonly steps: (failed?: Result<never>) => ReadonlyArray<Step>;
}

/** Keeps the steps of the passes that a pipeline lists. */
export function recordSteps(pipeline: Pass): StepRecorder {
  const listed = listedIn(pipeline);
  const steps: Step[] = [];
  let open: { readonly pass: PassInfo; readonly before: IRModule } | undefined;
  return {
    name: 'RecordSteps',
    enter: () => {
      steps.length = 0;
      open = undefined;
    },
    beforePass: (before, pass) => {
      if (open === undefined && listed.has(pass)) open = { pass, before };
    },
    afterPass: (after, pass) => {
      if (open?.pass !== pass) return;
      steps.push({ pass: pass.name, before: open.before, after: right(after) });
      open = undefined;
    },
    steps: (failed) => {
      if (failed === undefined) return steps;
      const before = open?.before ?? lastOf(steps);
      if (before === undefined) return steps;
      return [...steps, { pass: open?.pass.name ?? pipeline.name, before, after: failed }];
    },
  };
}

export function runSteps(
  pipeline: Pass,
  m: IRModule,
  context: PassContextParts,
): ReadonlyArray<Step> {
  const recorder = recordSteps(pipeline);
  const { instruments = [], ...rest } = context;
  const result = runPass(pipeline, { ...rest, instruments: [...instruments, recorder] })(m);
  if (isRight(result)) return recorder.steps();
  const steps = recorder.steps(result);
  // A failure before the first pass is the pipeline's fault.
  return steps.length > 0 ? steps : [{ pass: pipeline.name, before: m, after: result }];
}

/** The first step with a bad result, by bisection; the last result must be bad. */
export function firstBad(
  steps: ReadonlyArray<Step>,
  isBad: (after: Result<IRModule>, index: number) => boolean,
): number | undefined {
  let bad = steps.length - 1;
  const last = steps[bad];
  if (last === undefined || !isBad(last.after, bad)) return undefined;
  let good = -1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const step = steps[middle];
    if (step !== undefined && isBad(step.after, middle)) bad = middle;
    else good = middle;
  }
  return bad;
}

/** Whether the module after a step differs; the first difference settles the regime. */
export function makeDifference(
  base: Baseline,
  wideSteps: () => ReadonlyArray<Step> | undefined,
  options: EquivalenceOptions,
): (after: Result<IRModule>, index: number) => boolean {
  let regimes: ReadonlyArray<Regime> = REGIMES.filter(
    (regime) => options.regimes?.includes(regime) !== false,
  );
  return (after, index) => {
    if (isLeft(after)) return true;
    const second = { native: after.right, wide: wideSteps()?.[index]?.after };
    for (const regime of regimes) {
      const found = compareWithBaseline(base, second, { ...options, regimes: [regime] });
      if (isRight(found) && found.right.verdict !== 'different') continue;
      regimes = [regime];
      return true;
    }
    return false;
  };
}

/** The passes that a pipeline lists, at any depth: instruments receive these objects. */
function listedIn(pipeline: Pass): ReadonlySet<PassInfo> {
  const listed = new Set<PassInfo>();
  const pending = [pipeline];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.wraps !== undefined) pending.push(next.wraps.pass);
    else if (next.isPipeline) pending.push(...next.passes);
    else listed.add(next);
  }
  return listed;
}

function lastOf(steps: ReadonlyArray<Step>): IRModule | undefined {
  const after = steps.at(-1)?.after;
  return after !== undefined && isRight(after) ? after.right : undefined;
}
