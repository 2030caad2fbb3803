// The test files that mutants are run against.
import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root, sourceOf } from './scope.mjs';

/** The folders of a package's tests: its own, and those that use it closely. */
const folders = {
  autodiff: ['packages/autodiff/test', 'test/gradients'],
  passes: ['packages/passes/test', 'test/golden', 'test/passes', 'test/equivalence'],
  tensor: ['packages/tensor/test', 'packages/ops/test'],
  egraph: ['packages/egraph/test'],
  ops: ['packages/ops/test', 'test/golden/operators', 'test/oracle', 'test/types'],
  ir: ['packages/ir/test', 'packages/text/test', 'test/types'],
  onnx: ['packages/onnx/test', 'test/oracle'],
  rewrites: ['packages/rewrites/test', 'test/rewrites', 'test/golden'],
  wasm: ['packages/wasm/test', 'test/execution'],
  executor: ['packages/executor/test', 'test/execution', 'test/language'],
  'pass-manager': ['packages/pass-manager/test', 'test/passes', 'test/golden'],
  equivalence: ['packages/equivalence/test', 'test/equivalence'],
};

/**
 * A test file that mentions one of these uses built files, other processes, browsers, clocks or
 * other engines: such a test cannot see a switch in the sources.
 */
const elsewhere =
  /from '(node:child_process|node:worker_threads|node:vm|esbuild|playwright-core|publint)'|\bvi\./;

/** Folders of other tests that may see a mutant: they run programs, and take longer. */
const elsewhereToo = [
  'packages/executor/test',
  'packages/equivalence/test',
  'packages/pass-manager/test',
  'packages/testing/test',
  'test/execution',
  'test/seeds',
  'test/text',
];

/** The test files for mutants of these packages; with `isWide`, the test files of all packages. */
export function testFiles(names, isWide) {
  const all = isWide
    ? [...Object.values(folders).flat(), ...elsewhereToo]
    : names.flatMap((name) => folders[name]);
  return [...new Set(all.flatMap(testsBelow))]
    .filter((path) => !elsewhere.test(sourceOf(path)))
    .sort();
}

const testsBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path))
    .filter((path) => path.endsWith('.test.ts'));
