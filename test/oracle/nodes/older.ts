/** Older versions of operators whose form or meaning has changed. */
import { tensor } from '@baton/tensor';
import type { NodeDraw } from '../case.ts';
import type { Draw } from '../draw.ts';
import type { Attributes } from '../onnx-writer.ts';
import { only } from './onnx-only.ts';

/** An operator in the set of one version. */
export interface Older {
  readonly opset: number;
  readonly draw: NodeDraw;
}

const ULPS = 256;

/** Interpolation at the nearest of two places is exact: sizes are powers of 2. */
const exactImage = (d: Draw): ReadonlyArray<number> => [
  d.int(1, 2),
  d.int(1, 2),
  d.pick([2, 4]),
  d.pick([2, 4]),
];

/** Before 11 there was one way to find places, and one to round. */
const resize10: NodeDraw = (d, g) => {
  const mode = d.pick(['nearest', 'linear']);
  const x = d.tensor(exactImage(d), 'float32');
  const scales = [1, 1, ...[0, 1].map(() => d.pick([0.5, 1, 1.5, 2, 2.5, 4]))];
  const input = g.constant(tensor(scales, [4], 'float32'));
  return only(g.node('Resize', [g.input(x), input], { mode }), mode === 'nearest' ? 0 : ULPS, 8);
};

const resize11: NodeDraw = (d, g) => {
  const mode = d.pick(['nearest', 'linear']);
  const x = d.tensor(exactImage(d), 'float32');
  const scales = [1, 1, ...[0, 1].map(() => d.pick([0.5, 1, 2, 4]))];
  const roi = g.constant(tensor([], [0], 'float32'));
  const input = g.constant(tensor(scales, [4], 'float32'));
  return only(
    g.node('Resize', [g.input(x), roi, input], { mode }),
    mode === 'nearest' ? 0 : ULPS,
    8,
  );
};

/** Sizes that are no whole multiples: the places are exact, and the scale counts. */
const resizeByAny: NodeDraw = (d, g) => {
  const isNearest = d.chance(0.7);
  const mode = isNearest ? 'nearest' : d.pick(['linear', 'cubic']);
  const image = [d.pick([3, 5, 7]), d.pick([3, 5, 7])];
  const dims = isNearest && d.chance(0.5) ? image : [d.int(1, 2), d.int(1, 2), ...image];
  const x = d.tensor(dims, 'float32');
  const own = image.map(() => d.pick([0.5, 1.5, 2.5]));
  const scales = [...dims.slice(2).map(() => 1), ...own];
  const roi = g.constant(tensor([], [0], 'float32'));
  const input = g.constant(tensor(scales, [dims.length], 'float32'));
  const attributes = {
    mode,
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: d.pick(['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil']),
  };
  const result = g.node('Resize', [g.input(x), roi, input], attributes);
  return only(result, isNearest ? 0 : ULPS, 8);
};

const upsample: NodeDraw = (d, g) => {
  const mode = d.pick(['nearest', 'linear']);
  const x = d.tensor(exactImage(d), 'float32');
  const scales = [1, 1, d.int(1, 3), d.int(1, 3)];
  const input = g.constant(tensor(scales, [4], 'float32'));
  return only(g.node('Upsample', [g.input(x), input], { mode }), mode === 'nearest' ? 0 : ULPS, 8);
};

/** Bounds, some of them far outside or counted from the end. */
const slice1: NodeDraw = (d, g) => {
  const x = d.tensor(d.shape(1, 3), 'float32');
  const axes = d.subset(x.shape.length);
  const bounds = axes.map((axis) => {
    const size = x.shape[axis] ?? 1;
    const start = d.int(0, size - 1);
    const end = d.int(start + 1, size);
    return [
      d.pick([start, start - size, ...(start === 0 ? [-size - 2] : [])]),
      d.pick([end, ...(end < size ? [end - size] : [size + 2, 2 ** 40])]),
    ];
  });
  const lists = {
    starts: bounds.map(([from]) => from ?? 0),
    ends: bounds.map(([, to]) => to ?? 0),
  };
  const isPrefix = axes.every((axis, i) => axis === i);
  return only(
    g.node('Slice', [g.input(x)], isPrefix && d.chance(0.5) ? lists : { ...lists, axes }),
  );
};

