/** The section of `docs/benchmarks.md` on what optimization is worth. */
import { headline, type ModelReport, ms, scientific } from '@baton/report';
import { markdown, measuredOn, type Section, WORSE } from './benchmarks-page.ts';

/** The section of a report: a row for each model, a column for each variant that was measured. */
export function variantsSection(models: ReadonlyArray<ModelReport>): Section {
  const names = [...new Set(models.flatMap(({ variants }) => variants.map(({ name }) => name)))];
  const labels = names.map(
    (name) =>
      models.flatMap(({ variants }) => variants.filter((v) => v.name === name))[0]?.label ?? name,
  );
  const rows = models.map(({ name, variants, worse }) => {
    const at = (variant: string) => variants.find((one) => one.name === variant);
    const [fused, best] = [at('fused')?.ms, at('level3')?.ms];
    const gain = fused && best ? (fused / best).toFixed(2) : '-';
    const isWorse = worse.some(({ measure }) => measure === 'executor time');
    const error = at('level3')?.maxRelError;
    return [
      name,
      ...names.map((variant) => {
        const time = at(variant)?.ms;
        return time === null || time === undefined ? '-' : ms(time);
      }),
      isWorse ? `${gain} ${WORSE}` : gain,
      error === null || error === undefined ? '-' : scientific(error),
    ];
  });
  return {
    heading: 'What optimization is worth',
    body: `Milliseconds of a run of each model on the executor \`wasm\`: the original program with one kernel per call, fused, at each level, and after a search by rules. The gain is the speed-up of level 3 over the original program, fused. \`pnpm bench --page\` writes this section.

${headline(models) ?? ''}

${measuredOn([])}

${markdown(['model', ...labels, 'gain', 'rel. error'], rows)}`,
  };
}
