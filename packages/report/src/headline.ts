/** Summarizes a report in one sentence. */
import { scientific } from './figures.ts';
import type { ModelReport } from './schema.ts';
import type { VariantName } from './variants.ts';

/** The geometric mean of the speedups, and the largest error; `null` if nothing was run. */
export function headline(models: ReadonlyArray<Pick<ModelReport, 'variants'>>): string | null {
  const level = models[0]?.variants.findLast(({ name }) => /^level\d$/.test(name));
  const base = level && gain(models, 'fused', level.name);
  const unfused = level && gain(models, 'unfused', level.name);
  if (base === undefined || unfused === undefined) return null;
  const errors = models.flatMap(({ variants }) =>
    variants.filter(({ name }) => name === level?.name).map((v) => v.maxRelError ?? 0),
  );
  const means = models.length > 1 ? ` (geometric means of ${models.length} models)` : '';
  return (
    `At ${level?.label} a run is ${base.toFixed(2)} times as fast as the original program, fused, and ` +
    `${unfused.toFixed(2)} times as fast as with one kernel a call${means}. ` +
    `Largest relative error: ${scientific(Math.max(0, ...errors))}.`
  );
}

function gain(
  models: Parameters<typeof headline>[0],
  before: VariantName,
  after: VariantName,
): number | undefined {
  const logs = models.flatMap(({ variants }) => {
    const of = (name: VariantName): number | null =>
      variants.find((variant) => variant.name === name)?.ms ?? null;
    const [a, b] = [of(before), of(after)];
    return a === null || b === null ? [] : [Math.log(a / b)];
  });
  return logs.length === 0
    ? undefined
    : Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}