/** Since 10 steps may be negative; an end far below zero includes the first element, too. */
const slice10: NodeDraw = (d, g) => {
  const x = d.tensor(d.shape(1, 3), 'float32');
  const axes = d.subset(x.shape.length);
  const steps = axes.map(() => d.pick([-3, -2, -1, 1, 2, 3]));
  const bounds = axes.map((axis, i) => {
    const size = x.shape[axis] ?? 1;
    const isForward = (steps[i] ?? 1) > 0;
    const [low, high] = [d.int(0, size - 1), d.int(0, size - 1)].toSorted((a, b) => a - b);
    const least = d.chance(0.3) ? -(2 ** 40) : (low ?? 0);
    const most = d.chance(0.3) ? 2 ** 40 : (high ?? 0) + 1;
    return isForward ? [low ?? 0, most] : [most, least];
  });
  const starts = g.ints(bounds.map(([start]) => start ?? 0));
  const ends = g.ints(bounds.map(([, end]) => end ?? 0));
  const written = axes.map((axis) => (d.chance(0.5) ? axis - x.shape.length : axis));
  return only(g.node('Slice', [g.input(x), starts, ends, g.ints(written), g.ints(steps)]));
};

const pad2: NodeDraw = (d, g) => {
  const mode = d.pick(['constant', 'edge', 'reflect']);
  const x = d.tensor(
    d.shape(1, 3).map((size) => size + 2),
    'float32',
  );
  const pads = [...x.shape, ...x.shape].map(() => d.int(0, 2));
  return only(g.node('Pad', [g.input(x)], { mode, pads, value: { float: d.int(-4, 4) / 2 } }));
};

const pad11: NodeDraw = (d, g) => {
  const mode = d.pick(['constant', 'edge', 'reflect']);
  const x = d.tensor(
    d.shape(1, 3).map((size) => size + 2),
    'float32',
  );
  const pads = g.ints([...x.shape, ...x.shape].map(() => d.int(0, 2)));
  const value = d.chance(0.5) ? [g.scalar(d.int(-4, 4) / 2, 'float32')] : [];
  return only(g.node('Pad', [g.input(x), pads, ...value], { mode }));
};

/** Since 18 the axes may be named. */
const pad18: NodeDraw = (d, g) => {
  const mode = d.pick(['constant', 'edge', 'reflect']);
  const x = d.tensor(
    d.shape(1, 3).map((size) => size + 2),
    'float32',
  );
  const axes = d.subset(x.shape.length);
  const pads = g.ints([...axes, ...axes].map(() => d.int(0, 2)));
  const written = axes.map((axis) => (d.chance(0.5) ? axis - x.shape.length : axis));
  const value = g.scalar(d.int(-4, 4) / 2, 'float32');
  return only(g.node('Pad', [g.input(x), pads, value, g.ints(written)], { mode }));
};

/** Bounds as attributes, each of them given or not. */
const clip6: NodeDraw = (d, g) => {
  const x = d.tensor(d.shape(), 'float32');
  const attributes: Attributes = {
    ...(d.chance(0.5) ? { min: { float: d.int(-8, 0) / 2 } } : {}),
    ...(d.chance(0.5) ? { max: { float: d.int(0, 8) / 2 } } : {}),
  };
  return only(g.node('Clip', [g.input(x)], attributes));
};

/** Bounds as inputs, each of them given or not, constant or not. */
const clip13: NodeDraw = (d, g) => {
  const dtype = d.pick(['float32', 'int32', 'int64'] as const);
  const x = d.tensor(d.shape(), dtype, { extreme: true });
  const bound = (low: number, high: number): string => {
    if (d.chance(0.3)) return '';
    const value = d.number(d.int(low, high), dtype);
    return d.chance(0.5) ? g.constant(value) : g.input(value);
  };
  return only(g.node('Clip', [g.input(x), bound(-4, 0), bound(0, 4)]));
};

const squeeze1: NodeDraw = (d, g) => {
  const x = d.tensor([1, d.dim(), 1, d.dim()], 'float32');
  return only(g.node('Squeeze', [g.input(x)], { axes: d.pick([[0], [2], [0, 2]]) }));
};

const unsqueeze1: NodeDraw = (d, g) => {
  const x = d.tensor(d.shape(1, 2), 'float32');
  return only(g.node('Unsqueeze', [g.input(x)], { axes: d.pick([[0], [1], [0, 1], [0, 2]]) }));
};

const split2: NodeDraw = (d, g) => {
  const sizes = [d.int(1, 3), d.int(1, 3), d.int(1, 3)];
  const axis = d.int(0, 1);
  const whole = sizes.reduce((a, b) => a + b, 0);
  const x = d.tensor(axis === 0 ? [whole, 2] : [2, whole], 'float32');
  return only(g.nodes('Split', [g.input(x)], 3, { axis, split: sizes }));
};

/** Parts of equal sizes, if the attribute is absent. */
const equalSplit: NodeDraw = (d, g) => {
  const axis = d.int(-2, 1);
  const whole = 2 * d.int(1, 3);
  const x = d.tensor(axis % 2 === 0 ? [whole, 4] : [4, whole], 'float32');
  return only(g.nodes('Split', [g.input(x)], 2, { axis }));
};

