/** Every operator's equation of scales, on its own examples: both sides are computed. */
import { mulberry32 } from '@baton/base';
import { type Attrs, type TensorType, type Type, tensorType } from '@baton/ir';
import {
  type Example,
  type ExampleArg,
  evaluateOp,
  examplesColumn,
  type OpValue,
  type ScaleMeeting,
  type ScaleSite,
  scaleAxisColumn,
  standardOps,
  typeOfValue,
} from '@baton/ops';
import {
  compareTensors,
  fromNumbers,
  isFloat,
  isTensor,
  reshapeView,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { right, run } from './support.ts';

const random = mulberry32(77);

const operators = standardOps.names.flatMap((name) => {
  const fact = standardOps.read(scaleAxisColumn, name);
  return fact === undefined ? [] : [{ name, fact }];
});

/** Calls beside the examples: the equation of a padding looks at its value. */
const FURTHER: ReadonlyMap<string, ReadonlyArray<Example>> = new Map([
  ['nn.conv2d', [depthwise(), grouped()]],
  ['nn.conv2d_transpose', [groupedTranspose()]],
  ['nn.pad', [padding()]],
]);

test('the operators that state an equation', () => {
  expect(operators.map(({ name, fact }) => `${name} ${fact._tag}`)).toEqual([
    'add ScaleSum',
    'concatenate ScaleConcatenation',
    'multiply ScaleOrigin',
    'nn.avg_pool1d ScaleMap',
    'nn.avg_pool2d ScaleMap',
    'nn.avg_pool3d ScaleMap',
    'nn.batch_matmul ScaleProduct',
    'nn.bias_add ScaleBias',
    'nn.conv1d ScaleProduct',
    'nn.conv1d_transpose ScaleProduct',
    'nn.conv2d ScaleProduct',
    'nn.conv2d_transpose ScaleProduct',
    'nn.conv3d ScaleProduct',
    'nn.conv3d_transpose ScaleProduct',
    'nn.dense ScaleProduct',
    'nn.global_avg_pool2d ScaleMap',
    'nn.global_max_pool2d ScaleMap',
    'nn.leaky_relu ScaleMap',
    'nn.matmul ScaleProduct',
    'nn.max_pool1d ScaleMap',
    'nn.max_pool2d ScaleMap',
    'nn.max_pool3d ScaleMap',
    'nn.pad ScaleMap',
    'nn.relu ScaleMap',
    'reshape ScaleMap',
    'subtract ScaleSum',
    'transpose ScaleMap',
  ]);
});

describe.each(operators)('$name', ({ name, fact }) => {
  const examples = (standardOps.read(examplesColumn, name) ?? []).filter(({ args }) =>
    args.every((arg) => isFloatArg(arg)),
  );
  // A codec that knows the operator's attributes writes them in full.
  const calls = [...examples, ...(FURTHER.get(name) ?? [])].map((example) =>
    callOf(name, example.args, { ...example.attrs } as Attrs),
  );

  test('some example shows the equation', () => {
    expect(calls.reduce((sum, call) => sum + check(call), 0)).toBeGreaterThan(0);
  });

  /** Checks the equation at a call; gives the number of checks. */
  function check(call: Call): number {
    const [x, y] = call.args;
    if (x === undefined) return 0;
    switch (fact._tag) {
      case 'ScaleOrigin':
        return 1;
      case 'ScaleSum': {
        const s = scalar(-2);
        const both = call.of([times(x, s), times(y, s)]);
        return expectSame(both, times(call.result, s));
      }
      case 'ScaleBias': {
        const axis = fact.axis(call.site);
        if (axis === undefined) return 0;
        const s = scaleFor(call.result, [axis], true);
        const bias = times(y, reshapeView(s, [s.data.length]));
        return expectSame(call.of([times(x, s), bias]), times(call.result, s));
      }
      case 'ScaleMap': {
        const map = fact.axes(call.site) ?? [];
        return map.reduce<number>((sum, from, to) => {
          if (from === undefined) return sum;
          const s = scaleFor(x, [from], !fact.needsPositive);
          const moved = reshapeView(s, alongAxes(call.result, [to], s));
          return (
            sum +
            expectSame(call.of([times(x, s), ...call.args.slice(1)]), times(call.result, moved))
          );
        }, 0);
      }
      case 'ScaleProduct': {
        let checks = 0;
        const input = fact.input(call.site);
        if (input !== undefined) {
          const s = scaleFor(x, input.tensor, true);
          const left = call.of([times(x, s), y]);
          checks += expectSame(left, call.of([x, times(y, laid(s, y, input))]));
        }
        const output = fact.output(call.site);
        if (output !== undefined) {
          const s = scaleFor(call.result, output.tensor, true);
          checks += expectSame(times(call.result, s), call.of([x, times(y, laid(s, y, output))]));
        }
        return checks;
      }
      case 'ScaleConcatenation': {
        const axis = fact.axis(call.site);
        if (axis === undefined || isTensor(x)) return 0;
        const scales = x.map((field) => scaleFor(field, [axis], true));
        const scaled = x.map((field, i) => times(field, scales[i]));
        const whole = run('concatenate', [scales], { axis });
        return expectSame(call.of([scaled]), times(call.result, whole));
      }
    }
  }
});

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

describe('where an equation does not hold', () => {
  const conv = (attrs: Attrs, data: TensorType, weight: TensorType) =>
    callOf('nn.conv2d', [data, weight], attrs);
  const f32 = (...shape: number[]): TensorType => typeOfValue(zeros(shape)) as TensorType;

  test.each([
    ['groups that are not depthwise', conv({ groups: 2 }, f32(1, 4, 5, 5), f32(4, 2, 3, 3))],
    [
      'blocks of the data alone',
      conv({ data_layout: 'NCHW2c', out_layout: 'NCHW' }, f32(1, 2, 5, 5, 2), f32(4, 4, 3, 3)),
    ],
  ])('a convolution with %s', (_what, call) => {
    const fact = standardOps.read(scaleAxisColumn, 'nn.conv2d');
    expect(fact?._tag === 'ScaleProduct' ? fact.input(call.site) : call).toBeUndefined();
  });

  test('padding with another value than 0', () => {
    const fact = standardOps.read(scaleAxisColumn, 'nn.pad');
    const padded = callOf('nn.pad', [f32(1, 2), scalar(1)], {
      pad_width: [
        [0, 0],
        [1, 1],
      ],
    });
    expect(fact?._tag === 'ScaleMap' ? fact.axes(padded.site) : padded).toBeUndefined();
  });
});

function padding(): Example {
  const widths = [0, 3, 0].map((width) => [0, width]);
  const data = tensorType([2, 3, 4], 'float32');
  const value = fromNumbers([0], [], 'float32');
  return {
    args: [data, value],
    attrs: { pad_width: widths },
    result: tensorType([2, 6, 4], 'float32'),
  };
}

function depthwise(): Example {
  return {
    args: [tensorType([1, 4, 5, 5], 'float32'), tensorType([4, 1, 3, 3], 'float32')],
    attrs: { groups: 4 },
    result: tensorType([1, 4, 3, 3], 'float32'),
  };
}

/** O.13: groups of several channels. */
function grouped(): Example {
  return {
    args: [tensorType([1, 4, 5, 5], 'float32'), tensorType([6, 2, 3, 3], 'float32')],
    attrs: { groups: 2 },
    result: tensorType([1, 6, 3, 3], 'float32'),
  };
}

function groupedTranspose(): Example {
  return {
    args: [tensorType([1, 4, 3, 3], 'float32'), tensorType([4, 3, 3, 3], 'float32')],
    attrs: { groups: 2 },
    result: tensorType([1, 6, 5, 5], 'float32'),
  };
}

interface Call {
  readonly args: ReadonlyArray<OpValue>;
  readonly result: OpValue;
  readonly site: ScaleSite;
  /** The operator on other values. */
  readonly of: (args: ReadonlyArray<OpValue | undefined>) => OpValue;
}

function callOf(name: string, given: ReadonlyArray<ExampleArg>, written: Attrs): Call {
  const op = standardOps.get(name);
  if (op === undefined) throw new Error(`no operator ${name}`);
  const attrs = right(op.attrs.decode(written));
  const args = given.map(valueFor);
  const of = (values: ReadonlyArray<OpValue | undefined>): OpValue =>
    right(
      evaluateOp(
        standardOps,
        name,
        attrs,
        values.filter((v) => v !== undefined),
      ),
    );
  const result = of(args);
  const constant = (index: number): Tensor | undefined => {
    const value = args[index];
    return value !== undefined && isTensor(value) ? value : undefined;
  };
  const types: ReadonlyArray<Type> = args.map((arg) => typeOfValue(arg));
  return { args, result, site: { args: types, result: typeOfValue(result), attrs, constant }, of };
}

function isFloatArg(arg: ExampleArg): boolean {
  if (!('_tag' in arg)) return arg.every((field) => isFloatArg(field));
  return typeof arg.dtype === 'string' && isFloat(arg.dtype as Tensor['dtype']);
}

function valueFor(arg: ExampleArg): OpValue {
  if (!('_tag' in arg)) return arg.map((field) => valueFor(field));
  if (arg._tag === 'Tensor') return arg;
  const shape = arg.shape as ReadonlyArray<number>;
  const values = Array.from({ length: shapeSize(shape) }, () => Math.floor(random() * 17 - 8) / 8);
  return fromNumbers(values, shape, arg.dtype as Tensor['dtype']);
}

const scalar = (value: number): Tensor => fromNumbers([value], [], 'float32');
const zeros = (shape: ReadonlyArray<number>): Tensor =>
  fromNumbers(new Array(shapeSize(shape)).fill(0), shape, 'float32');

const shapeOf = (value: OpValue | undefined): ReadonlyArray<number> =>
  value !== undefined && isTensor(value) ? value.shape : [];

/** Powers of two, so that products are exact. */
function scaleFor(value: OpValue, axes: ReadonlyArray<number>, signed: boolean): Tensor {
  const shape = shapeOf(value).map((dim, axis) => (axes.includes(axis) ? dim : 1));
  const data = Array.from({ length: shapeSize(shape) }, () => {
    const power = 2 ** Math.floor(random() * 5 - 2);
    return signed && random() < 0.5 ? -power : power;
  });
  return fromNumbers(data, shape, 'float32');
}

/** The shape that lays a scale along `axes` of a value. */
const alongAxes = (value: OpValue, axes: ReadonlyArray<number>, s: Tensor): ReadonlyArray<number> =>
  shapeOf(value).map((_, axis) => (axes.includes(axis) ? shapeSize(s.shape) : 1));

/** A scale of one tensor, laid along the matching axes of the weight. */
function laid(s: Tensor, weight: OpValue | undefined, meeting: ScaleMeeting): Tensor {
  const shape = shapeOf(weight).map((dim, axis) => (meeting.weight.includes(axis) ? dim : 1));
  return reshapeView(s, shape);
}

const times = (x: OpValue | undefined, s: OpValue | undefined): OpValue =>
  run(
    'multiply',
    [x, s].filter((v) => v !== undefined),
  );

function expectSame(found: OpValue, wanted: OpValue): number {
  if (!isTensor(found) || !isTensor(wanted)) throw new Error('both sides are tensors');
  expect(compareTensors(found, wanted).maxRelError).toBeLessThan(1e-5);
  return 1;
}
