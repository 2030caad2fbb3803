// Runs every test once without a mutant, and records its time and the mutants that it reaches.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inParallel, run } from './process.mjs';
import { root } from './scope.mjs';
import { isThorough } from './tests.mjs';

/** Processor time for one test or one import, in milliseconds. */
const LIMIT = 240_000;

/** Test files that take longer than this are skipped afterwards, except at full length. */
const LONG = isThorough ? Infinity : 60_000;

/** The number of test files that share a process, and its memory. */
const SHARE = 20;

/**
 * The share of tests that may fail here: tests that search a stack trace for their file find the
 * bundle instead.
 */
const MOST_FAILURES = 0.02;

/** The time of each test file in the last run of this length. */
const kept = join(root, `node_modules/.cache/baton-mutate/times${isThorough ? '-all' : ''}.json`);

function keptTimes() {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Returns `{ files, tests, hits }`: the time of each file and each test, and for each mutant's id
 * the number of times that each test, or a file while it loads (`file:` and its path), reaches it.
 */
export async function explore({ worker, tests, jobs }) {
  const known = { files: new Map(), tests: new Map(), hits: new Map() };
  const failed = [];
  const times = keptTimes();
  const short = tests.filter((file) => !(times[file] > LONG));
  const count = Math.max(jobs, Math.ceil(short.length / SHARE));
  const shares = Array.from({ length: count }, (_, j) => short.filter((_t, i) => i % count === j));
  await inParallel(shares, jobs, async (share) => {
    const job = {
      root,
      files: share.map((file) => ({ file })),
      loading: LIMIT,
      asleep: 10 * LIMIT,
    };
    const end = await run(worker, job, (message) => {
      if (message.failed !== undefined) failed.push(`${message.failed}: ${message.message}`);
      if (message.test !== undefined) {
        known.tests.set(message.test, { file: message.file, took: message.took });
      }
      if (message.hits === undefined) return;
      known.files.set(message.file, message.took);
      times[message.file] = Math.round(message.took);
      writeFileSync(kept, JSON.stringify(times, null, 1));
      for (const [test, mutants] of Object.entries(message.hits)) {
        for (const [id, count] of Object.entries(mutants)) {
          const of = known.hits.get(id) ?? new Map();
          known.hits.set(id, of.set(test, count));
        }
      }
    });
    if (end !== 'done') throw new Error(`the run without a mutant ${end}`);
  });
  if (failed.length > 0) console.log(`left out, they fail without a mutant:\n${failed.join('\n')}`);
  if (failed.length > MOST_FAILURES * known.tests.size) throw new Error('too many tests fail');
  return known;
}
