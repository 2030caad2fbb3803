/** Files in onnxruntime, where it is installed, in a process that may end without harm. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type DType, dense, type Tensor, type TensorData, tensor } from '@baton/tensor';
import { installedPeers } from '../compiled/peers.ts';
import type { Inputs } from './values.ts';
import type { Answer, RawTensor, Task } from './worker.ts';

/** onnxruntime. */
export interface Runtime {
  /** The outputs of a file, in order, or what onnxruntime says against it. */
  readonly run: (file: Uint8Array, inputs: Inputs) => Promise<ReadonlyArray<Tensor> | string>;
  readonly stop: () => void;
}

// Tests run from source, processes from built files: both lie two levels below `bench`.
const WORKER = fileURLToPath(new URL('../../dist/cases/worker.js', import.meta.url));

/** onnxruntime, if a package of the workspace has it. Some files that it loads end its process. */
export function startRuntime(): Runtime | undefined {
  const folder = installedPeers('').ortNode;
  if (folder === undefined) return undefined;
  const start = (): ChildProcess =>
    fork(WORKER, [folder], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  let worker: ChildProcess | undefined;
  return {
    run: async (file, inputs) => {
      worker ??= start();
      const answer = await answerOf(worker, { file, inputs: rawOf(inputs) });
      if (answer === ENDED) worker = undefined;
      return typeof answer === 'string' ? answer : answer.map(made);
    },
    stop: () => {
      worker?.kill();
      worker = undefined;
    },
  };
}

const ENDED = 'the process of onnxruntime ended';

async function answerOf(worker: ChildProcess, task: Task): Promise<Answer> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(worker, 'exit', { signal }).then((): Answer => ENDED);
  const said = once(worker, 'message', { signal }).then(([answer]): Answer => answer);
  worker.send(task);
  try {
    return await Promise.race([said, ended]);
  } finally {
    over.abort();
    await Promise.allSettled([said, ended]);
  }
}

const rawOf = (inputs: Inputs): Readonly<Record<string, RawTensor>> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, given]) => {
      const { dtype, data, shape } = dense(given);
      return [name, { dtype, data, shape }];
    }),
  );

const made = ({ dtype, data, shape }: RawTensor): Tensor =>
  tensor(data as TensorData, shape, dtype as DType);
