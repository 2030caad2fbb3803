/** Prints the report on a terminal. */
import { table } from '@baton/base';
import { ms, scientific, si } from './figures.ts';
import { headline } from './headline.ts';
import { printSearches } from './print-searches.ts';
import {
  type EngineRow,
  type ModelReport,
  type Report,
  timedRun,
  type VariantRow,
} from './schema.ts';
import type { Timed } from './timed.ts';
import { labelOf, type VariantName, variantAt } from './variants.ts';

export function printReport(report: Report): string {
  const parts: string[] = [];
  if (report.models.length > 0) parts.push(summary(report), levels(report), changes(report));
  for (const { name, lacks } of report.unreadable) {
    parts.push([`${name} cannot be read yet. It lacks:`, ...lacks.map((l) => `  ${l}`)].join('\n'));
  }
  const result = headline(report.models);
  if (result !== null) parts.push(result);
  if (report.searches.length > 0) parts.push(printSearches(report.searches));
  return parts.join('\n\n');
}

const summary = (report: Report): string =>
  table(
    [
      'model',
      'nodes',
      'kernels',
      'FLOPs',
      'moved',
      'params',
      'run ms',
      'read ms',
      'optimize ms',
      'max rel. error',
      'equivalent',
      'golden',
    ],
    report.models.map((m) => [
      m.name,
      `${m.nodes.before} → ${m.nodes.after}`,
      `${m.kernels.before} → ${m.kernels.after}`,
      `${si(m.flops.before)} → ${si(m.flops.after)}`,
      `${si(m.bytesMoved.before)}B → ${si(m.bytesMoved.after)}B`,
      `${si(m.paramBytes.after)}B`,
      ifRun(m.run, ({ before, after }) => `${ms(before.ms)} → ${ms(after.ms)}`),
      ms(m.importMs + m.inferMs),
      ms(m.optimize.ms),
      ifRun(m.maxRelError, scientific),
      ifRun(m.equivalent, (yes) => (yes ? 'yes' : 'NO')),
      m.golden === null ? '' : m.golden.ok ? `ok (${scientific(m.golden.maxError)})` : 'NO',
    ]),
  );

const levels = (report: Report): string =>
  table(
    [
      'model',
      'program',
      'nodes',
      'kernels',
      'FLOPs',
      'moved',
      'optimize ms',
      'fuse ms',
      'run ms',
      'max rel. error',
    ],
    report.models.flatMap((m) => [
      [m.name, ...variantRow(variantOf(m, 'unfused'))],
      [
        '',
        labelOf('fused'),
        `${m.nodes.before}`,
        `${m.kernels.before}`,
        si(m.flops.before),
        `${si(m.bytesMoved.before)}B`,
        '',
        '',
        ifRun(m.run, (run) => spread(run.before)),
        '',
      ],
      ...m.levels.map((l) => [
        '',
        withSame(labelOf(variantAt(l.level)), l.sameAs),
        `${l.nodes}`,
        `${l.kernels}`,
        si(l.flops),
        `${si(l.bytesMoved)}B`,
        spread(l.optimize),
        ms(l.fuse.ms),
        ifRun(l.run, spread),
        ifRun(l.maxRelError, scientific),
      ]),
      ...m.engines.map((row) => [
        '',
        withSame(row.engine, row.isChanged ? null : bestOf(m)),
        `${row.nodes}`,
        `${row.kernels}`,
        si(row.flops),
        `${si(row.bytesMoved)}B`,
        ms(row.ms),
        ...engineRun(row, m),
      ]),
      ...(variantOf(m, 'quantized') === undefined
        ? []
        : [['', ...variantRow(variantOf(m, 'quantized'))]]),
    ]),
  );

const variantRow = (row: VariantRow | undefined): ReadonlyArray<string> =>
  row === undefined
    ? []
    : [
        row.label,
        `${row.nodes}`,
        `${row.kernels}`,
        si(row.flops),
        `${si(row.bytes)}B`,
        ...['', ''],
        ...runOf(row),
      ];

const withSame = (label: string, same: VariantName | null): string =>
  same === null ? label : `${label} = ${labelOf(same)}`;

const variantOf = (m: ModelReport, name: VariantName): VariantRow | undefined =>
  m.variants.find((variant) => variant.name === name);

const bestOf = (m: ModelReport): VariantName => variantAt(m.levels.at(-1)?.level ?? 0);

/** The cells of fusion, the run and its error: only a search is run, if it found something. */
const engineRun = (row: EngineRow, m: ModelReport): ReadonlyArray<string> => {
  const search = row.isChanged && row.engine === 'saturation' ? variantOf(m, 'search') : undefined;
  return search === undefined ? ['', '', ''] : ['', ...runOf(search)];
};

const runOf = (row: VariantRow): ReadonlyArray<string> => [
  ifRun(timedRun(row), spread),
  ifRun(row.maxRelError, scientific),
];

/** The measures that got worse; times only if they differ by more than the spread. */
const changes = ({ models }: Report): string =>
  [
    'Every program is fused, as it is too. A time is a median (least to greatest sample), measured',
    'warm in a process of its own, the variants of a model in turn.',
    ...models.flatMap(({ name, worse }) =>
      worse.map(({ measure, before, after }) => {
        const percent =
          before === 0 ? '' : ` (+${((100 * (after - before)) / before).toFixed(1)} %)`;
        return `WORSE: ${name}: ${measure} ${figure(measure, before)} → ${figure(measure, after)}${percent}`;
      }),
    ),
    ...(models.every(({ worse }) => worse.length === 0)
      ? ['No model got worse in any measure.']
      : []),
  ].join('\n');

const figure = (measure: string, value: number): string =>
  measure === 'executor time' ? `${ms(value)} ms` : si(value);

/** `12.3 (12.1–12.9)`. */
const spread = ({ ms: middle, low, high, samples }: Timed): string =>
  samples === 1 ? ms(middle) : `${ms(middle)} (${ms(low)}–${ms(high)})`;

/** The value as text; blank if programs were not run. */
const ifRun = <A>(value: A | null, print: (value: A) => string): string =>
  value === null ? '' : print(value);
