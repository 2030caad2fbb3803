/** The native peers: Rust programs on egg and egglog, built if cargo is installed. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Side } from './side.ts';

/** Baton's side: the worker in a process of its own. */
export const ours: Side = {
  name: 'baton',
  command: process.execPath,
  args: ['--expose-gc', fileURLToPath(new URL('./worker.js', import.meta.url))],
};

/** Baton's side with proofs. */
export const oursWithProofs: Side = {
  ...ours,
  name: 'with proofs',
  args: [...ours.args, '--explanations'],
};

/** Builds the peers, and returns the built ones and the errors of the others. */
export function buildPeers(step: (text: string) => void): {
  readonly sides: ReadonlyArray<Side>;
  readonly problems: ReadonlyArray<string>;
} {
  if (spawnSync('cargo', ['--version']).status !== 0) {
    return { sides: [], problems: ['cargo is not installed: no peers to compare with'] };
  }
  const sides: Side[] = [];
  const problems: string[] = [];
  for (const name of ['egg', 'egglog']) {
    step(`building the peer on ${name}`);
    const folder = fileURLToPath(new URL(`../../peers/${name}`, import.meta.url));
    const built = spawnSync('cargo', ['build', '--release', '--locked'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (built.status === 0) {
      sides.push({ name, command: `${folder}/target/release/baton-peer-${name}`, args: [] });
    } else {
      problems.push(`the peer on ${name} does not build: ${built.stderr.slice(-400)}`);
    }
  }
  return { sides, problems };
}

/** Whether a side can state a benchmark. */
export const canRun = (side: Side, benchmark: string): boolean =>
  side.name !== 'egglog' || /^(micro|ac)-/.test(benchmark);
