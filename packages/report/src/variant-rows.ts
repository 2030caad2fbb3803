/** The rows of all variants in `report.json`. */
import { countNodes } from '@baton/ops';
import type { Times } from './level-times.ts';
import type { Earlier, Optimized } from './optimize-at.ts';
import type { OtherVariant } from './other-variants.ts';
import type { VariantRow } from './schema.ts';
import { labelOf, variantAt } from './variants.ts';

/** The least optimized first. */
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
