// Runs the tests that reach each mutant, the cheapest file first, until one fails.
import { inParallel, run } from './process.mjs';
import { root } from './scope.mjs';

/** A test of a mutant may take this many times as long as without it, and so much more. */
const FACTOR = 10;
const MORE = 4000;

/** A switch that is passed this many times as often as without a mutant is in an endless loop. */
const HITS = 1000;

/** Processor time to load the tests, in milliseconds. */
const LOADING = 30_000;

/** Answers the mutants with their `status` and, if killed, the test that did it. */
export async function judge({ worker, jobs, known, readers, budget, mutants, onResult }) {
  const results = [];
  await inParallel(mutants, jobs, async (mutant) => {
    const { hits, files } = plan(mutant, known, readers);
    let result = { status: 'no coverage' };
    if (files.length > 0) {
      const limits = {};
      for (const { tests } of files) {
        for (const test of tests) limits[test] = FACTOR * known.tests.get(test).took + MORE;
      }
      result = { status: 'crashed' };
      const job = {
        root,
        files,
        limits,
        budget,
        mutant: mutant.id,
        hitLimit: HITS * (hits + 100),
        loading: LOADING,
        asleep: 20 * LOADING,
      };
      const end = await run(worker, job, (message) => {
        if (message.killed !== undefined) {
          const endless = message.message?.startsWith('Stryker: Hit count limit');
          result = {
            status: endless ? 'timed out' : 'killed',
            by: message.killed,
            message: message.message?.slice(0, 200),
          };
        }
        if (message.survived) result = { status: 'survived', cut: message.cut === true };
      });
      if (end !== 'done') result = { status: end };
    }
    results.push({ ...mutant, ...result });
    onResult(results, mutants.length);
  });
  return mutants.map((mutant) => results.find((r) => r.id === mutant.id));
}

/**
 * The test files for a mutant with their tests, the cheapest first: the tests that come to it
 * when they run, then, if something is computed there while files load, all tests of the files
 * that read it.
 */
function plan(mutant, known, readers) {
  const hits = known.hits.get(mutant.id) ?? new Map();
  const loaded = [...hits.keys()].some((test) => test.startsWith('file:'));
  const direct = new Map();
  const others = new Map();
  for (const [test, { file, took }] of known.tests) {
    const of = hits.has(test)
      ? direct
      : loaded && readers.get(file).has(mutant.path)
        ? others
        : undefined;
    if (of === undefined) continue;
    const group = of.get(file) ?? { file, tests: [], took: 0 };
    group.tests.push(test);
    group.took += took;
    of.set(file, group);
  }
  const byCost = (groups) => [...groups.values()].sort((a, b) => cost(a, mutant) - cost(b, mutant));
  return {
    hits: Math.max(0, ...hits.values()),
    files: [...byCost(direct), ...byCost(others)].map(({ file, tests }) => ({ file, tests })),
  };
}

/** Tests of the package itself are more likely to see the mutant than others of the same cost. */
const cost = ({ file, took }, mutant) =>
  file.startsWith(`packages/${mutant.package}/`) ? took / 4 : took;
