/**
 * A reporter that prints the slowest files of a long run, and one line, `N passed, N failed`, after
 * every run for continuous integration. The file that `BATON_COUNTS` names gets the counts as JSON.
 */
import { writeFileSync } from 'node:fs';

export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
      }
    }
    if (modules.length > MANY && passed > 0)
      process.stdout.write(`\n${whereTimeGoes(modules).join('\n')}\n`);
    const { BATON_COUNTS: file } = process.env;
    if (file !== undefined) writeFileSync(file, JSON.stringify({ passed, failed, skipped }));
    const rest = skipped > 0 ? `, ${skipped} skipped` : '';
    process.stdout.write(`\n${passed} passed, ${failed} failed${rest}\n`);
  }
}

/** Runs of more files than this print their slowest files. */
const MANY = 20;

/** The number of slowest files printed, each with the share of all test time so far. */
const SLOWEST = 20;

function whereTimeGoes(modules) {
  const files = modules
    .map((module) => ({ path: module.relativeModuleId, ...module.diagnostic() }))
    .sort((a, b) => b.duration - a.duration);
  const total = files.reduce((sum, { duration }) => sum + duration, 0);
  const loading = files.reduce((sum, { collectDuration }) => sum + collectDuration, 0);
  let soFar = 0;
  const lines = files.slice(0, SLOWEST).map(({ path, duration }) => {
    soFar += duration;
    return `${seconds(duration)} s  ${percent(soFar / total)}  ${path}`;
  });
  return [
    `${seconds(total)} s in the tests of ${files.length} files, ${seconds(loading)} s to load them; the slowest, with the share up to each:`,
    ...lines,
  ];
}

const seconds = (ms) => (ms / 1000).toFixed(1).padStart(6);
const percent = (share) => `${(100 * share).toFixed(0)} %`.padStart(5);
