// Runs the tests that reach each mutant, the cheapest files first, until one fails.
import { inParallel, run } from './process.mjs';
import { packageOf, root } from './scope.mjs';
import { isThorough } from './tests.mjs';

/** A test of a mutant may take this many times its normal time, plus a constant, up to a bound. */
const FACTOR = 5;
const MORE = 2000;
const MOST_MORE = 30_000;

const limitFor = (took) => Math.min(FACTOR * took + MORE, took + MOST_MORE);

/** Longer tests run only if all others pass. */
const SHORT = 1000;

/** If a switch is passed this many times more often than without a mutant, the loop is endless. */
const HITS = 1000;

/** Processor time to load the tests, in milliseconds. */
const LOADING = 30_000;

/**
 * Returns the mutants with their `status` and, if killed, the test that killed them; with `cut` if
 * the budget ran out before the last test.
 */
export async function judge({ worker, jobs, known, readers, budget, mutants, onResult }) {
  const results = [];
  await inParallel(mutants, jobs, async (mutant) => {
    const hits = known.hits.get(mutant.id) ?? new Map();
    const all = testsFor(mutant, hits, known, readers);
    let result = { status: 'no coverage' };
    let wasCut = false;
    for (const isLong of [false, true]) {
      const tests = all.filter(({ took }) => took > SHORT === isLong);
      if (tests.length === 0) continue;
      const job = {
        root,
        files: filesOf(tests, mutant),
        limits: Object.fromEntries(tests.map(({ id, took }) => [id, limitFor(took)])),
        budget,
        mutant: mutant.id,
        hitLimit: HITS * (Math.max(0, ...hits.values()) + 100),
        loading: LOADING,
        asleep: 20 * LOADING,
      };
      result = await outcome(worker, job);
      if (result.status !== 'survived') break;
      wasCut ||= result.cut;
    }
    results.push({
      ...mutant,
      isThorough,
      ...result,
      ...(result.status === 'survived' && { cut: wasCut }),
    });
    onResult(results, mutants.length);
  });
  return mutants.map((mutant) => results.find((r) => r.id === mutant.id));
}

async function outcome(worker, job) {
  let result = { status: 'crashed' };
  const end = await run(worker, job, ({ killed, message, survived, cut }) => {
    if (survived) result = { status: 'survived', cut: cut === true };
    if (killed === undefined) return;
    const isEndless = message?.startsWith('Stryker: Hit count limit');
    result = {
      status: isEndless ? 'timed out' : 'killed',
      by: killed,
      message: message?.slice(0, 200),
    };
  });
  return end === 'done' ? result : { status: end };
}

/**
 * The tests that reach a mutant, directly or while their file loads. If loading reaches it, these are
 * all tests of the files that import it, since the code runs only for the first of them.
 */
function testsFor(mutant, hits, known, readers) {
  const isLoaded = [...hits.keys()].some((test) => test.startsWith('file:'));
  return [...known.tests].flatMap(([id, { file, took }]) => {
    const isDirect = hits.has(id) || hits.has(`file:${root}${file}`);
    if (!isDirect && !(isLoaded && readers.get(file).has(mutant.path))) return [];
    return [{ id, file, took, isDirect }];
  });
}

/** The test files, most promising first: those that reach the mutant, then cheap ones. */
function filesOf(tests, mutant) {
  const files = new Map();
  for (const { id, file, took, isDirect } of tests) {
    const known = files.get(file) ?? { file, tests: [], cost: 0, isDirect: false };
    known.tests.push(id);
    known.cost += file.startsWith(`packages/${packageOf(mutant.package)}/`) ? took / 4 : took;
    known.isDirect ||= isDirect;
    files.set(file, known);
  }
  return [...files.values()]
    .sort((a, b) => Number(b.isDirect) - Number(a.isDirect) || a.cost - b.cost)
    .map(({ file, tests: ids }) => ({ file, tests: ids }));
}
