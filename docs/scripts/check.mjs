// Checks the built site: every link leads to a page and a heading of it, and every public name of
// the packages has a page. Writes search.js, the search index, and llms.txt, the list of pages for
// language models.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { HOMEPAGE } from '../../scripts/project.mjs';

const docs = fileURLToPath(new URL('..', import.meta.url));
const dist = join(docs, '.vitepress/dist');
const packages = join(docs, '../packages');
const wrong = [];

const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.html') && path !== '404.html')
  .sort();
const texts = new Map(
  files.map((path) => [join(dist, path), readFileSync(join(dist, path), 'utf8')]),
);
const ids = new Map(
  [...texts].map(([path, text]) => [
    path,
    new Set([...text.matchAll(/\bid="([^"]*)"/g)].map((m) => m[1])),
  ]),
);

/** Decodes the entities of HTML. */
function asText(text) {
  const of = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => of[name]);
}

// Checks links, also those of the navigation on each page.
for (const [path, text] of texts) {
  const targets = new Set([...text.matchAll(/\bhref="([^"]*)"/g)].map((m) => m[1]));
  for (const target of targets) {
    if (/^[a-z]+:/.test(target)) continue;
    const [file, anchor] = decodeURI(target).split('#');
    const at = file === '' ? path : resolve(dirname(path), file);
    const leads = ids.get(at);
    if (leads === undefined ? !existsSync(at) : anchor && !leads.has(anchor)) {
      wrong.push(`${relative(dist, path)}: ${target} leads nowhere`);
    }
  }
}

// Compares the exports of a package, by the compiler, with the links of its page.
const manifestOf = (folder) =>
  JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8'));
const entry = (folder) => join(packages, folder, 'src/index.ts');
// A package without an entry is a page; a private one is not documented.
const folders = readdirSync(packages).filter(
  (folder) => existsSync(entry(folder)) && manifestOf(folder).private !== true,
);
const config = ts.getParsedCommandLineOfConfigFile(join(docs, 'tsconfig.json'), {}, ts.sys);
const program = ts.createProgram(folders.map(entry), config.options);
const checker = program.getTypeChecker();
let names = 0;
for (const folder of folders) {
  const { name } = manifestOf(folder);
  const page = texts.get(join(dist, 'reference', name, 'index.html')) ?? '';
  // A name has a page of its own, or a heading above a link to its package.
  const linked = new Set(
    [...page.matchAll(/(?:<a href="[^"#][^"]*"[^>]*>|<h3 [^>]*>)([^<]+?)\s*</g)].map((m) => m[1]),
  );
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry(folder)));
  for (const symbol of checker.getExportsOfModule(module)) {
    names += 1;
    if (!linked.has(symbol.name)) wrong.push(`${name}: ${symbol.name} has no page`);
  }
}

// The hand-written pages, by their titles.
const written = [...texts].flatMap(([path, text]) => {
  const at = relative(dist, path).replaceAll('\\', '/');
  const title = /<title>(.*?) \| Baton<\/title>/.exec(text)?.[1];
  return at.startsWith('reference/') || title === undefined
    ? []
    : [`- [${title}](${HOMEPAGE}${at})`];
});
writeFileSync(join(dist, 'llms.txt'), `# Baton\n\n${written.join('\n')}\n`);

/** The distinct words of a part of a page: the search matches prefixes. */
const wordsOf = (html) => [
  ...new Set(
    asText(html.replace(/<[^>]*>/g, ' '))
      .toLowerCase()
      .match(/[a-z][a-z\d_]{2,30}/g) ?? [],
  ),
];

// The search index: titles of pages, and headings of hand-written ones with the words below them.
const found = [...texts].flatMap(([path, text]) => {
  const at = relative(dist, path).replaceAll('\\', '/');
  const title = (/<title>(.*?) \| Baton<\/title>/.exec(text)?.[1] ?? 'Baton')
    .replace(/^(?:Function|Interface|Type Alias|Variable|Class|Namespace): /, '')
    .replace(/\(\)$/, '');
  const part = at.startsWith('reference/') ? at.split('/').slice(1, -1).join(' ') : '';
  const headings = [...text.matchAll(/<h[23] id="([^"]*)"[^>]*>(.*?) <a class="header-anchor/g)];
  const below = part === '' ? headings : [];
  const end = text.indexOf('</main>') < 0 ? text.length : text.indexOf('</main>');
  const start = Math.max(0, text.indexOf('<main'));
  const between = (from, to) => (part === '' ? wordsOf(text.slice(from, to)).join(' ') : '');
  return [
    [asText(title), at, part, between(start, below[0]?.index ?? end)],
    ...below.map(({ 1: id, 2: inner, index }, i) => [
      asText(inner.replace(/<[^>]*>/g, '')),
      `${at}#${id}`,
      asText(title),
      between(index, below[i + 1]?.index ?? end),
    ]),
  ];
});
writeFileSync(join(dist, 'search.js'), `globalThis.BATON_PAGES = ${JSON.stringify(found)};\n`);

if (wrong.length > 0) {
  for (const line of wrong.slice(0, 50)) console.error(line);
  console.error(`${wrong.length} faults`);
  process.exit(1);
}
console.log(
  `${texts.size} pages; every link leads somewhere, and ${names} public names have pages`,
);
