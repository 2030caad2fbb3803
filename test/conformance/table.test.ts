import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every pair of a case and a file of the table in `docs/conformance.md`. */
const rows = readFileSync(`${root}/docs/conformance.md`, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, number] = /^\| (C\d{3}) \|/.exec(line) ?? [];
    if (number === undefined) return [];
    return [...line.matchAll(/`([^`]+\.(?:ts|ir))`/g)].map(([, file]) => ({
      number,
      file: `${file}`,
    }));
  });

describe('the table of conformance cases', () => {
  it('names files that carry their numbers', () => {
    expect(rows.length).toBeGreaterThan(100);
    const broken = rows.filter(({ number, file }) => {
      const path = `${root}/${file}`;
      if (!existsSync(path)) return true;
      return !basename(file).includes(number) && !readFileSync(path, 'utf8').includes(number);
    });
    expect(broken).toEqual([]);
  });
});
