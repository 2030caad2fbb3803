/** The origins of nodes in an exported file. */
import { orThrow } from '@baton/base';
import { decodeModel, exportOnnx, importOnnx, originsIn } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { expect, test } from 'vitest';
import { modelBytes } from './helpers/encode.ts';

/** The nodes of a file made of a convolution and a sum, which become one node, from this source. */
function nodesFrom(source: string) {
  const bytes = modelBytes({
    nodes: [
      { op: 'Conv', in: ['x', 'w'], out: ['c'], name: 'conv' },
      { op: 'Add', in: ['c', 'b'], out: ['s'], name: 'sum' },
      { op: 'Relu', in: ['s'], out: ['y'], name: 'relu' },
    ],
    inputs: [{ name: 'x', dims: [1, 1, 4, 4] }],
    outputs: [{ name: 'y', dims: [1, 1, 4, 4] }],
    initializers: [
      { name: 'w', dims: [1, 1, 1, 1], floats: [2] },
      { name: 'b', dims: [1, 1, 1], floats: [3] },
    ],
  });
  const m = orThrow(importOnnx(bytes, { ops: standardOps, source }));
  return orThrow(decodeModel(orThrow(exportOnnx(m)))).graph?.nodes ?? [];
}

test('a file is named once for each node, without its folder', () => {
  for (const source of [
    '/home/someone/secret/model.onnx',
    'C:\\models\\model.onnx',
    'model.onnx',
  ]) {
    const [conv, relu] = nodesFrom(source);
    expect(conv?.docString).toBe('from model.onnx: Conv conv, Add sum');
    expect(conv && originsIn(conv)).toEqual(['model.onnx: Conv conv', 'model.onnx: Add sum']);
    expect([relu?.name, relu?.docString ?? '']).toEqual(['relu', '']);
  }
});
