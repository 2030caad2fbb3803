/**
 * Builds what is out of date before a run of tests, which loads built files. If nothing
 * is, it takes a few tenths of a second.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundles.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export default async function buildFirst() {
  const { status } = spawnSync('npx', ['tsc', '-b'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the sources do not compile');
  await bundle();
}
