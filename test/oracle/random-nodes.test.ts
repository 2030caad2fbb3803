/** Nodes that draw random numbers leave as they came: none is computed before the program runs. */
import { orThrow } from '@baton/base';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { optimize, runPass } from 'batonjs';
import { expect, test } from 'vitest';
import { modelBytes } from '../../packages/onnx/test/helpers/encode.ts';
import { one } from '../../packages/onnx/test/helpers/one.ts';

const opset = 15;

test.each([
  one('RandomNormal', {}, { shape: { ints: [40, 50] } }),
  one('RandomNormalLike', { x: ['n', 3] }, {}),
  one('Bernoulli', { x: ['n', 3] }, {}),
])('a node without a seed leaves as it came, optimized or not', (graph) => {
  const module = orThrow(importOnnx(modelBytes(graph, opset), { ops: standardOps }));
  const best = orThrow(runPass(optimize({ level: 3 }))(module)).module;
  for (const m of [module, best]) {
    const nodes = orThrow(decodeModel(orThrow(exportOnnx(m)))).graph?.nodes ?? [];
    expect(nodes.map(({ opType, attributes }) => [opType, attributes.length])).toEqual([
      [graph.nodes[0]?.op, Object.keys(graph.nodes[0]?.attrs ?? {}).length],
    ]);
  }
});

test('two nodes without a seed stay two', () => {
  const nodes = ['y', 'z'].map((name) => ({ op: 'RandomNormalLike', in: ['x'], out: [name] }));
  const graph = { nodes, inputs: [{ name: 'x', dims: ['n', 3] }], outputs: ['y', 'z'] };
  const module = orThrow(importOnnx(modelBytes(graph, opset), { ops: standardOps }));
  const best = orThrow(runPass(optimize({ level: 3 }))(module)).module;
  const written = orThrow(decodeModel(orThrow(exportOnnx(best)))).graph?.nodes ?? [];
  expect(written.map(({ opType }) => opType)).toEqual(['RandomNormalLike', 'RandomNormalLike']);
});
