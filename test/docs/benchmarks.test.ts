/** The README quotes the page of benchmarks. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withSections } from '../../bench/src/benchmarks-page.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const rowsIn = (text: string): ReadonlyArray<string> =>
  text.split('\n').filter((line) => line.startsWith('|'));

describe('a section of the page', () => {
  it('is replaced by one of the same heading, and the others stay in their order', () => {
    const text = '# Page\n\nIntro.\n\n## A\n\nold\n\n## B\n\n| x |\n';
    const written = withSections(text, [
      { heading: 'A', body: 'new\n' },
      { heading: 'C', body: 'last' },
    ]);
    expect(written).toBe('# Page\n\nIntro.\n\n## A\n\nnew\n\n## B\n\n| x |\n\n## C\n\nlast\n');
    expect(withSections(read('docs/benchmarks.md'), [])).toBe(read('docs/benchmarks.md'));
  });
});

describe('the figures of the README', () => {
  const [, quoted = ''] = /<!-- field -->(.*?)<!-- end of field -->/s.exec(read('README.md')) ?? [];
  const page = read('docs/benchmarks.md');

  it('are those of docs/benchmarks.md', () => {
    const [, all = ''] = /## All files\n(.*?)\n## /s.exec(page) ?? [];
    expect(rowsIn(quoted)).toEqual(rowsIn(all));
    expect(rowsIn(quoted).length).toBeGreaterThan(6);
  });

  it('are of 40 files at least, each of which has a row', () => {
    const [, each = ''] = /## Each file\n(.*?)(?=\n## |$)/s.exec(page) ?? [];
    const files = rowsIn(each).length - 2;
    expect(files).toBeGreaterThanOrEqual(40);
    expect(quoted).toContain(`of ${files} |`);
  });

  it('of its first lines are those of the tables', () => {
    const cellsOf = (tool: string): ReadonlyArray<string> =>
      (rowsIn(page).find((row) => row.startsWith(`| ${tool} |`)) ?? '')
        .split('|')
        .map((cell) => cell.replace('🔴', '').trim())
        .slice(1);
    const [, taken, nodes, , seconds, memory, run] = cellsOf('Baton');
    const [, theirs = '', theirNodes, , theirSeconds, theirMemory, theirRun] =
      cellsOf('onnxsim (pip)');
    const [, rules, proved, bounded, defined, tested] =
      /Of (\d+) rules (\d+) proved, (\d+) proved up to a bound, (\d+) by definition, (\d+) tested/.exec(
        read('docs/rules.md'),
      ) ?? [];
    const isProved = Number(proved) + Number(bounded);
    const [first = ''] = read('README.md').split('\n## ');
    for (const figure of [
      `**${taken}** ONNX files from third-party packages are optimized as they are, without options. The results have **${nodes}** of the nodes and take **${run}** of the time in onnxruntime; onnxsim handles ${theirs.split(' ')[0]} files, with ${theirNodes} and ${theirRun}`,
      `**${seconds} s and ${memory}** of memory for the median file; onnxsim needs ${theirSeconds} s and ${theirMemory}`,
      `**${isProved} of ${rules}** rewrite rules are proved, ${defined} are definitions of operators, and the other ${tested} are tested`,
    ]) {
      expect(first).toContain(figure);
    }
  });
});
