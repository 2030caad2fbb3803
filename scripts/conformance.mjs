// Rewrites the test column of docs/conformance.md from the case numbers found in tests, or with
// --check fails if it is stale.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/conformance.md');
const ROW = /^\| (C\d{3}) \| ([^|]*?) \|/;

/** Test files and golden programs below a folder, in order of their paths. */
function tests(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .filter((entry) => !['node_modules', 'dist', 'src'].includes(entry.name))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return tests(path);
      return /\.(test\.ts|ir)$/.test(path) ? [path] : [];
    })
    .sort();
}

const filesOf = new Map();
for (const path of [...tests('packages'), ...tests('test')]) {
  const found = `${path} ${readFileSync(join(root, path), 'utf8')}`.match(/\bC\d{3}\b/g) ?? [];
  for (const number of new Set(found)) {
    filesOf.set(number, [...(filesOf.get(number) ?? []), `\`${path}\``]);
  }
}

const before = readFileSync(page, 'utf8');
const rows = before.split('\n').filter((line) => ROW.test(line)).length;
let covered = 0;
const after = before
  .split('\n')
  .map((line) => {
    const [, number, title] = ROW.exec(line) ?? [];
    if (number === undefined) return line;
    const files = filesOf.get(number);
    if (files !== undefined) covered += 1;
    const status = files === undefined ? 'open' : 'tested';
    return `| ${number} | ${title} | ${status} | ${(files ?? []).join(', ')} |`;
  })
  .map((line) => (line.startsWith('Tested: ') ? `Tested: ${covered} of ${rows}.` : line))
  .join('\n');

if (!process.argv.includes('--check')) writeFileSync(page, after);
else if (after !== before) {
  console.error('docs/conformance.md is stale: run `pnpm gen`');
  process.exit(1);
}
