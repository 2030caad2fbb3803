// Makes the built site open from a folder: links between its pages become relative, and each page
// gets the classic scripts that replace modules.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOMEPAGE } from '../../scripts/project.mjs';

const dist = fileURLToPath(new URL('../.vitepress/dist', import.meta.url));
const base = new URL(HOMEPAGE).pathname;

/** A disk does not serve a folder's index or README for a target that ends in `/`. */
const withIndex = (target) => target.replace(/(^|\/)(?:README\.html)?(?=[#?]|$)/, '$1index.html');

const LINK = /\b(href|src)="([^"]*)"/g;

for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (path.endsWith('.css')) {
    // Fonts lie beside the style that names them.
    const css = readFileSync(join(dist, path), 'utf8');
    writeFileSync(join(dist, path), css.replaceAll(`url(${base}assets/`, 'url('));
  }
  if (!path.endsWith('.html')) continue;
  const page = path.replaceAll('\\', '/');
  const up = posix.relative(posix.dirname(page), '.') || '.';
  const file = join(dist, path);
  const text = readFileSync(file, 'utf8').replace(LINK, (link, name, target) => {
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
