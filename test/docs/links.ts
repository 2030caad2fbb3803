/** The targets of links in the documents: pages, and the anchors of their headings. */
import { anchorOf } from '../../docs/.vitepress/anchors.ts';
import { type Page, pages } from './pages.ts';

/** The anchors of a page: from its headings, and written as HTML. */
export function anchorsOf(page: Page): ReadonlySet<string> {
  const prose = page.text.replace(/^```.*\n[\s\S]*?^```$/gm, '');
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map((m) => anchorOf(plain(m[1] ?? '')));
  const written = [...prose.matchAll(/\bid="([^"]+)"/g)].map((m) => m[1] ?? '');
  return new Set([...headings, ...written]);
}

/** The text of a heading, with links replaced by their text. */
const plain = (heading: string): string => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim();

const byPath = new Map(pages.map((page) => [page.path, anchorsOf(page)]));

/** The anchors of the page at a path from the root, if there is one. */
export const anchorsAt = (path: string): ReadonlySet<string> | undefined => byPath.get(path);
