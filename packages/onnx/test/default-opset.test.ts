/** The operator set that is written where none is asked for. */
import { orThrow } from '@baton/base';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, it } from 'vitest';
import { modelBytes } from './helpers/encode.ts';

const FLOAT = 1;
const FLOAT16 = 10;
const BFLOAT16 = 16;

describe('the operator set of a written file', () => {
  it.each([
    ['a model of an earlier set has the default', FLOAT, 13, 18],
    ['a later one keeps its own', FLOAT, 21, 21],
    // onnxruntime computes the activations of 16-bit floats by formulas in a file of set 18 alone.
    ['16-bit floats keep their own', FLOAT16, 13, 13],
    ['16-bit floats keep their own', FLOAT16, 17, 17],
    ['16-bit floats keep their own', FLOAT16, 18, 18],
    ['16-bit floats keep their own', FLOAT16, 22, 22],
    [
      '16-bit floats of a set that is not written have the last before the default',
      FLOAT16,
      11,
      17,
    ],
    ['brain floats keep their own', BFLOAT16, 17, 17],
  ])('%s: %d of %d is %d', (_, type, opset, expected) => {
    const parts = {
      nodes: [{ op: 'Tanh', in: ['x'], out: ['y'] }],
      inputs: [{ name: 'x', dims: ['n', 4], type }],
      outputs: [{ name: 'y', dims: ['n', 4], type }],
    };
    const m = orThrow(importOnnx(modelBytes(parts, opset), { ops: standardOps }));
    const [set] = orThrow(decodeModel(orThrow(exportOnnx(m)))).opsetImports;
    expect(set?.version).toBe(expected);
  });

  it('is the model’s own for 16-bit floats inside alone', () => {
    const parts = {
      nodes: [
        { op: 'Cast', in: ['x'], out: ['h'], attrs: { to: { i: FLOAT16 } } },
        { op: 'Relu', in: ['h'], out: ['r'] },
        { op: 'Cast', in: ['r'], out: ['y'], attrs: { to: { i: FLOAT } } },
      ],
      inputs: [{ name: 'x', dims: [4], type: FLOAT }],
      outputs: [{ name: 'y', dims: [4], type: FLOAT }],
    };
    const m = orThrow(importOnnx(modelBytes(parts, 16), { ops: standardOps }));
    const [set] = orThrow(decodeModel(orThrow(exportOnnx(m)))).opsetImports;
    expect(set?.version).toBe(16);
  });
});
