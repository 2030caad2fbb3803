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
      scientific(m.maxRelError),
      m.equivalent ? 'yes' : 'NO',
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
        ms(m.runMs.before),
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
        ms(l.runMs),
        scientific(l.maxRelError),
      ]),
    ]),
  );
