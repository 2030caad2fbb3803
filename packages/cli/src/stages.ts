/** Shows the stages of a run in words, with an estimate of the remaining time. */
import type { Instrument } from 'batonjs';
import { check } from 'batonjs';
import type { Host } from './host.ts';

/** Shows the passes of a run: `optimizing: FoldConstant (3 of 14, about 2 s left)`. */
export function showStages({ progress, now }: Host, passes: number): Instrument {
  let done = 0;
  let start = 0;
  return {
    name: 'Stages',
    enter: () => {
      start = now();
    },
    beforePass: (_, { name, isPipeline }) => {
      if (isPipeline) return;
      // A pass that runs others again runs more than the pipeline has.
      const of = done < passes ? ` of ${passes}${timeLeft(now() - start, done, passes)}` : '';
      progress.step(`optimizing: ${name} (${done + 1}${of})`);
    },
    afterPass: (_, { isPipeline }) => {
      if (!isPipeline) done++;
    },
  };
}

/** Shows the inputs of a comparison: `comparing: native inputs (3 of 4, about 2 s left)`. */
export function showRegimes({ progress, now }: Host): (regime: string, done: number) => void {
  let start = 0;
  const all = check.REGIMES.length;
  return (regime, done) => {
    if (done === 0) start = now();
    const time = timeLeft(now() - start, done, all);
    progress.step(`comparing: ${regime} inputs (${done + 1} of ${all}${time})`);
  };
}

/** `, about 2 s left`, extrapolated from the work done; empty if that is no time. */
export function timeLeft(ms: number, done: number, all: number): string {
  const left = done === 0 ? 0 : Math.round(((ms / done) * (all - done)) / 1000);
  return left === 0 ? '' : `, about ${left} s left`;
}
