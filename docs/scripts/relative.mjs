// Makes the built site open from a folder: links between its pages become relative, and each page
// gets the classic scripts that replace modules. Two thousand pages repeat the same frame, so its class
// names become short, and colours of code become classes.
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOMEPAGE } from '../../scripts/project.mjs';

const dist = fileURLToPath(new URL('../.vitepress/dist', import.meta.url));
const base = new URL(HOMEPAGE).pathname;

/** A disk does not serve a folder's index or README for a target that ends in `/`. */
const withIndex = (target) => target.replace(/(^|\/)(?:README\.html)?(?=[#?]|$)/, '$1index.html');

const LINK = /\b(href|src)="([^"]*)"/g;

const COMMENT = /<!--(?:\[|\]|)-->/g;

/** The mark of a component, on its elements and in its styles. */
const MARK = /\bdata-v-[0-9a-f]{8}\b/g;

/** The colours of a token of code, light and dark. */
const COLOURS = /<span style="(--shiki-[^"]*)">/g;

/** A short name for each text, in order of appearance. */
function makeNames(prefix) {
  const names = new Map();
  return {
    names,
    of: (text) => {
      if (!names.has(text)) names.set(text, `${prefix}${names.size.toString(36)}`);
      return names.get(text);
    },
  };
}

const marks = makeNames('v-');
const colours = makeNames('k-');

for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (path.endsWith('.css')) {
    // Fonts are in the same folder as the style that names them.
    const css = readFileSync(join(dist, path), 'utf8');
    const own = css.replaceAll(`url(${base}assets/`, 'url(').replace(MARK, marks.of);
    writeFileSync(join(dist, path), own);
  }
  if (!path.endsWith('.html')) continue;
  const page = path.replaceAll('\\', '/');
  const up = posix.relative(posix.dirname(page), '.') || '.';
  const file = join(dist, path);
  // The comments are for scripts that take over a page, and pages have none.
  const text = readFileSync(file, 'utf8')
    .replace(COMMENT, '')
    .replace(MARK, marks.of)
    .replace(COLOURS, (_, style) => `<span class="${colours.of(style)}">`)
    .replace(LINK, (link, name, target) => {
      if (/^(?:[a-z]+:|#)/.test(target)) return link;
      const at = target.startsWith(base) ? `${up}/${target.slice(base.length)}` : target;
      return `${name}="${withIndex(at)}"`;
    });
  const own = [
    `<link rel="stylesheet" href="${up}/site.css">`,
    `<script defer src="${up}/search.js"></script>`,
    `<script defer src="${up}/site.js" data-root="${up}"></script>`,
  ];
  writeFileSync(file, text.replace('</head>', `${own.join('\n')}\n</head>`));
}

const rules = [...colours.names].map(([style, name]) => `.${name}{${style}}`);
appendFileSync(join(dist, 'site.css'), `\n${rules.join('\n')}\n`);
