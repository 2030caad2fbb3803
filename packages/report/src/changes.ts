/** The measures that improved and those that got worse. */

import type { BeforeAfter, Change } from './schema.ts';
import { isFaster, isSlower, type Timed } from './timed.ts';

/** The figures of the original program and of the highest level. */
export interface Figures {
  readonly nodes: BeforeAfter;
  readonly kernels: BeforeAfter;
  readonly flops: BeforeAfter;
  readonly bytesMoved: BeforeAfter;
  readonly paramBytes: BeforeAfter;
  readonly run: { readonly before: Timed; readonly after: Timed } | null;
}

/** The measures that rose and those that fell; a time counts only if no two samples overlap. */
export function changesOf(figures: Figures): {
  readonly worse: ReadonlyArray<Change>;
  readonly better: ReadonlyArray<Change>;
} {
  const counts: ReadonlyArray<Change> = [
    { measure: 'nodes', ...figures.nodes },
    { measure: 'kernels', ...figures.kernels },
    { measure: 'FLOPs', ...figures.flops },
    { measure: 'bytes moved', ...figures.bytesMoved },
    { measure: 'parameters', ...figures.paramBytes },
  ];
  const { run } = figures;
  const time = (differs: (before: Timed, after: Timed) => boolean): ReadonlyArray<Change> =>
    run !== null && differs(run.before, run.after)
      ? [{ measure: 'executor time', before: run.before.ms, after: run.after.ms }]
      : [];
  return {
    worse: [...counts.filter((c) => c.after > c.before), ...time(isSlower)],
    better: [...counts.filter((c) => c.after < c.before), ...time(isFaster)],
  };
}
