/** The variants of a model that are no levels, and the rows of all. */
import { isLeft, right } from '@baton/base';
import { structuralEqual } from '@baton/ir';
import { countNodes, type ModuleMeasure } from '@baton/ops';
import { type Arguments, type IRModule, measureModule, type Result } from 'batonjs';
import { worst } from './compare-outputs.ts';
import type { Times } from './level-times.ts';
import type { Earlier, Optimized } from './optimize-at.ts';
import { type Run, type RunProgramOptions, runOnce } from './run-program.ts';
import type { VariantRow } from './schema.ts';
import type { Timed } from './timed.ts';
import { executorFor, fusedFor, labelOf, type VariantName, variantAt } from './variants.ts';

/** A variant that is no level: as it came with one kernel a call, or behind a search. */
export interface OtherVariant {
  readonly name: VariantName;
  /** The earlier variant with the same program. */
  readonly sameAs: VariantName | undefined;
  /** Operator calls before fusion. */
  readonly nodes: number;
  readonly measure: ModuleMeasure;
  readonly run: Run | undefined;
  readonly error: Optimized['error'];
}

/** The programs that the other variants come from. */
export interface Sources {
  readonly base: Earlier;
  readonly best: Optimized;
  /** What the search found behind the highest level. */
  readonly found: IRModule;
}

/** The other variants, run for their results. A search stands behind level 3 alone. */
export function otherVariants(
  { base, best, found }: Sources,
  inputs: Arguments,
  options: RunProgramOptions & { readonly runs: boolean },
): Result<ReadonlyArray<OtherVariant>> {
  const all: OtherVariant[] = [];
  const sources: ReadonlyArray<readonly [VariantName, IRModule]> =
    best.level === 3
      ? [
          ['unfused', base.optimized],
          ['search', found],
        ]
      : [['unfused', base.optimized]];
  for (const [name, source] of sources) {
    const isBest = name === 'search' && structuralEqual(source, best.optimized);
    const sameAs = isBest ? (best.sameAs ?? variantAt(best.level)) : undefined;
    const program = fusedFor(name, source);
    if (isLeft(program)) return program;
    const executor = executorFor(name, options.executor);
    const run =
      options.runs && sameAs === undefined
        ? runOnce(program.right, inputs, labelOf(name), { ...options, executor })
        : right(sameAs === undefined ? undefined : best.run);
    if (isLeft(run)) return run;
    const error = base.run && run.right && worst(run.right.outputs, base.run.outputs);
    const nodes = countNodes(source);
    all.push({ name, sameAs, nodes, measure: measureModule(program.right), run: run.right, error });
  }
  return right(all);
}

/** The rows of all variants in `report.json`, the least optimized first. */
export function variantRows(
  base: Earlier,
  levels: ReadonlyArray<Optimized>,
  others: ReadonlyArray<OtherVariant>,
  times: Times,
): ReadonlyArray<VariantRow> {
  const measured = [
    ...others.filter(({ name }) => name === 'unfused'),
    {
      name: base.name,
      sameAs: undefined,
      nodes: countNodes(base.optimized),
      measure: base.measure,
      error: undefined,
    },
    ...levels.map((level) => ({ ...level, name: variantAt(level.level) })),
    ...others.filter(({ name }) => name !== 'unfused'),
  ];
  return measured.map(({ name, sameAs, nodes, measure, error }) => {
    const run = times.runOf(sameAs ?? name)?.timed;
    return {
      name,
      label: labelOf(name),
      sameAs: sameAs ?? null,
      ms: run?.ms ?? null,
      low: run?.low ?? null,
      high: run?.high ?? null,
      samples: run?.samples ?? 0,
      nodes,
      flops: measure.flops,
      bytes: measure.bytesMoved,
      kernels: measure.kernels,
      maxRelError: name === base.name && base.run ? 0 : (error?.maxRelError ?? null),
    };
  });
}

/** The time of a variant's run; `null` if it was not run. */
export const timedRun = ({ ms, low, high, samples }: VariantRow): Timed | null =>
  ms === null || low === null || high === null ? null : { ms, low, high, samples };
