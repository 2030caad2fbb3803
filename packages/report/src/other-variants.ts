/** The variants of a model other than levels. */
import { isLeft, right } from '@baton/base';
import { structuralEqual } from '@baton/ir';
import { countNodes, type ModuleMeasure } from '@baton/ops';
import { type Arguments, type IRModule, measureModule, type Result } from 'batonjs';
import { worst } from './compare-outputs.ts';
import type { Earlier, Optimized } from './optimize-at.ts';
import { type Run, type RunProgramOptions, runOnce } from './run-program.ts';
import { executorFor, fusedFor, quantizedProgram } from './variant-programs.ts';
import { labelOf, type VariantName, variantAt } from './variants.ts';

/** A variant that is no level: the original unfused, after a search, or in integers. */
export interface OtherVariant {
  readonly name: VariantName;
  readonly sameAs: VariantName | undefined;
  readonly nodes: number;
  readonly measure: ModuleMeasure;
  readonly run: Run | undefined;
  readonly error: Optimized['error'];
}

export interface Sources {
  readonly base: Earlier;
  readonly best: Optimized;
  /** The result of the search after the highest level. */
  readonly found: IRModule;
}

/** The other variants, run for their results. A search and integers apply only after level 3. */
export function otherVariants(
  { base, best, found }: Sources,
  inputs: Arguments,
  options: RunProgramOptions & { readonly runs: boolean },
): Result<ReadonlyArray<OtherVariant>> {
  const all: OtherVariant[] = [];
  const sources: [VariantName, IRModule][] = [['unfused', base.optimized]];
  if (best.level === 3) {
    const { executor, limits = {} } = options;
    const given = { module: best.optimized, inputs, executor, limits };
    const quantized = options.runs ? quantizedProgram(given) : right(undefined);
    if (isLeft(quantized)) return quantized;
    sources.push(['search', found]);
    if (quantized.right !== undefined) sources.push(['quantized', quantized.right]);
  }
  for (const [name, source] of sources) {
    const isBest = name !== 'unfused' && structuralEqual(source, best.optimized);
    const sameAs = isBest ? (best.sameAs ?? variantAt(best.level)) : undefined;
    const program = fusedFor(name, source, options.limits);
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