/** Since 18 the last part may be smaller. */
const split18: NodeDraw = (d, g) => {
  const x = d.tensor([d.int(3, 8), 2], 'float32');
  const parts = 3;
  const size = Math.ceil((x.shape[0] ?? 1) / parts);
  const count = Math.ceil((x.shape[0] ?? 1) / size);
  return only(g.nodes('Split', [g.input(x)], count, { axis: 0, num_outputs: count }));
};

const softmax11 =
  (opType: string): NodeDraw =>
  (d, g) => {
    const x = d.tensor(d.shape(1, 4), 'float32');
    const axis = d.int(0, x.shape.length - 1);
    return only(g.node(opType, [g.input(x)], d.chance(0.3) && axis === 1 ? {} : { axis }), 32, 1);
  };

/** Axes are an attribute: since 13 for sums, since 18 for the rest they are an input. */
const reduction11 =
  (opType: string): NodeDraw =>
  (d, g) => {
    const x = d.reals(d.shape(1, 4), 'float32', 0.1, 3);
    const axes = d.subset(x.shape.length).map((a) => (d.chance(0.3) ? a - x.shape.length : a));
    const keepdims = d.int(0, 1);
    const all = d.chance(0.2);
    return only(g.node(opType, [g.input(x)], all ? { keepdims } : { axes, keepdims }), 64, 1);
  };

const reductions = [
  ...['Sum', 'Mean', 'Prod', 'Max', 'Min'],
  ...['L1', 'L2', 'LogSum', 'LogSumExp', 'SumSquare'],
].map((name) => `Reduce${name}`);

/** Scale and bias are for each group before 21. */
const groupNorm18: NodeDraw = (d, g) => {
  const groups = d.int(1, 3);
  const x = d.reals([d.int(1, 2), groups * d.int(1, 2), d.int(2, 4)], 'float32', -3, 3);
  const vector = (): string => g.input(d.tensor([groups], 'float32'));
  const attributes = { num_groups: groups, epsilon: { float: 0.25 } };
  return only(g.node('GroupNormalization', [g.input(x), vector(), vector()], attributes), 256, 8);
};

const batchNorm: NodeDraw = (d, g) => {
  const x = d.tensor([d.int(1, 2), 3, ...d.shape(0, 2)], 'float32');
  const vector = (): string => g.input(d.tensor([3], 'float32'));
  const variance = g.input(d.reals([3], 'float32', 0.5, 2));
  const inputs = [g.input(x), vector(), vector(), vector(), variance];
  const attributes = d.chance(0.5) ? { epsilon: { float: 0.125 } } : {};
  return only(g.node('BatchNormalization', inputs, attributes), 64, 8);
};

/** Operators by a name with the version of the set. */
export const older: Readonly<Record<string, Older>> = {
  'Resize of 10': { opset: 10, draw: resize10 },
  'Resize of 11': { opset: 11, draw: resize11 },
  'Resize by any scales': { opset: 13, draw: resizeByAny },
  'Upsample of 9': { opset: 9, draw: upsample },
  'Slice of 9': { opset: 9, draw: slice1 },
  'Slice of 10': { opset: 10, draw: slice10 },
  'Slice of 13': { opset: 13, draw: slice10 },
  'Pad of 10': { opset: 10, draw: pad2 },
  'Pad of 11': { opset: 11, draw: pad11 },
  'Pad of 18': { opset: 18, draw: pad18 },
  'Clip of 10': { opset: 10, draw: clip6 },
  'Clip of 13': { opset: 13, draw: clip13 },
  'Squeeze of 11': { opset: 11, draw: squeeze1 },
  'Unsqueeze of 11': { opset: 11, draw: unsqueeze1 },
  'Split of 11': { opset: 11, draw: split2 },
  'Split of 11 into equal parts': { opset: 11, draw: equalSplit },
  'Split of 13 into equal parts': { opset: 13, draw: equalSplit },
  'Split of 18': { opset: 18, draw: split18 },
  'Softmax of 11': { opset: 11, draw: softmax11('Softmax') },
  'LogSoftmax of 11': { opset: 11, draw: softmax11('LogSoftmax') },
  ...Object.fromEntries(
    reductions.flatMap((name) => [
      [`${name} of 11`, { opset: 11, draw: reduction11(name) }],
      ...(name === 'ReduceSum' ? [] : [[`${name} of 13`, { opset: 13, draw: reduction11(name) }]]),
    ]),
  ),
  'GroupNormalization of 18': { opset: 18, draw: groupNorm18 },
  'BatchNormalization of 7': { opset: 7, draw: batchNorm },
  'BatchNormalization of 15': { opset: 15, draw: batchNorm },
};
