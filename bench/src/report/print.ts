/** The report on a terminal. */
import { ms, scientific, si, table } from '../table.ts';
import type { Report } from './schema.ts';

/** The tables of a report. */
export function printReport(report: Report): string {
  const parts: string[] = [];
  if (report.models.length > 0) parts.push(summary(report), levels(report));
  for (const { name, lacks } of report.unreadable) {
    parts.push([`${name} cannot be read yet. It lacks:`, ...lacks.map((l) => `  ${l}`)].join('\n'));
  }
  return parts.join('\n\n');
}

const summary = (report: Report): string =>
  table(
    [
      'model',
      'nodes',
      'kernels',
      'FLOPs',
      'params',
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
      si(m.flops),
      `${si(m.paramBytes)}B`,
      ms(m.importMs + m.inferMs),
      ms(m.optimizeMs),
      ifRun(m.maxRelError, scientific),
      ifRun(m.equivalent, (yes) => (yes ? 'yes' : 'NO')),
      m.golden === null ? '' : m.golden.ok ? `ok (${scientific(m.golden.maxError)})` : 'NO',
    ]),
  );

const levels = (report: Report): string =>
  table(
    [
      'model',
      'level',
      'nodes',
      'kernels',
      'moved',
      'optimize ms',
      'fuse ms',
      'run ms',
      'max rel. error',
    ],
    report.models.flatMap((m) => [
      [
        m.name,
        'as it is',
        `${m.nodes.before}`,
        `${m.kernels.before}`,
        `${si(m.bytesMoved.before)}B`,
        '',
        '',
        ifRun(m.runMs, (run) => ms(run.before)),
        '',
      ],
      ...m.levels.map((l) => [
        '',
        `${l.level}`,
        `${l.nodes}`,
        `${l.kernels}`,
        `${si(l.bytesMoved)}B`,
        ms(l.ms),
        ms(l.fuseMs),
        ifRun(l.runMs, ms),
        ifRun(l.maxRelError, scientific),
      ]),
    ]),
  );

/** Blank where runs were left out. */
const ifRun = <A>(value: A | null, print: (value: A) => string): string =>
  value === null ? '' : print(value);
