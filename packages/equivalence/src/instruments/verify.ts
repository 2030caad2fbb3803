/** Compares the results of programs before and after passes, while a pipeline runs. */
import {
  aFunction,
  checkOptions,
  DiagnosticsError,
  failure,
  isLeft,
  isRight,
  type OptionTypes,
  oneOfThese,
  orThrow,
  type Result,
  right,
} from '@baton/base';
import type { IRModule } from '@baton/ir';
import { type Instrument, type Pass, type PassInfo, runPass } from '@baton/pass-manager';
import { type Baseline, makeBaseline } from '../baseline.ts';
import { compareWithBaseline } from '../check.ts';
import { describeDifference } from '../describe.ts';
import { passAtFault } from '../diagnostics.ts';
import { firstBad, makeDifference, recordSteps, runSteps, type StepRecorder } from '../steps.ts';
import {
  EQUIVALENCE_TYPES,
  type Equivalence,
  type EquivalenceOptions,
  REGIMES,
} from '../verdicts.ts';

export interface VerifyOptions extends EquivalenceOptions {
  /**
   * `end`: once, around everything; a difference is then bisected to the faulty pass. `each`: after
   * every pass that is not a pipeline, which also exposes faults that a later pass hides. Default:
   * `end`.
   */
  readonly when?: 'each' | 'end';
  /** Receives each comparison. */
  readonly onVerdict?: (pass: string, equivalence: Equivalence) => void;
}

const VERIFY_TYPES: OptionTypes<VerifyOptions> = {
  ...EQUIVALENCE_TYPES,
  when: oneOfThese(['each', 'end']),
  onVerdict: aFunction,
};

/**
 * An instrument that runs the program before and after passes on the same inputs. If results
 * differ, the run ends with `EQUIV_DIFFERENT`, which names the pass; the bits that a pass gives up
 * in `needs` do not count.
 *
 * **Errors** of the run: `EQUIV_DIFFERENT`, `OPTION_*`, errors of comparisons.
 *
 * **Complexity** about eight evaluations of the program for a comparison, and four for its
 * reference, which `each` uses again until a pass with `needs` has changed something.
 */
export function verify(options: VerifyOptions = {}): Instrument {
  const wrong = failure(checkOptions('verify', options, VERIFY_TYPES, verify));
  if (wrong !== undefined) {
    const enter = (): void => {
      orThrow(wrong);
    };
    return { name: 'Verify', enter };
  }
  return options.when === 'each' ? verifyEach(options) : verifyEnd(options);
}

function verifyEnd(options: VerifyOptions): Instrument {
  let depth = 0;
  let start: IRModule | undefined;
  let recorder: StepRecorder | undefined;
  return {
    name: 'Verify',
    enter: () => {
      depth = 0;
    },
    beforePass: (m, info) => {
      const pass = passOf(info);
      if (depth++ === 0) {
        start = m;
        recorder = pass && recordSteps(pass);
      }
      recorder?.beforePass?.(m, info);
    },
    afterPass: (m, info) => {
      recorder?.afterPass?.(m, info);
      if (--depth > 0 || start === undefined || start === m) return;
      const pass = passOf(info);
      const base = orThrow(makeBaseline(start, options));
      const needs = options.needs ?? pass?.needs ?? [];
      const second = { native: m, wide: inFloat64(base, m, pass) };
      const found = orThrow(compareWithBaseline(base, second, { ...options, needs }));
      options.onVerdict?.(info.name, found);
      if (found.verdict !== 'different') return;
      const steps = recorder?.steps() ?? [];
      const wide = base.wide();
      const wideSteps = pass && isRight(wide) ? runSteps(pass, wide.right, {}) : undefined;
      const regimes = differingRegimes(found);
      const isDifferent = makeDifference(base, () => wideSteps, { ...options, needs, regimes });
      const culprit = firstBad(steps, isDifferent);
      blame(culprit === undefined ? info.name : (steps[culprit]?.pass ?? info.name), found);
    },
  };
}

/** The reference of `verifyEach`, valid until a pass with needs changes the program. */
interface Reference {
  readonly base: Baseline;
  readonly module: IRModule;
  /** `undefined` if the module has no float64 version. */
  readonly wide: Result<IRModule> | undefined;
}

function verifyEach(options: VerifyOptions): Instrument {
  const open: IRModule[] = [];
  let known: Reference | undefined;
  return {
    name: 'Verify',
    enter: () => {
      open.length = 0;
      known = undefined;
    },
    beforePass: (m) => {
      open.push(m);
    },
    afterPass: (m, info) => {
      const before = open.pop();
      const isDone = before === m || known?.module === m;
      if (before === undefined || info.isPipeline || isDone) return;
      const pass = passOf(info);
      const needs = options.needs ?? pass?.needs ?? [];
      const reference = known?.module === before ? known : referenceOf(before, options);
      const { base } = reference;
      const wide = afterPassInFloat64(reference, m, pass);
      const second = { native: m, wide };
      const found = orThrow(compareWithBaseline(base, second, { ...options, needs }));
      options.onVerdict?.(info.name, found);
      if (found.verdict === 'different') blame(info.name, found);
      known = needs.length === 0 ? { base, module: m, wide } : undefined;
    },
  };
}

function referenceOf(m: IRModule, options: VerifyOptions): Reference {
  const base = orThrow(makeBaseline(m, options));
  return { base, module: m, wide: base.wide() };
}

function afterPassInFloat64(
  { module, wide }: Reference,
  after: IRModule,
  pass: Pass | undefined,
): Result<IRModule> | undefined {
  if (pass === undefined || wide === undefined || isLeft(wide)) return undefined;
  return wide.right === module ? right(after) : runAlone(pass, wide.right);
}

const inFloat64 = (
  base: Baseline,
  after: IRModule,
  pass: Pass | undefined,
): Result<IRModule> | undefined =>
  afterPassInFloat64({ base, module: base.module, wide: base.wide() }, after, pass);

const differingRegimes = ({ regimes }: Equivalence) =>
  REGIMES.filter((name) => {
    const verdict = regimes[name];
    return verdict._tag === 'Applied' && !verdict.equal;
  });

function blame(culprit: string, found: Equivalence): never {
  throw new DiagnosticsError([passAtFault(culprit, describeDifference(found))]);
}

function runAlone(pass: Pass, m: IRModule): Result<IRModule> {
  const result = runPass(pass)(m);
  return isLeft(result) ? result : right(result.right.module);
}

/** The pass manager passes the pass itself to instruments. */
const passOf = (info: PassInfo): Pass | undefined =>
  '_tag' in info && info._tag === 'Pass' ? (info as Pass) : undefined;
