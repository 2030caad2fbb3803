import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { anchorsAt } from './links.ts';
import { pages, root } from './pages.ts';

/** Links between the documents. `pnpm run docs` checks links into the generated reference. */

/** A page without its code. */
const proseOf = (text: string): string =>
  text.replace(/^```.*\n[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

const GENERATED = 'docs/reference/';

it('every link of the documents leads to a file, and to a heading of it', () => {
  const wrong: string[] = [];
  for (const { path, text } of pages) {
    for (const [, target = ''] of proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const at = file === '' ? path : posix.join(posix.dirname(path), file);
      if (at.startsWith(GENERATED)) continue;
      if (!existsSync(join(root, at))) wrong.push(`${path}: ${target} is no file`);
      else if (anchor !== undefined && at.endsWith('.md') && !anchorsAt(at)?.has(anchor)) {
        wrong.push(`${path}: ${target} has no such heading`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

it('U.12 a README of a package has only links that lead somewhere once it is published', () => {
  const wrong = pages.flatMap(({ path, text }) =>
    /^packages\/[^/]+\/README\.md$/.test(path)
      ? [...proseOf(text).matchAll(/\]\((?!https:)([^)]*)\)/g)].map(
          ([, target]) => `${path}: ${target}`,
        )
      : [],
  );
  expect(wrong).toEqual([]);
});
