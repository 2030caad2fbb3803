/** The axes that a scale moves along, for layouts, groups and shapes. */
import { type Attrs, type TensorType, tensorType } from '@baton/ir';
import { type ScaleMeeting, scaleAxisColumn, standardOps, typeOfValue } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import { variesOnlyAlong } from '../src/scale-axis/shape.ts';
import { type Call, callOf, zeros } from './scale-axis-support.ts';

/** The axes of the first argument, or the result, that a scale comes from and goes to. */
function places({ site }: Call, name: string): string {
  const fact = standardOps.read(scaleAxisColumn, name);
  const shown = (axes: ReadonlyArray<number | undefined> | undefined): string =>
    axes === undefined ? 'none' : axes.map((axis) => axis ?? '-').join(' ');
  const met = (meeting: ScaleMeeting | undefined): string =>
    meeting === undefined ? 'none' : `${shown(meeting.tensor)} at ${shown(meeting.weight)}`;
  switch (fact?._tag) {
    case 'ScaleProduct':
      return `in ${met(fact.input(site))}, out ${met(fact.output(site))}`;
    case 'ScaleMap':
      return shown(fact.axes(site));
    case 'ScaleBias':
    case 'ScaleConcatenation':
      return shown([fact.axis(site)]);
    default:
      return 'none';
  }
}

