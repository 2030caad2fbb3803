// Starts processes of the worker, a few at a time.
import { fork } from 'node:child_process';

/** The exit code of a process that its watchdog ended. */
const TIMED_OUT = 75;

/** The memory limit of one process of the tests, in MiB. */
const MEMORY = 2000;

/**
 * Runs one job, and returns how the process ended: `'done'`, `'timed out'` or `'crashed'`. The job
 * is killed from here only if it uses no processor time and does not respond.
 */
export function run(worker, job, onMessage) {
  return new Promise((resolve) => {
    const child = fork(worker, [], {
      execArgv: [`--max-old-space-size=${MEMORY}`, '--no-warnings'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let last = Date.now();
    let answered = false;
    const asleep = setInterval(() => {
      if (Date.now() - last > job.asleep) child.kill('SIGKILL');
    }, 1000);
    child.on('message', (message) => {
      last = Date.now();
      answered ||= message.done || message.survived || message.killed !== undefined;
      onMessage(message);
    });
    child.on('exit', (code, signal) => {
      clearInterval(asleep);
      if (answered) resolve('done');
      else resolve(code === TIMED_OUT || signal === 'SIGKILL' ? 'timed out' : 'crashed');
    });
    child.send(job);
  });
}

/** Does `work` for each item, `jobs` of them at a time. */
export async function inParallel(items, jobs, work) {
  const queue = items.entries();
  const one = async () => {
    for (const [i, item] of queue) await work(item, i);
  };
  await Promise.all(Array.from({ length: jobs }, one));
}
