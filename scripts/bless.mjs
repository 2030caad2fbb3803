// pnpm bless: writes every generated file and every expected output, in one run.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The tests that write expected output (`test/blessed.ts`): pages are made from golden files. */
const GOLDENS = [
  'test/golden',
  'test/types/inferred.test.ts',
  'test/execution/wasm-plans.test.ts',
  'test/execution/compiled-operators.test.ts',
  'packages/onnx/test/forms.test.ts',
  'packages/rewrites/test/rules-table.test.ts',
];
const PAGES = ['test/docs/reference.test.ts', 'test/docs/operators-of-onnx.test.ts'];

function run(command, ...args) {
  const env = { ...process.env, BATON_BLESS: '1' };
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  return status === 0;
}

// A test that fails for a reason other than its output does not prevent writing the pages.
const results = [
  run('pnpm', 'run', 'gen'),
  run('npx', 'vitest', 'run', ...GOLDENS),
  run('npx', 'vitest', 'run', ...PAGES),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
