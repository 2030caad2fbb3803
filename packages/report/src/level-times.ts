/** The times of a model's variants, and the rows of its levels. */

import { type Earlier, EQUIVALENT_RELATIVE_ERROR, type Optimized } from './optimize-at.ts';
import type { OtherVariant } from './other-variants.ts';
import { operatorTimes } from './profile.ts';
import type { Run } from './run-program.ts';
import type { LevelRow } from './schema.ts';
import { type Timed, timedOf } from './timed.ts';
import {
  type RunTimes,
  type Timing,
  type VariantName,
  type VariantTimes,
  variantAt,
} from './variants.ts';

export interface Times {
  readonly runOf: (variant: VariantName) => RunTimes | undefined;
  readonly optimizeOf: (level: Optimized) => { readonly optimize: Timed; readonly fuse: Timed };
}

/** Whether programs are run, and how they are timed. Default: from a single run in this process. */
export interface TimingOptions {
  readonly runs: boolean;
  readonly timing?: (variants: Parameters<Timing>[1]) => ReturnType<Timing>;
}

/** The variant whose program a level runs: its own, or an earlier one with the same program. */
export const variantOf = (level: Optimized): VariantName => level.sameAs ?? nameOf(level);

const nameOf = ({ level }: Optimized): VariantName => variantAt(level);

/** Measures in processes if the options have them, otherwise takes the times of this process. */
export async function timesOf(
  base: Earlier,
  levels: ReadonlyArray<Optimized>,
  others: ReadonlyArray<OtherVariant>,
  { timing, runs }: TimingOptions,
): Promise<Times> {
  const variants = [
    { name: base.name, runs },
    ...levels.map((level) => ({ name: nameOf(level), runs: runs && level.sameAs === undefined })),
    ...others.map(({ name, sameAs }) => ({ name, runs: runs && sameAs === undefined })),
  ];
  const measured: ReadonlyMap<VariantName, VariantTimes> =
    timing === undefined
      ? new Map([
          [base.name, { run: seen(base.run), optimize: undefined, fuse: undefined }],
          ...levels.map((l) => [nameOf(l), seenAt(l)] as const),
          ...others.map(
            ({ name, run }) =>
              [name, { run: seen(run), optimize: undefined, fuse: undefined }] as const,
          ),
        ])
      : await timing(variants);
  return {
    runOf: (variant) => measured.get(variant)?.run,
    optimizeOf: (level) => {
      const times = measured.get(nameOf(level));
      return {
        optimize: times?.optimize ?? timedOf([level.ms]),
        fuse: times?.fuse ?? timedOf([level.fuseMs]),
      };
    },
  };
}

const seenAt = (level: Optimized): VariantTimes => ({
  run: seen(level.run),
  optimize: timedOf([level.ms]),
  fuse: timedOf([level.fuseMs]),
});

const seen = (run: Run | undefined): RunTimes | undefined =>
  run && { timed: timedOf([run.ms]), operators: operatorTimes(run.kernels, 1) };

export function levelRow(level: Optimized, times: Times): LevelRow {
  const { measure, error } = level;
  return {
    level: level.level,
    sameAs: level.sameAs ?? null,
    nodes: level.nodes,
    kernels: measure.kernels,
    flops: measure.flops,
    bytesMoved: measure.bytesMoved,
    paramBytes: measure.paramBytes,
    ...times.optimizeOf(level),
    run: times.runOf(variantOf(level))?.timed ?? null,
    maxAbsError: error?.maxAbsError ?? null,
    maxRelError: error?.maxRelError ?? null,
    equivalent: error === undefined ? null : error.maxRelError <= EQUIVALENT_RELATIVE_ERROR,
  };
}
