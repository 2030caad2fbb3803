// The output of the tool, and the page of scores.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './scope.mjs';

/** One line for the last judged mutant. */
export function show(results, total) {
  const last = results.at(-1);
  const by = last.cut ? '  [its budget is spent]' : last.by === undefined ? '' : `  [${last.by}]`;
  console.log(`${results.length}/${total} ${last.status} ${placeOf(last)} ${change(last)}${by}`);
}

export const isCaught = ({ status }) =>
  status === 'killed' || status === 'timed out' || status === 'crashed';

const placeOf = ({ path, location }) =>
  `${path}:${location.start.line + 1}:${location.start.column + 1}`;

const change = ({ original, replacement }) => `${brief(original)} → ${brief(replacement)}`;

function brief(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}

/**
 * The table of scores, a row for each package or folder and one for all. If tests ran at full length,
 * the last column has the score of `pnpm test`.
 */
export function table(results) {
  const present = [...new Set(results.map((r) => r.package))].sort();
  const rows = present.map((name) => [name, results.filter((r) => r.package === name)]);
  if (rows.length > 1) rows.push(['all', results]);
  const columns = results.some(isByLong) ? [...COLUMNS, 'score of `pnpm test`'] : COLUMNS;
  return [
    `| package | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...rows.map(([name, list]) => `| ${[name, ...figures(list, columns)].join(' | ')} |`),
  ].join('\n');
}

const COLUMNS = ['mutants', 'killed', 'timed out', 'crashed', 'survived', 'not covered', 'score'];

/** Whether only tests of full length catch a mutant. */
const isByLong = (result) => isCaught(result) && result.isThorough === true;

function figures(list, columns) {
  const count = (status) => list.filter((r) => r.status === status).length;
  const share = (is) => `${((100 * list.filter(is).length) / list.length).toFixed(1)} %`;
  return [
    list.length,
    ...['killed', 'timed out', 'crashed', 'survived', 'no coverage'].map(count),
    share(isCaught),
    share((r) => isCaught(r) && !isByLong(r)),
  ].slice(0, columns.length);
}

const page = join(root, 'docs/mutation.md');

/** The written answers for survivors: `{ path, original, replacement, answer }`. */
const answers = JSON.parse(readFileSync(join(root, 'scripts/mutate/answers.json'), 'utf8'));

const answerTo = (m) =>
  answers.find(
    (a) => a.path === m.path && a.original === m.original && a.replacement === m.replacement,
  )?.answer ?? '';

/**
 * Writes the section of `docs/mutation.md` whose title is the command without sample and seed: runs on
 * other packages keep theirs.
 */
export function writePage(results, names, { seed, isWide, total }) {
  const cell = (text) => text.replaceAll('|', '\\|');
  const lines = results
    .filter((r) => !isCaught(r))
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    .map((m) => `| \`${placeOf(m)}\` | \`${cell(change(m))}\` | ${cell(answerTo(m))} |`);
  const title = `## ${names.join(', ')}`;
  const wide = isWide ? ' --wide' : '';
  const section = `${title}

Written by \`pnpm mutate ${names.join(' ')} --sample ${results.length} --seed ${seed}${wide}\`: ${results.length} of ${total} mutants, drawn by the seed.

${table(results)}

| survivor | change | answer |
|---|---|---|
${lines.join('\n')}
`;
  const [, ...sections] = readFileSync(page, 'utf8').split(/^(?=## )/m);
  const others = sections.filter((one) => !one.startsWith(`${title}\n`));
  writeFileSync(page, [HEAD, ...others, section].map((one) => `${one.trim()}\n`).join('\n'));
}

const HEAD = `# Mutation score

\`pnpm mutate PACKAGE --sample N --seed S\` breaks the sources in small ways, one at a time, and runs the tests that reach the place until one fails; [ADR 0019](adr/0019-mutants-are-switches.md) says how.
What is in scope, and the rule for mutants that cannot be bugs, is in \`scripts/mutate/scope.mjs\`.
Each section is as the last run on its packages left it.

A mutant that timed out ran into an endless loop; one that crashed ran out of memory.
The score counts both with the killed.

An answer says why no test can see the change: it computes the same (equivalent), no input comes there (unreachable), or only the cost differs.
Answers are kept in \`scripts/mutate/answers.json\`.`;
