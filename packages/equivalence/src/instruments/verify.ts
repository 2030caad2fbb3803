/** Compares what programs compute before and after passes, while a pipeline runs. */
import { DiagnosticsError, isLeft, isRight, orThrow, type Result, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { type Instrument, type Pass, type PassInfo, runPass } from '@baton/pass-manager';
import { makeBaseline } from '../baseline.ts';
import { bisect } from '../bisect.ts';
import { compareWithBaseline } from '../check.ts';
import { describeDifference } from '../describe.ts';
import { passAtFault } from '../diagnostics.ts';
import type { Equivalence, EquivalenceOptions } from '../regimes.ts';

/** How to verify. */
export interface VerifyOptions extends EquivalenceOptions {
  /**
   * `each`: after every pass that is no pipeline. `end`: once, around everything; a difference is
   * then bisected to the pass at fault. Default: `each`.
   */
  readonly when?: 'each' | 'end';
  /** Told of each comparison. */
  readonly onVerdict?: (pass: string, equivalence: Equivalence) => void;
}

/**
 * An instrument that runs the program before and after passes on the same inputs. Where results
 * differ, the run ends with `EQUIV_DIFFERENT`, which names the pass; the bits that a pass says it
 * does not keep (`needs`) do not count.
 *
 * **Complexity** a dozen evaluations of the program a pass that changed it.
 */
export function verify(options: VerifyOptions = {}): Instrument {
  const when = options.when ?? 'each';
  const open: IRModule[] = [];
  return {
    name: 'Verify',
    enter: () => {
      open.length = 0;
    },
    beforePass: (m) => {
      open.push(m);
    },
    afterPass: (m, pass) => {
      const before = open.pop();
      const isDue = when === 'each' ? !pass.isPipeline : open.length === 0;
      if (before === undefined || before === m || !isDue) return;
      const equivalence = orThrow(compare(before, m, pass, options));
      options.onVerdict?.(pass.name, equivalence);
      if (equivalence.verdict !== 'different') return;
      const culprit = when === 'end' ? culpritOf(before, pass, options) : pass.name;
      const found = passAtFault(culprit, describeDifference(equivalence));
      throw new DiagnosticsError([found]);
    },
  };
}

function compare(
  before: IRModule,
  after: IRModule,
  info: PassInfo,
  options: VerifyOptions,
): Result<Equivalence> {
  const base = makeBaseline(before, options);
  if (isLeft(base)) return base;
  const pass = passOf(info);
  const wide = base.right.wide();
  const shadow =
    pass === undefined || isLeft(wide)
      ? undefined
      : wide.right === base.right.module
        ? right(after)
        : runAlone(pass, wide.right);
  const needs = options.needs ?? pass?.needs ?? [];
  return compareWithBaseline(base.right, { native: after, wide: shadow }, { ...options, needs });
}

function culpritOf(before: IRModule, info: PassInfo, options: VerifyOptions): string {
  const pass = passOf(info);
  const found = pass && bisect(pass, before, options);
  return found !== undefined && isRight(found) ? found.right.pass : info.name;
}

function runAlone(pass: Pass, m: IRModule): Result<IRModule> {
  const result = runPass(pass, { level: 9 })(m);
  return isLeft(result) ? result : right(result.right.module);
}

/** The driver tells instruments of the pass itself. */
const passOf = (info: PassInfo): Pass | undefined =>
  '_tag' in info && info._tag === 'Pass' ? (info as Pass) : undefined;
