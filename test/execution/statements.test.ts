/** Where the sources state what an operator is: a formula that is said once more shows here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../docs/pages.ts';

const PACKAGES = ['autodiff', 'lower', 'onnx', 'ops', 'passes', 'proofs', 'rewrites', 'wasm'];

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

it('layer normalization has a kernel, a definition, and one formula of ONNX', () => {
  const variance =
    /sqrt\((variance|mean)\(.*\+ \?|op\('sqrt', .*epsilon|= variance\(x|node\('Sqrt'/;
  expect(statements(variance)).toEqual([
    // The root mean square that is written back as one node: there is no mean to subtract.
    'packages/onnx/src/chapters/normalizations.ts',
    // What is read, as the results of a node are the mean and the inverse deviation, too.
    'packages/onnx/src/chapters/normalizations.ts',
    'packages/ops/src/families/normalization.ts',
    'packages/ops/src/kernels/normalization.ts',
    // Root mean squares have no mean to subtract.
    'packages/rewrites/src/rules/norms.ts',
  ]);
});

it('HardSwish has a kernel, a definition, and one row of ONNX', () => {
  const hardSwish =
    /\?x \* \(?clip\(|%0 \* clip\(|math\.add\(x, 3\)|\* clip\(.*\+ 3|'Mul', 'x', .*plusThree/;
  expect(statements(hardSwish)).toEqual([
    // One row: the formula that is read, and two spellings that are written back as the node.
    'packages/onnx/src/chapters/activations.ts',
    'packages/onnx/src/chapters/activations.ts',
    'packages/onnx/src/chapters/activations.ts',
    'packages/ops/src/ops/qnn/hardswish.ts',
    'packages/ops/src/ops/qnn/hardswish.ts',
  ]);
});
