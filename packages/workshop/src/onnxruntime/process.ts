/** onnxruntime in its own process, for files that may crash it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { diagnostic, fail } from '@baton/base';
import type { Runtime } from './installed.ts';
import { installedPeers } from './peers.ts';
import type { Answer, Task } from './worker.ts';

/** onnxruntime in another process. A file that crashes it is refused, and a new process starts. */
export interface RuntimeProcess extends Runtime {
  readonly stop: () => void;
}

// Tests run from source, processes from built files; both folders are two levels below the package.
const WORKER = fileURLToPath(new URL('../../dist/onnxruntime/worker.js', import.meta.url));

export function startRuntime(): RuntimeProcess | undefined {
  const folder = installedPeers('').ortNode;
  if (folder === undefined) return undefined;
  const start = (): ChildProcess =>
    fork(WORKER, [folder], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  let worker: ChildProcess | undefined;
  return {
    run: async (...task) => {
      worker ??= start();
      const answer = await answerOf(worker, task);
      if (answer !== undefined) return answer;
      worker = undefined;
      return fail(diagnostic('CLI_RUNTIME', 'the process of onnxruntime ended'));
    },
    stop: () => {
      worker?.kill();
      worker = undefined;
    },
  };
}

/** The answer of a process; `undefined` if the process ends instead. */
async function answerOf(worker: ChildProcess, task: Task): Promise<Answer | undefined> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(worker, 'exit', { signal }).then(() => undefined);
  const said = once(worker, 'message', { signal }).then(([answer]): Answer => answer);
  worker.send(task);
  try {
    return await Promise.race([said, ended]);
  } finally {
    over.abort();
    await Promise.allSettled([said, ended]);
  }
}
