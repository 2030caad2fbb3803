import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { standardOps } from '@baton/ops';
import { expect, it } from 'vitest';
import { anchorsAt } from './links.ts';
import { pages, root } from './pages.ts';

/** References to the specification: STYLE.md states their form. */

const { homepage } = JSON.parse(
  readFileSync(join(root, 'packages/baton/package.json'), 'utf8'),
) as { readonly homepage: string };

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.mjs'], {
  cwd: root,
  encoding: 'utf8',
});
const sources = listed
  .trim()
  .split('\n')
  .filter((path) => !path.startsWith('test/docs/'))
  .flatMap((path) => {
    try {
      const text = readFileSync(join(root, path), 'utf8').replace(/\$\{HOMEPAGE\}/g, homepage);
      return [{ path, text }];
    } catch {
      return []; // deleted, and git does not know yet
    }
  });

const NAMES = 'language|types|operators|passes|decisions|conformance';
const LINK = new RegExp(`\\[([^\\]]*)\\]\\(${homepage}spec/([a-z-]+)(?:#([\\w.-]+))?\\)`, 'g');
const ALONE = new RegExp(`(?<![\\w[/])(${NAMES}) §(\\d+(?:\\.\\d+)*)`, 'g');

/** The anchor named by the text of a link, or `undefined`. */
const anchorOfText = (text: string): string | undefined =>
  /(?:§|\b(?=[A-Z]))((?:[A-Z])?\d+(?:\.\d+)*)$/.exec(text)?.[1];

it('U.16 every reference of the sources to the specification leads to a section', () => {
  const wrong: string[] = [];
  let followed = 0;
  for (const { path, text } of sources) {
    for (const [link, label = '', page = '', anchor] of text.matchAll(LINK)) {
      const anchors = anchorsAt(`docs/spec/${page}.md`);
      const stated = anchorOfText(label) ?? anchor;
      if (anchors === undefined || (anchor !== undefined && !anchors.has(anchor))) {
        wrong.push(`${path}: ${link} leads nowhere`);
      } else if (stated !== anchor) wrong.push(`${path}: ${link} reads as ${stated}`);
      followed += 1;
    }
    for (const [reference, page, section = ''] of text.matchAll(ALONE)) {
      if (!anchorsAt(`docs/spec/${page}.md`)?.has(section)) {
        wrong.push(`${path}: ${reference} is no section`);
      }
      followed += 1;
    }
  }
  expect(wrong).toEqual([]);
  expect(followed).toBeGreaterThan(240);
});

it('U.16 a comment refers to the specification by a link', () => {
  const wrong = sources.flatMap(({ path, text }) => {
    const comments = text.match(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm) ?? [];
    return comments.flatMap((comment) => {
      const prose = comment.replaceAll(LINK, '').replace(/\s*\n\s*\*?\s*/g, ' ');
      const found = prose.match(
        new RegExp(`\\b(?:${NAMES})(?:\\.md)? §\\d|\\bdecisions? D\\d|README D\\d`),
      );
      return found === null ? [] : [`${path}: ${found[0]}`];
    });
  });
  expect(wrong).toEqual([]);
});

it('U.16 links of the sources and of READMEs to the site lead to a page of it', () => {
  const texts = [...sources, ...pages];
  const wrong = texts.flatMap(({ path, text }) => {
    const links = [...text.matchAll(new RegExp(`${homepage}([\\w./-]*)(?:#([\\w.-]+))?`, 'g'))];
    return links.flatMap(([link, page = '', anchor]) => {
      const file = page === '' || page.endsWith('/') ? [`${page}index`, `${page}README`] : [page];
      const at = file.map((name) => anchorsAt(`docs/${name}.md`)).find((known) => known);
      return at === undefined || (anchor !== undefined && !at.has(anchor))
        ? [`${path}: ${link}`]
        : [];
    });
  });
  expect(wrong).toEqual([]);
});

it('U.16 no comment names a file of the documents that users do not have', () => {
  const wrong = sources.flatMap(({ path, text }) =>
    /^packages\/[^/]+\/src\//.test(path) && /\bdocs\/[a-z]/.test(text) ? [path] : [],
  );
  expect(wrong).toEqual([]);
});

it('the list of operators that are not built is true, and all others are described', () => {
  const text = pages.find(({ path }) => path === 'docs/spec/operators.md')?.text ?? '';
  const [described = '', list = ''] = text.split('## 12. Not built yet');
  const listed = [...list.matchAll(/`([a-z][\w.]*)`/g)].map((m) => m[1] ?? '');
  expect(listed).not.toEqual([]);
  expect(listed.filter((name) => standardOps.get(name) !== undefined)).toEqual([]);
  const undescribed = standardOps.names.filter((name) => !described.includes(name));
  expect(undescribed).toEqual([]);
});

it('the specification names no section of its own that is not there', () => {
  const spec = pages.filter(({ path }) => path.startsWith('docs/spec/'));
  const wrong = spec.flatMap((page) => {
    const prose = page.text.replace(/\[[^\]]*\]\([^)]*\)/g, '');
    const alone = [...prose.matchAll(/(?<![\w.])§(\d+(?:\.\d+)*)/g)];
    return alone
      .filter(([, section = '']) => !anchorsAt(page.path)?.has(section))
      .map(([text]) => `${page.path}: ${text}`);
  });
  expect(wrong).toEqual([]);
});
