/** Slice whose bounds the run computes, with inputs that are left out. */
import { isLeft } from '@baton/base';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, it } from 'vitest';
import { modelBytes } from './helpers/encode.ts';

describe('Slice without starts or ends is refused', () => {
  it.each([
    [['x', 's']],
    [['x', '', 's']],
    [['x', 's', '']],
    [['x', '', '', '', 's']],
    [['x', 's', '', '', 's']],
  ])('%j', (inputs) => {
    const file = modelBytes({
      nodes: [{ op: 'Slice', in: inputs }],
      inputs: [
        { name: 'x', dims: [2, 3] },
        { name: 's', dims: [2], type: 7 },
      ],
    });
    const read = importOnnx(file, { ops: standardOps });
    expect(isLeft(read) && read.left.map(({ code }) => code)).toEqual([
      expect.stringMatching(/^ONNX_INPUT/),
    ]);
  });
});
