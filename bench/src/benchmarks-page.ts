/** The page `docs/benchmarks.md`: each of its sections is written by the benchmark that it names. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { write } from './files.ts';

const PAGE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

/** A section below its heading. */
export interface Section {
  readonly heading: string;
  readonly body: string;
}

/** The mark of what is worse. */
export const WORSE = '🔴';

/** The page with these sections in place of those of the same headings; new ones come last. */
export function withSections(page: string, sections: ReadonlyArray<Section>): string {
  const [head = '', ...old] = page.split(/^## /m);
  const bodies = new Map(
    old.map((text) => {
      const [heading = ''] = text.split('\n', 1);
      return [heading, text.slice(heading.length).trim()];
    }),
  );
  for (const { heading, body } of sections) bodies.set(heading, body.trim());
  const written = [...bodies].map(([heading, body]) => `## ${heading}\n\n${body}\n`);
  return `${[head, ...written]
    .join('\n')
    .trim()
    .replace(/\n{3,}/g, '\n\n')}\n`;
}

/** Writes sections into the page of the repository. */
export const writeSections = (sections: ReadonlyArray<Section>): Promise<void> =>
  write(PAGE, withSections(readFileSync(PAGE, 'utf8'), sections));

/** The machine, with the versions of what ran: `Node 20.20.2`, .. */
export const measuredOn = (versions: ReadonlyArray<string>): string =>
  `Measured on ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${cpus().length} cores; ` +
  `${[`Node ${process.versions.node}`, ...versions].join(', ')}.`;

/** A table in Markdown: the first column is text, the others are numbers. */
export function markdown(
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): string {
  const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(' | ')} |`;
  const rule = `|---|${header
    .slice(1)
    .map(() => '--:|')
    .join('')}`;
  return [line(header), rule, ...rows.map(line)].join('\n');
}

/** The geometric mean of positive numbers. */
export const geometricMean = (values: ReadonlyArray<number>): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
