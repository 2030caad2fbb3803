import { isTensor, type Tensor, toNumbers } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elements, gridTensor, SEED } from './kernels-support.ts';
import { nested, run, t, tryRun } from './support.ts';

const one = (value: ReturnType<typeof run>): Tensor => {
  if (!isTensor(value)) throw new Error('a tensor');
  return value;
};

describe('cells around, between and apart', () => {
  test('dilate puts cells between', () => {
    const attrs = { strides: [2, 1], dilation_value: 9 };
    expect(
      nested(
        run(
          'nn.dilate',
          [
            t([
              [1, 2],
              [3, 4],
            ]),
          ],
          attrs,
        ),
      ),
    ).toEqual([
      [1, 2],
      [9, 9],
      [3, 4],
    ]);
  });

  test.each([
    ['SYMMETRIC', [2, 1, 1, 2, 3, 3, 2]],
    ['REFLECT', [3, 2, 1, 2, 3, 2, 1]],
  ])('mirror_pad in mode %s', (mode, expected) => {
    expect(nested(run('nn.mirror_pad', [t([1, 2, 3])], { mode, pad_width: [[2, 2]] }))).toEqual(
      expected,
    );
  });

  test('mirror_pad has one image on each side', () => {
    const attrs = { mode: 'REFLECT', pad_width: [[3, 0]] };
    expect(tryRun('nn.mirror_pad', [t([1, 2, 3])], attrs)).toMatchObject({
      left: [{ code: 'OP_EXTENT' }],
    });
  });

  test('space_to_batch_nd counts the place in the block first', () => {
    const data = t([
      [
        [[1], [2]],
        [[3], [4]],
      ],
    ]);
    const attrs = {
      block_shape: [2, 2],
      paddings: [
        [0, 0],
        [0, 0],
      ],
    };
    expect(nested(run('nn.space_to_batch_nd', [data], attrs))).toEqual([
      [[[1]]],
      [[[2]]],
      [[[3]]],
      [[[4]]],
    ]);
  });

  test('batch_to_space_nd undoes space_to_batch_nd', () => {
    fc.assert(
      fc.property(gridTensor([2, 3, 4, 2]), (data) => {
        const block_shape = [2, 3];
        const pads = [
          [1, 0],
          [0, 2],
        ];
        const apart = run('nn.space_to_batch_nd', [data], { block_shape, paddings: pads });
        expect(one(apart).shape).toEqual([12, 2, 2, 2]);
        const back = one(run('nn.batch_to_space_nd', [apart], { block_shape, crops: pads }));
        expect(back.shape).toEqual(data.shape);
        expect(elements(back)).toEqual(elements(data));
      }),
      { seed: SEED, numRuns: 30 },
    );
  });
});

describe('losses', () => {
  test('cross entropy is the mean over the batch', () => {
    const x = t([
      [0.5, 0.5],
      [0.25, 0.75],
    ]);
    const y = t([
      [1, 0],
      [0, 1],
    ]);
    const wanted = -(Math.log(0.5) + Math.log(0.75)) / 2;
    expect(toNumbers(one(run('nn.cross_entropy', [x, y])))[0]).toBeCloseTo(wanted, 6);
    const logs = run('log', [x]);
    const same = one(run('nn.cross_entropy_with_logits', [logs, y]));
    expect(toNumbers(same)[0]).toBeCloseTo(wanted, 6);
  });

  test.each([
    ['none', [1, 4, 0]],
    ['sum', 5],
    ['mean', 5 / 3],
  ])('nll_loss with reduction %s leaves out what is ignored', (reduction, expected) => {
    const predictions = t([
      [-1, -3],
      [-5, -2],
      [-7, -7],
    ]);
    const targets = t([0, 1, -100], 'int64');
    const found = one(run('nn.nll_loss', [predictions, targets, t([1, 2])], { reduction }));
    const numbers = Array.from(toNumbers(found));
    [expected].flat().forEach((value, i) => {
      expect(numbers[i]).toBeCloseTo(value, 6);
    });
    expect(numbers.length).toBe([expected].flat().length);
  });
});
