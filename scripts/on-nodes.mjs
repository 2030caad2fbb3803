/**
 * `pnpm test:nodes [VERSION]...`: the tests of the compiled executor on other versions of Node, by default
 * 22 and 24, which support different vector instructions. The binaries come from the package `node` of
 * the npm registry; a version that is not available is skipped with a message.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const DEFAULT_VERSIONS = ['22', '24'];

/** Tests that run compiled code, without the longest, which runs 200 calls of each operator. */
const TESTS = [
  'packages/wasm',
  'test/execution/wasm.test.ts',
  'test/execution/wasm-module',
  'test/execution/wasm-operators',
  'test/execution/wasm-places',
  'test/execution/wasm-threads',
  'test/execution/wasm-transforms',
  'test/execution/wasm-zeros',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const level = `import('@baton/wasm').then(({ simdLevel }) => console.log(process.version, simdLevel()))`;

/** Runs a program on a version of Node. */
const on = (version, args, options) =>
  spawnSync('npx', ['-y', '-p', `node@${version}`, '--', 'node', ...args], {
    cwd: root,
    encoding: 'utf8',
    ...options,
  });

const versions = process.argv.slice(2).filter((arg) => arg !== '--');
let isGreen = true;
for (const version of versions.length === 0 ? DEFAULT_VERSIONS : versions) {
  const probe = on(version, ['-e', level], { cwd: `${root}/test` });
  if (probe.status !== 0) {
    console.log(`no Node ${version} could be had: it is passed over\n${probe.stderr}`);
    continue;
  }
  console.log(`Node ${probe.stdout.trim()}`);
  const { status } = on(version, [vitest, 'run', ...TESTS], { stdio: 'inherit' });
  isGreen &&= status === 0;
}
process.exitCode = isGreen ? 0 : 1;
