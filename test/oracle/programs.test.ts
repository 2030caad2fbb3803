/**
 * Random programs, exported: onnxruntime computes what the program computes. Functions, data types,
 * references and known branches are gone from the file; other branches are `If` nodes.
 */
import { isLeft, orThrow } from '@baton/base';
import { evaluate } from '@baton/executor';
import { type Func, type IRModule, postOrderExprs } from '@baton/ir';
import { decodeModel, exportOnnx } from '@baton/onnx';
import { isFloat, type Tensor } from '@baton/tensor';
import { inputsFor, leavesOf, programOf } from '@baton/testing';
import { expect, test } from 'vitest';
import { onnxExporters } from '../../packages/onnx/src/catalogue.ts';
import { difference } from './compare.ts';
import { runElsewhere } from './oracle.ts';

const SEED = 20_261_123;
const PROGRAMS = 80;

/** Chains of calls round in each step, and onnxruntime fuses none here. */
const ULPS = 4096;

test.each(['dataflow', 'whole'] as const)('%s programs', async (language) => {
  const problems: string[] = [];
  let exported = 0;
  let expressible = 0;
  let branches = 0;
  for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
    const { module } = programOf(seed, { language, numerics: 'smooth', dtype: 'float32' });
    const isExpressible = everyOperatorHasAForm(module);
    if (isExpressible) expressible++;
    const file = exportOnnx(module);
    if (isLeft(file)) {
      problems.push(...file.left.filter((d) => d.code !== 'ONNX_EXPORT').map((d) => d.message));
      continue;
    }
    if (isExpressible) exported++;
    const graph = orThrow(decodeModel(file.right)).graph;
    branches += graph?.nodes.filter((node) => node.opType === 'If').length ?? 0;
    const problem = await problemOf(
      module,
      file.right,
      seed,
      graph?.inputs.map((i) => i.name) ?? [],
    );
    if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
  }
  expect(problems).toEqual([]);
  expect(expressible).toBeGreaterThan(0.6 * PROGRAMS);
  expect(exported).toBeGreaterThan(0.85 * expressible);
  expect(branches).toBeGreaterThan(2);
});

const everyOperatorHasAForm = (m: IRModule): boolean =>
  postOrderExprs([...m.functions.values()]).every(
    (node) => node._tag !== 'Op' || onnxExporters.has(node.name),
  );

/** The difference between the program and its file. */
async function problemOf(
  module: IRModule,
  file: Uint8Array,
  seed: number,
  names: ReadonlyArray<string>,
): Promise<string | undefined> {
  const inputs = inputsFor(module.functions.get('main') as Func, seed);
  const wanted = evaluate(module, inputs, { fuel: 100_000, maxDepth: 10_000 });
  // A program that fails has nothing to compare.
  if (isLeft(wanted)) return undefined;
  const feeds = inputs.flatMap(leavesOf);
  const named = new Map(names.map((name, i) => [name, feeds[i] as Tensor]));
  const found = [...(await runElsewhere(file, { inputs: named })).values()];
  for (const [i, expected] of leavesOf(wanted.right).entries()) {
    const value = found[i];
    const ulps = isFloat(expected.dtype) ? ULPS : 0;
    const differs = value === undefined ? 'nothing' : difference(value, expected, ulps, 1);
    if (differs !== undefined) return `result ${i}: ${differs}`;
  }
  return undefined;
}
