/** Runs files in onnxruntime, one after another: each message is a file with its samples. */
import { type Runtime, runtimeOf } from './installed.ts';

export type Task = Parameters<Runtime['run']>;

export type Answer = Awaited<ReturnType<Runtime['run']>>;

const [folder = ''] = process.argv.slice(2);
const runtime = runtimeOf(folder);

process.on('message', async (task: Task) => {
  const answer = await runtime.run(...task);
  process.send?.(answer);
});
