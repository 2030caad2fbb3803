/** The page's side of the worker: requests as promises, progress, and cancellation. */
import type { Engine, Reply, Request, Source } from '../protocol.ts';

/** A request that the user ended, or that a newer one replaced. */
export class Cancelled extends Error {}

export interface Client {
  readonly call: <K extends keyof Engine>(
    method: K,
    ...args: Parameters<Engine[K]>
  ) => Promise<Awaited<ReturnType<Engine[K]>>>;
  /** Ends the worker and its work; programs are opened again in a new one. */
  readonly cancel: () => void;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** `onBusy` receives a description of the worker's task, and `undefined` when it is idle. */
export function makeClient(
  startWorker: () => Worker,
  onBusy: (progress: string | undefined) => void,
): Client {
  const waiting = new Map<number, Waiting>();
  const opened = new Map<string, Source>();
  let next = 0;
  let worker = started();

  function started(): Worker {
    const made = startWorker();
    made.addEventListener('message', ({ data }: MessageEvent<Reply>) => settle(data));
    made.addEventListener('error', (event) => {
      event.preventDefault();
      restart(new Error(event.message || 'the worker has stopped'));
    });
    return made;
  }

  function settle(reply: Reply): void {
    if ('progress' in reply) {
      if (waiting.has(reply.id)) onBusy(reply.progress);
      return;
    }
    const one = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) onBusy(undefined);
    if ('broken' in reply) one?.reject(new Error(reply.broken));
    else one?.resolve(reply.value as never);
  }

  function restart(reason: Error): void {
    worker.terminate();
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
    onBusy(undefined);
    worker = started();
    for (const [slot, source] of opened) send('open', [slot, source]);
  }

  function send(method: keyof Engine, args: ReadonlyArray<unknown>): number {
    const id = next++;
    const request: Request = { id, method, args };
    worker.postMessage(request);
    return id;
  }

  return {
    call: (method, ...args) => {
      if (method === 'open') opened.set(String(args[0]), args[1] as Source);
      const words = WORDS[method];
      if (words !== undefined) onBusy(words);
      const id = send(method, args);
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    cancel: () => restart(new Cancelled('ended')),
  };
}

const WORDS: Readonly<Partial<Record<keyof Engine, string>>> = {
  open: 'reading',
  optimize: 'optimizing',
  step: 'drawing',
  searchTerm: 'searching',
  searchProgram: 'searching',
  tryRules: 'testing rules',
  whyNot: 'looking',
  bugReport: 'running the pipeline',
  compare: 'comparing',
  run: 'running',
  exported: 'writing',
};
