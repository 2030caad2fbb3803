/** Constants without elements, in places where an operator reads one number. */
import { isLeft } from '@baton/base';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, it } from 'vitest';
import { modelBytes, type NodeParts } from './helpers/encode.ts';

/** A node, and the input of it that is a constant without elements, of this element type. */
const PLACES: ReadonlyArray<readonly [NodeParts, string, number, number]> = [
  [{ op: 'Dropout', in: ['x', 'e'] }, 'e', 1, 13],
  [{ op: 'Dropout', in: ['x', '', 'e'] }, 'e', 9, 13],
  [{ op: 'OneHot', in: ['x', 'e', 'x'] }, 'e', 7, 13],
  [{ op: 'Clip', in: ['x', 'e'] }, 'e', 1, 13],
  [{ op: 'Pad', in: ['x', 'p', 'e'] }, 'e', 1, 13],
  [{ op: 'TopK', in: ['x', 'e'], out: ['v', 'i'] }, 'e', 7, 13],
  [{ op: 'CumSum', in: ['x', 'e'] }, 'e', 7, 14],
  [{ op: 'Range', in: ['e', 'e', 'e'] }, 'e', 7, 13],
  [{ op: 'Trilu', in: ['x', 'e'] }, 'e', 7, 14],
  [{ op: 'MelWeightMatrix', in: ['e', 'e', 'e', 'e', 'e'] }, 'e', 1, 17],
  [{ op: 'HannWindow', in: ['e'] }, 'e', 7, 17],
  [{ op: 'QuantizeLinear', in: ['x', 'e'] }, 'e', 1, 13],
  [{ op: 'Mod', in: ['x', 'e'], attrs: { fmod: { i: 1 } } }, 'e', 1, 13],
  [{ op: 'Pow', in: ['x', 'e'] }, 'e', 1, 13],
];

describe('a constant without elements', () => {
  it.each(PLACES)('of %j throws nothing', (node, name, type, opset) => {
    const file = modelBytes(
      {
        nodes: [node],
        inputs: [{ name: 'x', dims: [2, 3] }],
        initializers: [
          { name, dims: [0], type, raw: new Uint8Array() },
          { name: 'p', dims: [4], ints: [1, 1, 1, 1] },
        ],
      },
      opset,
    );
    const read = importOnnx(file, { ops: standardOps });
    const codes = isLeft(read) ? read.left.map(({ code }) => code) : [];
    expect(codes).not.toContain('ONNX_MALFORMED');
  });
});
