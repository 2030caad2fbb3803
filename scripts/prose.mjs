/**
 * Looks for source files that do not begin with a header comment, and for phrases in comments and
 * Markdown that hide the thing a sentence is about. Looks at the files named on the command line,
 * or at all files of the project. Text in quotes or backticks may contain the phrases.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Phrases with their remedies. */
const BANNED = [
  [/\b(whoever|whomever|somebody|someone|nobody|anybody)\b/i, 'name the part of the program'],
  [/\bthat of\b/i, "repeat the noun, or use a genitive: the caller's"],
  [/\bwhat\b[^.:;]*\bof which\b/i, 'name the thing first'],
  [/\bwhat became of\b/i, 'name the result'],
  [/\b(of ours|of one's own|one's own)\b/i, "say Baton's, or the user's own"],
  [/\bnot worth an?\b/i, 'say what is left out'],
];

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders of what is installed or built. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'lib', '.vitepress']);

/** The files below a folder with these endings. Links are not followed: packages link each other. */
const below = (folder, endings) =>
  readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : below(path, endings);
    return endings.test(path) ? [path] : [];
  });

/** The sources, which begin with a header. */
const isSource = (path) => /^(packages\/[^/]+\/src|bench\/src|scripts)\//.test(path);

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

const withoutQuotes = (text) => text.replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, '``');

const named = process.argv.slice(2);
const problems = (named.length > 0 ? named : everything).flatMap((path) => {
  const text = readFileSync(`${root}/${path}`, 'utf8');
  const found = paragraphs(path, text).flatMap((paragraph) =>
    BANNED.flatMap(([phrase, remedy]) => {
      const match = phrase.exec(withoutQuotes(paragraph.text));
      return match ? [`${path}:${paragraph.line}: "${match[0]}": ${remedy}`] : [];
    }),
  );
  const hasHeader = !isSource(path) || /^(\/\*|\/\/|#!)/.test(text) || path.endsWith('.md');
  return hasHeader ? found : [`${path}:1: the file has no header comment`, ...found];
});
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
