/** Where the sources state what an operator is: a formula that is said once more shows here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../docs/pages.ts';

/** Formulas of ONNX are rows of `packages/onnx`. */
const PACKAGES = ['autodiff', 'lower', 'ops', 'passes', 'proofs', 'rewrites', 'wasm'];

const SOURCES = PACKAGES.flatMap((name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('builders'))
    .map((path) => `packages/${name}/src/${path}`),
);

/** The lines of code that state a formula, by file. */
function statements(...formulas: ReadonlyArray<RegExp>): ReadonlyArray<string> {
  return SOURCES.flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    const found = lines.filter(
      (line) => !/^\s*(\*|\/\/|doc:)/.test(line) && formulas.some((formula) => formula.test(line)),
    );
    return found.map(() => path);
  });
}

it('layer normalization has a kernel, a definition, and the spelling that rules lead to', () => {
  const variance = /sqrt\((variance|mean)\(.*\+ \?|op\('sqrt', .*epsilon|= variance\(x/;
  expect(statements(variance)).toEqual([
    'packages/ops/src/families/normalization.ts',
    'packages/ops/src/kernels/normalization.ts',
    'packages/rewrites/src/rules/norms.ts',
    // Root mean squares have no mean to subtract.
    'packages/rewrites/src/rules/norms.ts',
  ]);
});

it('HardSwish has a kernel, a definition, and the spelling that rules lead to', () => {
  const hardSwish = /\?x \* clip\(|%0 \* clip\(|math\.add\(x, 3\)|\* clip\(.*\+ 3/;
  expect(statements(hardSwish)).toEqual([
    'packages/ops/src/ops/qnn/hardswish.ts',
    'packages/ops/src/ops/qnn/hardswish.ts',
    'packages/rewrites/src/rules/activations.ts',
  ]);
});
