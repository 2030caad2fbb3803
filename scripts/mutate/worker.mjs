// A process that runs selected tests: once to record which tests reach which mutants, then once per
// mutant, until a test fails.
//
// It receives one job from its parent: `{ root, files: [{ file, tests? }], loading }`, and for a mutant
// also `{ mutant, hitLimit, limits, budget }`; it responds with messages. Limits are in milliseconds of
// processor time, so that load does not turn a slow test into a time-out.

import { tests } from 'baton:tests';
import { Worker } from 'node:worker_threads';
import { startTests } from '@vitest/runner';
import * as fc from 'fast-check';

/** Ends the process when a test exceeds its processor time. */
const watchdog = `
  const { workerData: { deadline } } = require('node:worker_threads');
  const limits = new Float64Array(deadline);
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1000 > limits[0]) process.exit(75);
  }, 100);
`;

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const say = (message) => process.send(message);
const stop = (message) => process.send(message, () => process.exit(0));
const never = new Promise(() => {});

/** The state that the switches in the sources read and write. */
const coverage = { static: {}, perTest: {} };
const stryker = { mutantCoverage: coverage };
globalThis.__stryker__ = stryker;

process.once('message', async (job) => {
  fc.configureGlobal({ endOnFailure: true });
  const deadline = new Float64Array(new SharedArrayBuffer(8));
  const allow = (ms) => {
    deadline[0] = cpu() + ms;
  };
  allow(job.loading);
  new Worker(watchdog, { eval: true, workerData: { deadline: deadline.buffer } }).unref();
  if (job.mutant !== undefined) {
    stryker.activeMutant = job.mutant;
    stryker.hitLimit = job.hitLimit;
  }
  const start = cpu();
  const onFailure = (title, errors) =>
    job.mutant === undefined
      ? say({ failed: title, message: errors?.[0]?.message })
      : stop({ killed: title, message: errors?.[0]?.message });
  let began = 0;
  const runner = {
    config: {
      root: job.root,
      setupFiles: [],
      name: undefined,
      passWithNoTests: true,
      testNamePattern: undefined,
      allowOnly: false,
      sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
      chaiConfig: undefined,
      maxConcurrency: 1,
      testTimeout: 0,
      hookTimeout: 0,
      retry: 0,
      includeTaskLocation: false,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile: (file) => tests[file.slice(job.root.length)](),
    async onBeforeRunTask(test) {
      if (test.mode !== 'run' && test.mode !== 'queued') return;
      if (job.budget !== undefined && cpu() - start > job.budget) {
        stop({ survived: true, cut: true });
        await never;
      }
      allow(job.limits?.[test.id] ?? job.loading);
      stryker.currentTestId = test.id;
      stryker.hitCount = 0;
      began = cpu();
    },
    async onAfterRunTask(test) {
      stryker.currentTestId = `file:${test.file.filepath}`;
      const took = cpu() - began;
      allow(job.loading);
      const state = test.result?.state;
      if (state === 'fail') {
        onFailure(
          `${test.file.filepath.slice(job.root.length)} › ${test.name}`,
          test.result.errors,
        );
        if (job.mutant !== undefined) await never;
      } else if (job.mutant === undefined && state === 'pass') {
        say({ test: test.id, file: test.file.filepath.slice(job.root.length), took });
      }
    },
  };
  for (const { file, tests: testIds } of job.files) {
    stryker.currentTestId = `file:${job.root}${file}`;
    const before = cpu();
    const [result] = await startTests([{ filepath: job.root + file, testIds }], runner);
    if (result.result?.state === 'fail' && result.result.errors?.length > 0) {
      onFailure(file, result.result.errors);
      if (job.mutant !== undefined) return;
    }
    if (job.mutant === undefined) {
      say({ file, took: cpu() - before, hits: coverage.perTest });
      coverage.perTest = {};
    }
  }
  stop(job.mutant === undefined ? { done: true } : { survived: true });
});
