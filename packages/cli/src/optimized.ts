/** Runs a pipeline, on request verified and without passes that fail. */
import { isLeft, type Limits, type Result, right } from '@baton/base';
import {
  type Diagnostics,
  type Instrument,
  type IRModule,
  type Pass,
  type PassReport,
  runPass,
  verify,
} from 'batonjs';
import type { Host } from './host.ts';
import { showRegimes, showStages } from './stages.ts';

export interface RunChoices {
  readonly verified: boolean;
  /** Whether a pass that fails is skipped, and the others continue. */
  readonly keepsGoing: boolean;
  readonly limits: Limits;
  readonly instruments?: ReadonlyArray<Instrument>;
}

export interface LeftOutPass {
  readonly pass: string;
  readonly problems: Diagnostics;
}

export interface Optimized {
  readonly module: IRModule;
  readonly report: PassReport;
  readonly leftOut: ReadonlyArray<LeftOutPass>;
}

/** Runs the pipeline. With `keepsGoing` it restarts without a pass that failed. */
export function optimizedBy(
  pipeline: Pass,
  model: IRModule,
  host: Host,
  { verified, keepsGoing, limits, instruments = [] }: RunChoices,
): Result<Optimized> {
  const leftOut: LeftOutPass[] = [];
  for (;;) {
    const open = openPasses();
    const { shouldStop } = limits;
    const checks = verified
      ? [verify({ when: keepsGoing ? 'each' : 'end', shouldStop, onRegime: showRegimes(host) })]
      : [];
    const ran = runPass(pipeline, {
      now: host.now,
      limits,
      instruments: [
        ...checks,
        showStages(host, leavesOf(pipeline)),
        open.instrument,
        ...instruments,
      ],
      disabledPasses: leftOut.map(({ pass }) => pass),
    })(model);
    if (!isLeft(ran)) return right({ ...ran.right, leftOut });
    const culprit = open.innermost();
    const isKnown = culprit === undefined || leftOut.some(({ pass }) => pass === culprit);
    if (!keepsGoing || isKnown) return ran;
    leftOut.push({ pass: culprit, problems: ran.left });
  }
}

function leavesOf(pipeline: Pass): number {
  const pending = [pipeline];
  let count = 0;
  for (let pass = pending.pop(); pass !== undefined; pass = pending.pop()) {
    if (pass.passes.length === 0) count++;
    pending.push(...pass.passes);
  }
  return count;
}

/** Tracks which passes have begun and not ended. */
function openPasses(): {
  readonly instrument: Instrument;
  readonly innermost: () => string | undefined;
} {
  const open: string[] = [];
  return {
    innermost: () => open.at(-1),
    instrument: {
      name: 'OpenPasses',
      beforePass: (_, { name, isPipeline }) => void (isPipeline || open.push(name)),
      afterPass: (_, { isPipeline }) => void (isPipeline || open.pop()),
    },
  };
}
