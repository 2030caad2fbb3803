// The test files that mutants are run against.
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { packageOf, root, sourceOf } from './scope.mjs';

/** The test folders of a package: its own, and those that test it closely. */
const folders = {
  autodiff: ['packages/autodiff/test', 'test/gradients'],
  passes: ['packages/passes/test', 'test/golden', 'test/passes', 'test/equivalence'],
  tensor: ['packages/tensor/test', 'packages/ops/test'],
  egraph: ['packages/egraph/test'],
  // Gradients are stated by operators.
  ops: [
    'packages/ops/test',
    'packages/autodiff/test',
    'test/golden/operators',
    'test/gradients',
    'test/oracle',
    'test/types',
  ],
  ir: ['packages/ir/test', 'packages/text/test', 'test/types'],
  onnx: ['packages/onnx/test', 'test/oracle'],
  rewrites: ['packages/rewrites/test', 'test/rewrites', 'test/golden'],
  lower: ['packages/lower/test', 'test/execution'],
  wasm: ['packages/wasm/test', 'test/execution'],
  executor: ['packages/executor/test', 'test/execution', 'test/language'],
  'pass-manager': ['packages/pass-manager/test', 'test/passes', 'test/golden'],
  equivalence: ['packages/equivalence/test', 'test/equivalence'],
};

/**
 * A test file that mentions one of these uses built files, other processes, browsers, clocks or
 * other engines, so a switch in the sources does not affect it.
 */
const elsewhere =
  /from '(node:child_process|node:worker_threads|node:vm|esbuild|playwright-core|publint)'|\bvi\./;

/** Whether the tests have their full length, as in `pnpm test:all`. */
export const isThorough = process.env.BATON_TESTS === 'all';

/**
 * The test files for mutants of these packages or folders; with `isWide`, those of the root and of
 * all packages. `only` selects those whose path has a match. Long files run only at full length.
 */
export function testFiles(names, { isWide, only }) {
  const all = isWide ? testFolders : names.flatMap((name) => folders[packageOf(name)]);
  return [...new Set(all.flatMap(testsBelow))]
    .filter((path) => only.test(path) && (isThorough || !path.endsWith('.long.test.ts')))
    .filter((path) => !elsewhere.test(sourceOf(path)))
    .sort();
}

/** The folders of all tests: those of the root and of each package. */
export const testFolders = [
  'test',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/test`),
].filter((folder) => existsSync(join(root, folder)));

/** The test files in a folder, without installed packages, whose links are cyclic. */
export const testsBelow = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsBelow(path);
    return path.endsWith('.test.ts') ? [path] : [];
  });
