import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { anchorsAt } from './links.ts';
import { pages, root } from './pages.ts';

/** Links between the documents. Those into the generated reference are held by `pnpm run docs`. */

const GENERATED = 'docs/reference/';

it('every link of the documents leads to a file, and to a heading of it', () => {
  const wrong: string[] = [];
  for (const { path, text } of pages) {
    const prose = text.replace(/^```.*\n[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
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
