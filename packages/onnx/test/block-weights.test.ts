/** Weights of 4 and 8 bits in blocks: what is written, and that it is read as what it stands for. */
import { orThrow } from '@baton/base';
import { evaluate, interpreter } from '@baton/executor';
import { constant, func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps as ops } from '@baton/ops';
import { type Tensor, tensor } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { decodeModel, exportOnnx, importOnnx, withBlockWeights } from '../src/index.ts';
import type { GraphParts } from './helpers/encode.ts';
import { refused } from './helpers/import.ts';

const [ROWS, COLUMNS] = [70, 3];
const weights = Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => Math.sin(1.3 * i));

/** The product with a weight of (columns, rows), and a bias if asked for. */
function productOf(values: Float32Array, hasBias: boolean): Uint8Array {
  const x = variable('x', tensorType([2, ROWS], 'float32'));
  const w = constant(tensor(values, [COLUMNS, ROWS], 'float32'));
  const product = callOp(ops, 'nn.dense', [x, w]);
  const bias = constant(tensor(Float32Array.of(1, -2, 3), [COLUMNS], 'float32'));
  const body = hasBias ? callOp(ops, 'nn.bias_add', [product, bias], { axis: -1 }) : product;
  return orThrow(exportOnnx(irModule({ ops, functions: new Map([['main', func([x], body)]]) })));
}

/** Each block of 32 along a row, as multiples of one of `steps` parts of its greatest size. */
function rounded(steps: number): Float32Array {
  const values = Float32Array.from(weights);
  for (let column = 0; column < COLUMNS; column++) {
    for (let first = 0; first < ROWS; first += 32) {
      const block = values.subarray(
        column * ROWS + first,
        column * ROWS + Math.min(first + 32, ROWS),
      );
      const scale = Math.fround(Math.max(...block.map(Math.abs)) / steps);
      block.forEach((x, i) => {
        block[i] = Math.round(x / scale) * scale;
      });
    }
  }
  return values;
}

const x = tensor(
  Float32Array.from({ length: 2 * ROWS }, (_, i) => Math.cos(i)),
  [2, ROWS],
  'float32',
);
const computed = (file: Uint8Array): Float32Array =>
  (orThrow(evaluate(orThrow(importOnnx(file, { ops })), [x], { executor: interpreter })) as Tensor)
    .data as Float32Array;

describe('weights in blocks', () => {
  it.each([
    [4, 7, false],
    [4, 7, true],
    [8, 127, false],
    [8, 127, true],
  ] as const)(
    'of %d bits stand for the rounded weights: %d, with a bias: %s',
    (bits, steps, hasBias) => {
      const file = orThrow(withBlockWeights(productOf(weights, hasBias), bits));
      const { graph, opsetImports } = orThrow(decodeModel(file));
      expect(graph?.nodes.map(({ opType }) => opType)).toContain('MatMulNBits');
      expect(opsetImports.map(({ domain }) => domain)).toContain('com.microsoft');
      const [found, wanted] = [computed(file), computed(productOf(rounded(steps), hasBias))];
      for (const [i, value] of found.entries()) expect(value).toBeCloseTo(wanted[i] ?? 0, 5);
    },
  );

  it.each([
    [4, 16],
    [8, 32],
  ] as const)('of %d bits take %d bytes a block', (bits, bytes) => {
    const file = orThrow(withBlockWeights(productOf(weights, false), bits));
    const { graph } = orThrow(decodeModel(file));
    expect(graph?.initializers.map(({ dims }) => dims.map(Number))).toEqual([[3, 3, bytes], [9]]);
  });

  it.each([
    [0, 4, 32],
    [4, 0, 32],
    [4, 4, 0],
  ])('of %i rows and %i columns, %i in a block, are refused', (K, N, block_size) => {
    const attrs = { K: { i: K }, N: { i: N }, block_size: { i: block_size } };
    const graph: GraphParts = {
      nodes: [{ op: 'MatMulNBits', domain: 'com.microsoft', in: ['x', 'w', 's'], attrs }],
      inputs: [
        { name: 'x', dims: [2, 4] },
        { name: 'w', dims: [4, 1, 16], type: 2 },
        { name: 's', dims: [4] },
      ],
    };
    expect(refused(graph)).toEqual([
      'ONNX_ATTRIBUTE at test: MatMulNBits #0: expected K, N and block_size of at least 1',
    ]);
  });

  it('leave files without such products as they are', () => {
    const v = variable('x', tensorType([2], 'float32'));
    const m = irModule({
      ops,
      functions: new Map([['main', func([v], callOp(ops, 'nn.relu', [v]))]]),
    });
    const file = orThrow(exportOnnx(m));
    expect(orThrow(withBlockWeights(file))).toBe(file);
  });
});
