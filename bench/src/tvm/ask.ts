/** Runs scripts in a Python that has TVM. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Mistake } from '@baton/workshop';

/** The lines that a script of `bench/peers/tvm` prints about the texts in a folder. */
export function askTvm<Line>(relay: string, script: string, folder: string): ReadonlyArray<Line> {
  const path = fileURLToPath(new URL(`../../peers/tvm/${script}`, import.meta.url));
  const run = spawnSync(relay, [path, folder], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Mistake(`TVM does not answer: ${run.stderr.slice(-400)}`);
  return run.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
