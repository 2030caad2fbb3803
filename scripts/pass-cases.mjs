// Keeps docs/pass-cases.md in step with docs/spec/passes.md: one row for each case of the
// specification, with hand-written test names. With --check it fails if the page is stale. It always
// fails if a row names a test that does not exist.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/pass-cases.md');
const spec = readFileSync(join(root, 'docs/spec/passes.md'), 'utf8');
const before = existsSync(page) ? readFileSync(page, 'utf8') : '';

const INTRODUCTION = `# Cases of the passes

The cases in the [specification of the passes](spec/passes.md), verbatim, and the tests of each. \`fold-constant/split\` is the golden file \`test/golden/fold-constant/split.ir\`; a test has its title after its file. \`pnpm gen\` takes the first column from the specification and keeps the second; \`pnpm lint\` fails when a case is missing or a test does not exist.
`;

/** The sections of the specification: a heading, and its lines. */
function sections() {
  const found = [];
  for (const line of spec.split('\n')) {
    const heading = /^#{2,3} (.*)$/.exec(line)?.[1];
    if (heading !== undefined) found.push({ heading, lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found;
}

/** The cases of a section: bullets of the infrastructure, rows of small passes, examples, cases. */
function casesOf({ heading, lines }) {
  if (/^0\.\d /.test(heading)) return lines.flatMap(bulletOf).concat(listed(lines));
  if (heading.startsWith('29.')) return lines.flatMap(rowOf);
  if (heading.startsWith('Appendix A')) return lines.flatMap(exampleOf).concat(listed(lines));
  if (/^B\d /.test(heading)) return [heading.slice(3)];
  return listed(lines);
}

const bulletOf = (line) => (line.startsWith('* ') ? [line.slice(2)] : []);
const rowOf = (line) => {
  const name = /^\| ([^|]+) \|/.exec(line)?.[1];
  return name === undefined || name === 'Pass' || name.startsWith('-') ? [] : [name];
};
const exampleOf = (line) => /^\*\*[^*]+\*\*/.exec(line) ?? [];

/** The cases after `Case:` or `Cases:`, on the line or as bullets below it. */
function listed(lines) {
  const found = [];
  let inBullets = false;
  for (const line of lines) {
    const after = /\bCases?(?: \([^)]*\))?: *(.*)$/.exec(line)?.[1];
    if (after !== undefined) {
      inBullets = after === '';
      found.push(...clauses(after));
    } else if (inBullets && line.startsWith('* ')) found.push(...clauses(line.slice(2)));
    else inBullets = false;
  }
  return found;
}

/** The parts of a line between semicolons and full stops outside brackets and code. */
function clauses(text) {
  const found = [];
  let [from, depth, inCode] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '`') inCode = !inCode;
    else if (inCode) continue;
    else if ('([{'.includes(c)) depth++;
    else if (')]}'.includes(c)) depth--;
    else if (depth === 0 && (c === ';' || (c === '.' && /^ [A-Z`]/.test(text.slice(at + 1))))) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  found.push(text.slice(from));
  return found.map((part) => part.trim().replace(/\.$/, '')).filter((part) => part !== '');
}

/** Whether a row names tests, all of which exist. */
function stateOf(shown) {
  if (shown === '') return 'open';
  if (/^(Not here|Not in|Elsewhere): /.test(shown)) return 'explained';
  for (const name of shown.match(/`[^`]+`(: “[^”]+”)?/g) ?? ['']) {
    const [, path, title] = /^`([^`]+)`(?:: “([^”]+)”)?$/.exec(name) ?? [];
    const file = path?.endsWith('.ts') ? path : `test/golden/${path}.ir`;
    const isGolden = !path?.endsWith('.ts');
    const isThere = path !== undefined && existsSync(join(root, file));
    if (!isThere || (!isGolden && title === undefined)) problems.push(`no test ${name}`);
    else if (!isGolden && !readFileSync(join(root, file), 'utf8').includes(title)) {
      problems.push(`no title ${name}`);
    }
  }
  return 'tested';
}

const problems = [];
const kept = new Map();
let section = '';
for (const line of before.split('\n')) {
  if (line.startsWith('## ')) section = line.slice(3);
  const [, text, shown] = /^\| (.+?) \| (.*?) ?\|$/.exec(line) ?? [];
  if (text !== undefined) kept.set(`${section}: ${text}`, shown);
}

const counts = { tested: 0, explained: 0, open: 0 };
const tables = [];
for (const one of sections()) {
  const rows = casesOf(one).map((text) => {
    const cell = text
      .replaceAll('|', '\\|')
      .replaceAll(/\[([^\]]*)\]\([^)]*(?:\.md|#)[^)]*\)/g, '$1')
      .replace(/^\*\*(.*)\*\*$/, '$1');
    const shown = kept.get(`${one.heading}: ${cell}`) ?? '';
    counts[stateOf(shown)]++;
    return `| ${cell} | ${shown} |`;
  });
  if (rows.length === 0) continue;
  tables.push(`## ${one.heading}\n\n| case | shown by |\n|---|---|\n${rows.join('\n')}\n`);
}
const { tested, explained, open } = counts;
const sum = `Tested: ${tested} of ${tested + explained + open}; ${explained} say why not; ${open} open.\n`;
const after = [INTRODUCTION, sum, ...tables].join('\n');

if (problems.length > 0) {
  console.error(`docs/pass-cases.md: ${problems.join('; ')}`);
  process.exit(1);
}
if (!process.argv.includes('--check')) writeFileSync(page, after);
else if (after !== before) {
  console.error('docs/pass-cases.md is stale: run `pnpm gen`');
  process.exit(1);
}
