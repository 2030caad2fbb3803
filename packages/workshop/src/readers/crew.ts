/** The processes of a fuzz run: one at a time, with a watch over each input. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answer, Task } from './task.ts';

/** How long one input may take before its process is ended. **Units** ms. */
const LATE_MS = 30_000;

const LOOK_MS = 250;

/** The heap of a process, which ends beyond it. **Units** MiB. */
const HEAP = 1024;

const TASKS_A_PROCESS = 400;

/** A process that ended, or was ended, on an input. */
export interface Ended {
  readonly _tag: 'Ended';
  readonly index: number;
  readonly kind: string;
}

export interface Crew {
  readonly ask: (task: Task) => Promise<Answer | Ended>;
  /** As `ask`, of a process that has run nothing before. */
  readonly askFresh: (task: Task) => Promise<Answer | Ended>;
  readonly end: () => void;
}

export function makeCrew(): Crew {
  const folder = mkdtempSync(join(tmpdir(), 'baton-crew-'));
  const place = join(folder, 'index');
  const path = fileURLToPath(new URL('worker.js', import.meta.url));
  const start = (): ChildProcess =>
    fork(path, [place], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${HEAP}`],
    });
  let worker: ChildProcess | undefined;
  let tasks = 0;
  const stop = (): void => {
    worker?.kill('SIGKILL');
    worker = undefined;
    tasks = 0;
  };
  return {
    ask: async (task) => {
      if (++tasks > TASKS_A_PROCESS) stop();
      worker ??= start();
      worker.send(task);
      const answer = await answerOf(worker, place);
      if (answer._tag === 'Ended') stop();
      return answer;
    },
    askFresh: async (task) => {
      const fresh = start();
      fresh.send(task);
      const answer = await answerOf(fresh, place);
      fresh.kill('SIGKILL');
      return answer;
    },
    end: () => {
      stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answerOf(worker: ChildProcess, place: string): Promise<Answer | Ended> {
  const done = new AbortController();
  const { signal } = done;
  const late = new Promise<Ended>((resolve) => {
    let seen = -1;
    let since = performance.now();
    const timer = setInterval(() => {
      const index = indexIn(place);
      if (index !== seen) since = performance.now();
      seen = index;
      if (performance.now() - since > LATE_MS) {
        resolve({ _tag: 'Ended', index, kind: 'has no end' });
      }
    }, LOOK_MS);
    signal.addEventListener('abort', () => clearInterval(timer));
  });
  const gone = once(worker, 'exit', { signal }).then(
    ([code, by]): Ended => ({
      _tag: 'Ended',
      index: indexIn(place),
      kind: `ends the process: ${code ?? by}`,
    }),
  );
  const said = once(worker, 'message', { signal }).then(([answer]): Answer => answer);
  try {
    return await Promise.race([said, gone, late]);
  } finally {
    done.abort();
    await Promise.allSettled([said, gone]);
  }
}

/** The index of the input that runs. */
function indexIn(place: string): number {
  try {
    const bytes = readFileSync(place);
    return bytes.length === 8 ? bytes.readDoubleLE() : -1;
  } catch {
    return -1;
  }
}
