// pnpm mutate PACKAGE… [--sample N] [--seed S] [--jobs N] [--budget SECONDS] [--wide]
//                      [--tests PATTERN] [--json FILE] [--again FILE] [--write]
//
// Makes small changes in the sources, one at a time, and runs the tests that reach each. PACKAGE may be
// a folder in the `src` of a package: `onnx/export`. The tests run at the length of `pnpm test`, or with
// BATON_TESTS=all in the environment at full length. `--wide` runs the tests of the root and of all
// packages; `--tests` runs only those whose path matches a regular expression; `--json` writes the
// results; `--again` reads such a file, also of an interrupted run, and skips the mutants that it
// reports as caught; `--write` writes the section of docs/mutation.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './mutate/bundle.mjs';
import { explore } from './mutate/explore.mjs';
import { judge } from './mutate/judge.mjs';
import { instrumented, keyOf, mutantsOf, sampleOf } from './mutate/mutants.mjs';
import { isCaught, show, table, writePage } from './mutate/report.mjs';
import { isInScope, packages } from './mutate/scope.mjs';
import { testFiles } from './mutate/tests.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    budget: { type: 'string', default: '20' },
    wide: { type: 'boolean', default: false },
    tests: { type: 'string', default: '' },
    json: { type: 'string' },
    again: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const names = positionals.includes('all') ? packages : positionals;
const unknown = names.filter((name) => !isInScope(name));
if (names.length === 0 || unknown.length > 0) {
  const found = unknown.join(', ') || 'none';
  console.error(
    `name one or more of ${packages.join(', ')}, a folder of one, or all; found ${found}`,
  );
  process.exit(2);
}

const all = (await Promise.all(names.map(mutantsOf))).flat();
const sample = sampleOf(all, Number(options.sample ?? all.length), options.seed);
const earlier = caughtEarlier();
const isKnown = new Set(earlier.map(keyOf));
const mutants = sample.filter((mutant) => !isKnown.has(keyOf(mutant)));
console.log(`${mutants.length} of ${all.length} mutants, seed ${options.seed}`);

const folder = mkdtempSync(join(tmpdir(), 'baton-mutate-'));
try {
  const tests = testFiles(names, { isWide: options.wide, only: new RegExp(options.tests) });
  const { sources, ids } = await instrumented(mutants);
  const readers = await bundle(tests, sources, folder);
  const worker = join(folder, 'worker.mjs');
  const jobs = Number(options.jobs);
  const known = await explore({ worker, tests, jobs });
  console.log(`${known.tests.size} tests in ${known.files.size} files`);
  const save = (list) => {
    if (options.json === undefined) return;
    writeFileSync(options.json, JSON.stringify([...earlier, ...list], null, 1));
  };
  const judged = await judge({
    worker,
    jobs,
    known,
    readers,
    budget: Number(options.budget) * 1000,
    mutants: mutants.map((mutant, i) => ({ ...mutant, id: ids[i] })),
    onResult: (list, total) => {
      show(list, total);
      if (list.length % 10 === 0) save(list);
    },
  });
  save(judged);
  const results = [...earlier, ...judged];
  console.log(table(results));
  if (options.write) {
    const { seed, wide } = options;
    writePage(results, positionals, { seed, isWide: wide, total: all.length });
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** The results of the previous run that need not be repeated. */
function caughtEarlier() {
  if (options.again === undefined) return [];
  const results = JSON.parse(readFileSync(options.again, 'utf8'));
  const drawn = new Set(sample.map(keyOf));
  return results.filter((result) => isCaught(result) && drawn.has(keyOf(result)));
}
