/**
 * Checks the project's prose, the comments of sources and the Markdown, against the glossary: words
 * that hide the field's term. Text in quotes or backticks and targets of links may contain them. Also
 * finds source files that do not begin with a header comment.
 *
 *   node scripts/prose.mjs [FILE...]         fails on words that have a better one in every sense
 *   node scripts/prose.mjs --all [FILE...]   also lists words of the glossary that have a good sense
 *   node scripts/prose.mjs --count           counts them by folder
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Words that have a better one in every sense: what to write instead. */
const NEVER = [
  [/\bone behind the other\b/i, 'contiguous; concatenated'],
  [/\bbehind\b/i, 'after; past the end'],
  [/\bbeside\b/i, 'next to; compared with'],
  [/\bso many\b/i, 'that number of'],
  [/\bas many as\b/i, 'the same number as'],
  [/\banew\b/i, 'again'],
  [/\bin another way\b/i, 'differently; a view of'],
  [/\bworth (its|their) while\b/i, 'profitable, worthwhile'],
  [/\b(turned round|put in another order)\b/i, 'reversed; permuted'],
  [/\btruths\b/i, 'booleans'],
  [/\bthere for it\b/i, 'dedicated'],
  [/\bvery bits\b/i, 'bit-identical'],
  [/\bto the (bit|last bit)\b/i, 'bitwise; exactly'],
  [/\b(in turn|turn by turn)\b/i, 'interleaved; one after another'],
  [/\b(busy|idle) machine\b/i, 'under load; on a quiet machine'],
  [/\bplanted\b/i, 'injected'],
  [/\bsome \d/i, 'about'],
];

/** Words whose other senses are good English. */
const IN_ONE_SENSE = [
  [/\bno more\b(?! than)/i, 'no longer'],
  [/\bby itself\b/i, 'alone; separately; without ...'],
  [/\b(goes|go) in\b/i, 'is passed'],
  [/\b(comes?|came) out\b/i, 'is returned'],
  [/\b(takes?|taken|took) in\b/i, 'fuses; accepts'],
  [/(^|[.:;] )(What|That)\b(?! (is|are|does|do|can|follows)\b[^.]*\?)/, 'begin with the subject'],
  [/\bplaces?\b/i, 'of an element: index, offset, address'],
  [/\b(stands?|stood)\b/i, 'is; occurs'],
  [/\b(lies|lie)\b/i, 'is stored; is at'],
  [/\bgives?\b/i, 'returns; yields'],
  [/\bgiven to\b/i, 'passed to'],
  [/\b(knows?|wants?|waits?)\b/i, 'of data: has, needs'],
  [/\bmeets?\b/i, 'is combined with; reaches'],
  [/\bof (its|their|one's) own\b/i, 'its own X; separate'],
  [/\balone\b/i, 'only; separately'],
  [/\b(told|tells?)\b/i, 'reported; prints'],
  [/\basks? for\b/i, 'requires'],
  [/\bpays?\b/i, 'is profitable'],
  [/\b(is|are) (a )?numbers?\b/i, 'scalar constant'],
  [/\b(cells around|border|surrounds?|surrounded)\b/i, 'padding'],
  [/\b(a fold|folds over)\b/i, 'a reduction; reduces over'],
  [/\bwhole\b/i, 'complete; entire'],
  [/\brooms?\b/i, 'module'],
  [/\bstretch(es)?\b/i, 'dataflow segment; repeated subgraph; generated program'],
];

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders of installed or built files. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'lib', '.vitepress']);

/** The files below a folder with these endings. Links are not followed: packages link each other. */
const below = (folder, endings) =>
  readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : below(path, endings);
    return endings.test(path) ? [path] : [];
  });

/** The sources, which begin with a header; an operator has its `doc`. */
const isSource = (path) =>
  /^(packages\/[^/]+\/src|bench\/src|scripts)\//.test(path) &&
  !path.startsWith('packages/ops/src/ops/');

/** Generated pages and collected texts: their sentences come from elsewhere. */
const EXEMPT = /^docs\/(mutation\.md|reference\/)/;

const everything = [
  ...readdirSync(root).filter((path) => path.endsWith('.md')),
  ...below('packages', /\.(ts|md)$/),
  ...['bench/src', 'test', 'scripts', 'docs', 'examples'].flatMap((folder) =>
    below(folder, /\.(ts|mjs|md)$/),
  ),
].filter((path) => !EXEMPT.test(path));

/** The prose of a file as paragraphs, each with the line of its start. */
function paragraphs(path, text) {
  const prose = path.endsWith('.md') ? markdown(text) : comments(text);
  const found = [];
  let open;
  for (const [line, part] of prose) {
    if (part === '') open = undefined;
    else if (open === undefined || open.last + 1 < line) {
      open = { line, last: line, text: part };
      found.push(open);
    } else Object.assign(open, { last: line, text: `${open.text} ${part}` });
  }
  return found;
}

/** The lines of Markdown outside of code. */
function* markdown(text) {
  let isCode = false;
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    else if (!isCode) yield [i + 1, line.trim()];
  }
}

/** The text of comments that begin a line. */
function* comments(text) {
  for (const [i, line] of text.split('\n').entries()) {
    const comment = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))\s?(.*?)(?:\*\/)?$/.exec(line);
    if (comment) yield [i + 1, comment[1].trim()];
  }
}

/** Without quotes, code and the targets of links, which keep their names. */
const withoutQuotes = (text) => text.replace(/`[^`]*`|"[^"]*"|“[^”]*”|\]\([^)]*\)/g, '``');

const isOption = (argument) => argument.startsWith('--');
const options = new Set(process.argv.slice(2).filter(isOption));
const named = process.argv.slice(2).filter((argument) => !isOption(argument));
const glossary = options.size > 0 ? [...NEVER, ...IN_ONE_SENSE] : NEVER;

const problems = (named.length > 0 ? named : everything).flatMap((path) => {
  const text = readFileSync(`${root}/${path}`, 'utf8');
  const found = paragraphs(path, text).flatMap((paragraph) =>
    glossary.flatMap(([phrase, instead]) => {
      const match = phrase.exec(withoutQuotes(paragraph.text));
      return match
        ? [{ path, line: paragraph.line, text: `"${match[0].trim()}": ${instead}` }]
        : [];
    }),
  );
  const hasHeader = !isSource(path) || /^(\/\*|\/\/|#!)/.test(text) || path.endsWith('.md');
  return hasHeader ? found : [{ path, line: 1, text: 'the file has no header comment' }, ...found];
});

/** `packages/ops`, `docs`, `README.md`. */
const folderOf = (path) => /^(packages\/)?[^/]+/.exec(path)[0];

if (options.has('--count')) {
  const counts = new Map();
  for (const { path } of problems) {
    counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
  }
  for (const [folder, count] of counts) console.log(`${count} ${folder}`);
} else {
  for (const { path, line, text } of problems) console.error(`${path}:${line}: ${text}`);
  if (problems.length > 0 && !options.has('--all')) process.exit(1);
}
