/** `DeformConv` against its definition. */
import { compareTensors, fromNumbers, shapeSize, type Tensor, toNumbers } from '@baton/tensor';
import { expect, test } from 'vitest';
import { imported } from './helpers/import.ts';
import { one } from './helpers/one.ts';
import { run } from './helpers/run.ts';

const tensor = (shape: ReadonlyArray<number>, step: number): Tensor =>
  fromNumbers(
    Array.from({ length: shapeSize(shape) }, (_, i) => ((i * 37) % 23) * step - 11 * step),
    shape,
    'float32',
  );

/** 2 images of 4 channels in 2 groups, that move in 2 groups; 3 by 2 cells. */
const [N, C, H, W, O, KH, KW, G, OG] = [2, 4, 5, 6, 4, 3, 2, 2, 2];
const [PADS, STRIDES, DILATIONS] = [
  [1, 0, 1, 1],
  [2, 1],
  [1, 2],
] as const;
const [ROWS, COLUMNS] = [3, 5];

test('DeformConv with groups, a bias and a mask', () => {
  const x = tensor([N, C, H, W], 0.25);
  const w = tensor([O, C / G, KH, KW], 0.125);
  const offset = tensor([N, OG * KH * KW * 2, ROWS, COLUMNS], 0.15);
  const bias = tensor([O], 1);
  const mask = tensor([N, OG * KH * KW, ROWS, COLUMNS], 0.1);
  const graph = one(
    'DeformConv',
    { x: x.shape, w: w.shape, offset: offset.shape, bias: bias.shape, mask: mask.shape },
    {
      group: { i: G },
      offset_group: { i: OG },
      pads: { ints: [...PADS] },
      strides: { ints: [...STRIDES] },
      dilations: { ints: [...DILATIONS] },
    },
  );
  const [found] = run(imported(graph, { opset: 19 }), [x, w, offset, bias, mask]);
  const wanted = fromNumbers(defined(x, w, offset, bias, mask), [N, O, ROWS, COLUMNS], 'float32');
  expect(found?.shape).toEqual(wanted.shape);
  const error = found && compareTensors(found, wanted).maxAbsError;
  expect(error).toBeLessThan(1e-4);
});

/** The results by the definition of the operator, one after the other. */
function defined(...tensors: ReadonlyArray<Tensor>): ReadonlyArray<number> {
  const [x, w, offset, bias, mask] = tensors.map((one) => toNumbers(one)) as ArrayLike<number>[];
  const read = (data: ArrayLike<number> | undefined, at: number): number => data?.[at] ?? 0;
  const pixel = (plane: number, i: number, j: number): number =>
    i < 0 || i >= H || j < 0 || j >= W ? 0 : read(x, (plane * H + i) * W + j);
  const sample = (plane: number, y: number, at: number): number => {
    const [i, j] = [Math.floor(y), Math.floor(at)];
    const [p, q] = [y - i, at - j];
    const upper = pixel(plane, i, j) * (1 - q) + pixel(plane, i, j + 1) * q;
    return (
      upper * (1 - p) + (pixel(plane, i + 1, j) * (1 - q) + pixel(plane, i + 1, j + 1) * q) * p
    );
  };
  const results: number[] = [];
  for (let at = 0; at < N * O * ROWS * COLUMNS; at++) {
    const [n, o] = [Math.floor(at / (O * ROWS * COLUMNS)), Math.floor(at / (ROWS * COLUMNS)) % O];
    const [row, column] = [Math.floor(at / COLUMNS) % ROWS, at % COLUMNS];
    let sum = read(bias, o);
    for (let k = 0; k < (C / G) * KH * KW; k++) {
      const [c, cell] = [Math.floor(k / (KH * KW)), k % (KH * KW)];
      const channel = Math.floor(o / (O / G)) * (C / G) + c;
      const own = Math.floor(channel / (C / OG)) * KH * KW + cell;
      const place = (of: number): number => (of * ROWS + row) * COLUMNS + column;
      const first = (n * OG * KH * KW + own) * 2;
      const y =
        row * STRIDES[0] -
        PADS[0] +
        Math.floor(cell / KW) * DILATIONS[0] +
        read(offset, place(first));
      const x0 =
        column * STRIDES[1] - PADS[1] + (cell % KW) * DILATIONS[1] + read(offset, place(first + 1));
      const weight = read(w, (o * (C / G) + c) * KH * KW + cell);
      sum += weight * read(mask, place(n * OG * KH * KW + own)) * sample(n * C + channel, y, x0);
    }
    results.push(sum);
  }
  return results;
}
