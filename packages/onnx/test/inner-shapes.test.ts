/** Shapes of values inside that have names stay stated: runtimes choose kernels by them. */
import { orThrow } from '@baton/base';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, it } from 'vitest';
import { modelBytes, type ValueParts } from './helpers/encode.ts';

describe('shapes of values inside', () => {
  const inputs = [{ name: 'x', dims: ['n', 4] }];
  const nodes = [
    { op: 'Tanh', name: 'tanh', in: ['x'], out: ['t'] },
    { op: 'Exp', in: ['t'], out: ['e'] },
    { op: 'Pad', in: ['t', 'pads'], out: ['p'] },
    {
      op: 'MaxPool',
      in: ['image'],
      out: ['m'],
      attrs: { kernel_shape: { ints: [2] }, strides: { ints: [2] } },
    },
    { op: 'Relu', in: ['m'], out: ['r'] },
  ];
  const written = (valueInfos: ReadonlyArray<ValueParts>, names: 'full' | 'short') => {
    const bytes = modelBytes({
      nodes,
      inputs: [...inputs, { name: 'image', dims: [1, 1, 'w'] }],
      outputs: ['e', 'p', 'r'].map((name) => ({
        name,
        dims: name === 'r' ? [1, 1, null] : [null, null],
      })),
      initializers: [{ name: 'pads', dims: [4], ints: [0, 1, 0, 1] }],
      valueInfos,
    });
    const m = orThrow(importOnnx(bytes, { ops: standardOps }));
    return orThrow(decodeModel(orThrow(exportOnnx(m, { names })))).graph?.valueInfos ?? [];
  };

  it('are none where the file has none with names', () => {
    expect(written([], 'full')).toEqual([]);
    expect(written([{ name: 't', dims: [2, 4] }], 'full')).toEqual([]);
  });

  it('are those with names for each open dimension, and no outputs', () => {
    const found = written([{ name: 't', dims: ['n', 4] }], 'full');
    expect(found.map(({ name, type }) => [name, type])).toEqual([
      ['tanh', { _tag: 'Tensor', elemType: 1, shape: ['n', 4] }],
    ]);
  });

  it('are left out of a file with short names', () => {
    expect(written([{ name: 't', dims: ['n', 4] }], 'short')).toEqual([]);
  });
});