describe('the axes that a scale moves along', () => {
  type Dims = ReadonlyArray<number>;
  test.each<[string, ReadonlyArray<Dims>, Attrs, string]>([
    [
      'nn.conv2d',
      [
        [1, 4, 5, 5],
        [6, 4, 3, 3],
      ],
      {},
      'in 1 at 1, out 1 at 0',
    ],
    [
      'nn.conv2d',
      [
        [1, 5, 5, 4],
        [3, 3, 4, 6],
      ],
      { data_layout: 'NHWC', kernel_layout: 'HWIO' },
      'in 3 at 2, out 3 at 3',
    ],
    [
      'nn.conv2d',
      [
        [1, 4, 5, 5],
        [6, 4, 3, 3],
      ],
      { out_layout: 'NHWC' },
      'in 1 at 1, out 3 at 0',
    ],
    [
      'nn.conv2d',
      [
        [1, 4, 5, 5],
        [6, 2, 3, 3],
      ],
      { groups: 2 },
      'in none, out 1 at 0',
    ],
    [
      'nn.conv2d',
      [
        [1, 4, 5, 5],
        [4, 1, 3, 3],
      ],
      { groups: 4 },
      'in 1 at 0, out 1 at 0',
    ],
    [
      'nn.conv2d',
      [
        [1, 4, 5, 5],
        [8, 1, 3, 3],
      ],
      { groups: 4 },
      'in none, out 1 at 0',
    ],
    [
      'nn.conv2d',
      [
        [1, 2, 5, 5, 2],
        [3, 2, 3, 3, 2, 2],
      ],
      { data_layout: 'NCHW2c', kernel_layout: 'OIHW2i2o' },
      'in 1 4 at 1 4, out 1 4 at 0 5',
    ],
    [
      'nn.conv2d',
      [
        [1, 2, 5, 5, 2],
        [4, 4, 3, 3],
      ],
      { data_layout: 'NCHW2c' },
      'in none, out none',
    ],
    [
      'nn.conv1d',
      [
        [1, 4, 5],
        [6, 4, 3],
      ],
      {},
      'in 1 at 1, out 1 at 0',
    ],
    [
      'nn.conv3d',
      [
        [1, 4, 5, 5, 5],
        [6, 4, 3, 3, 3],
      ],
      {},
      'in 1 at 1, out 1 at 0',
    ],
    [
      'nn.conv2d_transpose',
      [
        [1, 4, 5, 5],
        [4, 6, 3, 3],
      ],
      {},
      'in 1 at 0, out 1 at 1',
    ],
    [
      'nn.conv2d_transpose',
      [
        [1, 4, 5, 5],
        [4, 3, 3, 3],
      ],
      { groups: 2 },
      'in 1 at 0, out none',
    ],
    [
      'nn.dense',
      [
        [2, 3],
        [4, 3],
      ],
      {},
      'in 1 at 1, out 1 at 0',
    ],
    [
      'nn.dense',
      [
        [5, 2, 3],
        [4, 3],
      ],
      {},
      'in 2 at 1, out 2 at 0',
    ],
    [
      'nn.matmul',
      [
        [2, 3],
        [3, 4],
      ],
      {},
      'in 1 at 0, out 1 at 1',
    ],
    [
      'nn.matmul',
      [
        [3, 2],
        [3, 4],
      ],
      { transpose_a: true },
      'in 0 at 0, out 1 at 1',
    ],
    [
      'nn.matmul',
      [
        [2, 3],
        [4, 3],
      ],
      { transpose_b: true },
      'in 1 at 1, out 1 at 0',
    ],
    [
      'nn.batch_matmul',
      [
        [5, 2, 3],
        [5, 3, 4],
      ],
      { transpose_b: false },
      'in 2 at 1, out 2 at 2',
    ],
    [
      'nn.batch_matmul',
      [
        [5, 2, 3],
        [5, 4, 3],
      ],
      { transpose_b: true },
      'in 2 at 2, out 2 at 1',
    ],
    ['nn.bias_add', [[2, 3, 4], [3]], {}, '1'],
    ['nn.bias_add', [[2, 3, 4], [4]], { axis: -1 }, '2'],
    ['nn.bias_add', [[2, 3, 4], [2]], { axis: -3 }, '0'],
    ['nn.relu', [[2, 3]], {}, '0 1'],
    ['nn.leaky_relu', [[2, 3]], {}, '0 1'],
    [
      'nn.pad',
      [[2, 3, 4], []],
      {
        pad_width: [
          [0, 0],
          [1, 0],
          [0, 1],
        ],
      },
      '0 - -',
    ],
    [
      'nn.pad',
      [[2, 3], []],
      {
        pad_width: [
          [0, 0],
          [1, 0],
        ],
        pad_mode: 'edge',
      },
      'none',
    ],
    ['transpose', [[2, 3, 4]], { axes: [2, 0, 1] }, '2 0 1'],
    ['transpose', [[2, 3, 4]], { axes: [-1, -3, -2] }, '2 0 1'],
    ['transpose', [[2, 3, 4]], {}, '2 1 0'],
    ['reshape', [[2, 3, 4]], { newshape: [6, 4] }, '- 2'],
    ['reshape', [[2, 3, 4]], { newshape: [2, 12] }, '0 -'],
    ['reshape', [[2, 3, 4]], { newshape: [2, 3, 2, 2] }, '0 1 - -'],
    ['reshape', [[4, 4]], { newshape: [2, 2, 4] }, '- - 1'],
    ['nn.max_pool2d', [[1, 4, 6, 6]], { pool_size: [2, 2] }, '- 1 - -'],
    ['nn.max_pool2d', [[1, 6, 6, 4]], { pool_size: [2, 2], layout: 'NHWC' }, '- - - 3'],
    ['nn.max_pool2d', [[1, 2, 6, 6, 4]], { pool_size: [2, 2], layout: 'NCHW4c' }, '- 1 - - 4'],
    ['nn.avg_pool2d', [[1, 4, 6, 6]], { pool_size: [2, 2], out_layout: 'NHWC' }, 'none'],
    ['nn.avg_pool2d', [[1, 4, 6, 6]], { pool_size: [2, 2], out_layout: 'NCHW' }, '- 1 - -'],
  ])('%s of %j with %j', (name, shapes, attrs, expected) => {
    const args = shapes.map((shape) =>
      shape.length === 0 ? zeros(shape) : (typeOfValue(zeros(shape)) as TensorType),
    );
    expect(places(callOf(name, args, attrs), name)).toBe(expected);
  });

  test.each([
    [1, '1'],
    [-1, '1'],
    [-2, '0'],
  ])('concatenate along %i', (axis, expected) => {
    const field = typeOfValue(zeros([2, 3])) as TensorType;
    expect(places(callOf('concatenate', [[field, field]], { axis }), 'concatenate')).toBe(expected);
  });
});

describe('a tensor varies only along the axes of a larger one', () => {
  test.each([
    ['of its full size there, of size 1 elsewhere', [3, 1], [1], true],
    ['of a size elsewhere', [3, 4], [1], false],
    ['of size 1 there', [1, 1], [1], false],
    ['without the axis', [1], [1], false],
    ['of a size along all of several', [3, 4], [1, 2], true],
    ['of more axes', [1, 2, 3, 4], [1], false],
  ])('%s', (_, dims, axes, expected) => {
    const [large, small] = [tensorType([2, 3, 4], 'float32'), tensorType(dims, 'float32')];
    expect(variesOnlyAlong(large, small, axes)).toBe(expected);
  });
});
