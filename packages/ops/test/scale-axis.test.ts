/** The scale equation of every operator, on its own examples: both sides are computed. */
import { type Attrs, type TensorType, tensorType } from '@baton/ir';
import {
  type Example,
  type ExampleArg,
  examplesColumn,
  type OpValue,
  type ScaleMeeting,
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
import { type Call, callOf, random, zeros } from './scale-axis-support.ts';
import { run } from './support.ts';

const operators = standardOps.names.flatMap((name) => {
  const fact = standardOps.read(scaleAxisColumn, name);
  return fact === undefined ? [] : [{ name, fact }];
});

/** Calls in addition to the examples: the equation of a padding depends on its value. */
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
  // A codec of the operator's attributes writes them in full.
  const calls = [...examples, ...(FURTHER.get(name) ?? [])].map((example) =>
    callOf(name, example.args, { ...example.attrs } as Attrs),
  );

  test('some example shows the equation', () => {
    expect(calls.reduce((sum, call) => sum + check(call), 0)).toBeGreaterThan(0);
  });

  /** Checks the equation at a call; returns the number of checks. */
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

function isFloatArg(arg: ExampleArg): boolean {
  if (!('_tag' in arg)) return arg.every((field) => isFloatArg(field));
  return typeof arg.dtype === 'string' && isFloat(arg.dtype as Tensor['dtype']);
}

const scalar = (value: number): Tensor => fromNumbers([value], [], 'float32');

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

/** The shape that aligns a scale with `axes` of a value. */
const alongAxes = (value: OpValue, axes: ReadonlyArray<number>, s: Tensor): ReadonlyArray<number> =>
  shapeOf(value).map((_, axis) => (axes.includes(axis) ? shapeSize(s.shape) : 1));

/** A scale of one tensor, aligned with the corresponding axes of the weight. */
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
