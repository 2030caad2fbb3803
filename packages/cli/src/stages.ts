/** An instrument that shows the pass that runs, and about how long the others will take. */
import type { Instrument } from 'batonjs';
import type { Host } from './host.ts';

/** Shows the passes of a run in words: `optimizing: FoldConstant (3 of 14, about 2 s left)`. */
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
      const each = done === 0 ? 0 : (now() - start) / done;
      const left = Math.round((each * Math.max(0, passes - done)) / 1000);
      const time = left === 0 ? '' : `, about ${left} s left`;
      progress.step(`optimizing: ${name} (${done + 1} of ${Math.max(passes, done + 1)}${time})`);
    },
    afterPass: (_, { isPipeline }) => {
      if (!isPipeline) done++;
    },
  };
}
