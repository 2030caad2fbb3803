// pnpm test:ci [--slice K]: the tests of continuous integration. Of the files that run longer in
// `pnpm test:all`, every SLICES-th runs at that length, starting at an index derived from the commit's
// hash, so that a day's commits cover all of them. The other files run as in `pnpm test`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { testFolders, testsBelow } from './mutate/tests.mjs';

const SLICES = 8;

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { values } = parseArgs({ options: { slice: { type: 'string' } } });

/** The slice for the current commit. */
function sliceOfCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? Number.parseInt(stdout.slice(0, 8), 16) % SLICES : 0;
}

/** The test files with more cases in `pnpm test:all`: those that read the tier, or are named long. */
const longFiles = testFolders
  .flatMap(testsBelow)
  .filter((path) => path.endsWith('.long.test.ts') || readsTier(path))
  .sort();

function readsTier(path) {
  return /from '[./]*(test\/)?(tier|normal-run)\.ts'/.test(readFileSync(join(root, path), 'utf8'));
}

/** Runs tests; returns the numbers of passed, failed and skipped tests. */
function run(tier, files) {
  const folder = mkdtempSync(join(tmpdir(), 'baton-tests-'));
  const counts = join(folder, 'counts.json');
  const env = { ...process.env, BATON_TESTS: tier, BATON_COUNTS: counts };
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...files], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  try {
    const { passed, failed, skipped } = JSON.parse(readFileSync(counts, 'utf8'));
    return { passed, failed: status === 0 || failed > 0 ? failed : 1, skipped };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const slice = values.slice === undefined ? sliceOfCommit() : Number(values.slice);
const chosen = longFiles.filter((_, i) => i % SLICES === slice);
const others = chosen.flatMap((file) => ['--exclude', file]);
const quick = run('quick', others);
console.log(`\nslice ${slice} of ${SLICES}, at full length: ${chosen.join(', ')}`);
const long = run('all', chosen);
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((of) => quick[of] + long[of]);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
