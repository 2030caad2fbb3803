/** The worker of the page: answers requests one by one. */
/// <reference lib="WebWorker" />
import { makeEngine } from './engine/engine.ts';
import type { Reply, Request } from './protocol.ts';

let current = 0;

/** The most steps of a run: some minutes of the interpreter. */
const STEPS = 2_000_000_000;

const BYTES = 2 ** 30;

const reply = (message: Reply): void => postMessage(message);

const engine = makeEngine({
  now: () => performance.now(),
  progress: (progress) => reply({ id: current, progress }),
  limits: { steps: STEPS, bytes: BYTES },
});

async function answer({ id, method, args }: Request): Promise<void> {
  current = id;
  try {
    // The page calls methods by their types.
    const work = engine[method] as (...given: ReadonlyArray<unknown>) => unknown;
    reply({ id, value: await work(...args) });
  } catch (error) {
    reply({ id, broken: error instanceof Error ? error.message : String(error) });
  }
}

/** Each request waits for the previous ones, and sees their results. */
let last: Promise<void> = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<Request>) => {
  last = last.then(() => answer(data));
});
