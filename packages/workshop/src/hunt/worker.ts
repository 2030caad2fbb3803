/** A process of the hunt, which may end or hang without harm to the hunt. */
import { requireRuntime } from '../onnxruntime/installed.ts';
import { chosenPaths } from './chosen.ts';
import { huntOne } from './hunt.ts';
import type { HuntTask } from './task.ts';

const runtime = requireRuntime();
let paths: ReturnType<typeof chosenPaths> | undefined;

process.on('message', async ({ index, command, reduced }: HuntTask) => {
  paths ??= chosenPaths(command);
  const { seed, folder, tool, only } = command;
  const options = `${tool === undefined ? '' : ` --tool ${tool}`}${only === undefined ? '' : ` --only ${only}`}`;
  const result = await huntOne(index, {
    seed,
    paths: paths.paths,
    runtime,
    folder,
    options,
    now: () => performance.now(),
    isReduced: (kind) => !reduced.includes(kind),
  });
  process.send?.(result);
});

process.on('disconnect', () => {
  paths?.close();
  process.exit();
});
