/** Operators that move elements, or make tensors of a shape. */
import type { DType, Tensor } from '@baton/tensor';
import type { Case, CaseDraw, CaseDraws } from '../case.ts';
import { type Draw, EXTREME } from '../draw.ts';

const DTYPES: ReadonlyArray<DType> = ['float32', 'float64', 'int32', 'int64', 'uint8', 'int8'];

const anyTensor = (d: Draw, low = 0, high = 4): Tensor =>
  d.tensor(d.shape(low, high), d.pick(DTYPES), EXTREME);

/** An axis, counted from either end. */
const writtenAxis = (d: Draw, axis: number, rank: number): number =>
  d.chance(0.3) ? axis - rank : axis;

/** The shape of the same elements with some neighbours joined. */
function joined(d: Draw, shape: ReadonlyArray<number>): ReadonlyArray<number> {
  const result: number[] = [];
  for (const size of shape) {
    if (result.length > 0 && d.chance(0.5)) result.push((result.pop() ?? 1) * size);
    else result.push(size);
  }
  return result;
}

/** A shape that broadcasts to another. */
const narrowed = (d: Draw, shape: ReadonlyArray<number>): ReadonlyArray<number> =>
  shape.map((size) => (d.chance(0.4) ? 1 : size));

/** Relay's codes: 0 copies a dimension, -2 the rest; -3 joins two, -4 splits one. */
function reshapeByCodes(x: Tensor, d: Draw): Case {
  const codes: number[] = [];
  for (let at = 0; at < x.shape.length; ) {
    const [size = 1, next] = x.shape.slice(at);
    const kind = d.int(0, 3);
    if (kind === 0) {
      codes.push(-2);
      break;
    }
    if (kind === 1 && next !== undefined) {
      codes.push(-3);
      at += 2;
    } else if (kind === 2) {
      const part = d.pick([1, size]);
      codes.push(
        -4,
        ...d.pick([
          [part, -1],
          [-1, size / part],
          [part, size / part],
        ]),
      );
      at++;
    } else {
      codes.push(0);
      at++;
    }
  }
  return { args: [x], attrs: { newshape: codes } };
}

const slices: CaseDraw = (d) => {
  const x = anyTensor(d, 1, 4);
  if (d.chance(0.3)) return sliceBySize(x, d);
  const axes = d.subset(x.shape.length);
  const begin: number[] = [];
  const end: number[] = [];
  const strides: number[] = [];
  for (const axis of axes) {
    const size = x.shape[axis] ?? 1;
    const stride = d.pick([1, 1, 2, -1, -2]);
    const [low, high] = [d.int(0, size - 1), d.int(1, size)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    begin.push(stride > 0 ? low : Math.min(high, size - 1));
    // Going backwards, a position before the first element is counted from the end.
    end.push(stride > 0 ? Math.max(low, high) : low - size - 1);
    strides.push(stride);
  }
  return { args: [x], attrs: { begin, end, strides, axes } };
};

/** In size mode `end` counts elements, -1 for all that are left; axes at the end may be left out. */
function sliceBySize(x: Tensor, d: Draw): Case {
  const count = d.int(1, x.shape.length);
  const begin = x.shape.slice(0, count).map((size) => d.int(0, size - 1));
  const end = begin.map((low, axis) => (d.chance(0.3) ? -1 : d.int(1, (x.shape[axis] ?? 1) - low)));
  return { args: [x], attrs: { begin, end, slice_mode: 'size' } };
}

/** Widths of padding before and after each axis, at most these. */
const widths = (
  d: Draw,
  shape: ReadonlyArray<number>,
  most: (size: number) => number,
): ReadonlyArray<ReadonlyArray<number>> =>
  shape.map((size) => [d.int(0, most(size)), d.int(0, most(size))]);

const paddings: CaseDraw = (d) => {
  const mode = d.pick(['constant', 'edge', 'reflect']);
  const x = d.tensor(
    d.shape(1, 4),
    d.pick<DType>(['float32', 'float64', 'int32', 'int64']),
    EXTREME,
  );
  const pad_width = widths(d, x.shape, (size) => (mode === 'reflect' ? size - 1 : 2));
  return { args: [x, d.tensor([], x.dtype)], attrs: { pad_width, pad_mode: mode } };
};

/** Operators that move elements, or make tensors of a shape. */
export const shapes: CaseDraws = {
  reshape: (d) => {
    const x = anyTensor(d, 1, 4);
    if (d.chance(0.4)) return reshapeByCodes(x, d);
    const newshape = [...joined(d, x.shape)];
    if (d.chance(0.3)) newshape[d.int(0, newshape.length - 1)] = -1;
    return { args: [x], attrs: { newshape } };
  },
  reshape_like: (d) => {
    const x = anyTensor(d, 1, 4);
    return { args: [x, d.tensor(joined(d, x.shape), 'float32')] };
  },
  transpose: (d) => {
    const x = anyTensor(d);
    const axes = d.permutation(x.shape.length);
    const isReversed = x.shape.length === 0 || d.chance(0.2);
    return { args: [x], attrs: isReversed ? {} : { axes } };
  },
  squeeze: (d) => {
    const x = d.tensor([...d.shape(0, 2), 1, ...d.shape(0, 1)], d.pick(DTYPES), EXTREME);
    const ones = x.shape.flatMap((size, axis) => (size === 1 ? [axis] : []));
    if (d.chance(0.3)) return { args: [x] };
    const axis = d.subset(ones.length).map((i) => writtenAxis(d, ones[i] ?? 0, x.shape.length));
    return { args: [x], attrs: { axis } };
  },
  expand_dims: (d) => {
    const x = anyTensor(d, 0, 3);
    const count = d.int(0, 2);
    return { args: [x], attrs: { axis: d.int(0, x.shape.length), num_newaxis: count } };
  },
  concatenate: (d) => {
    const shape = d.shape(1, 4);
    const axis = d.int(0, shape.length - 1);
    const dtype = d.pick(DTYPES);
    const parts = Array.from({ length: d.int(1, 3) }, () =>
      d.tensor(
        shape.map((size, i) => (i === axis ? d.int(0, 3) : size)),
        dtype,
      ),
    );
    return { args: [parts], attrs: { axis: writtenAxis(d, axis, shape.length) } };
  },
  stack: (d) => {
    const shape = d.shape(0, 3);
    const axis = d.int(0, shape.length);
    const dtype = d.pick(DTYPES);
    const parts = Array.from({ length: d.int(1, 3) }, () => d.tensor(shape, dtype));
    return { args: [parts], attrs: { axis } };
  },
  split: (d) => {
    const [axis, parts] = [d.int(0, 2), d.int(1, 3)];
    const shape = d.shape(3, 3).map((size, i) => (i === axis ? parts * d.int(1, 2) : size));
    const x = d.tensor(shape, d.pick(DTYPES), EXTREME);
    const cuts = d.subset(Math.max((shape[axis] ?? 1) - 1, 0)).map((at) => at + 1);
    const isEqual = cuts.length === 0 || d.chance(0.5);
    return { args: [x], attrs: { indices_or_sections: isEqual ? parts : cuts, axis } };
  },
  strided_slice: slices,
  slice_like: (d) => {
    const x = anyTensor(d, 1, 4);
    const axes = d.subset(x.shape.length);
    const like = d.tensor(
      x.shape.map((size, axis) => (axes.includes(axis) ? d.int(1, size) : d.dim())),
      'float32',
    );
    return { args: [x, like], attrs: { axes } };
  },
  broadcast_to: (d) => {
    const shape = d.shape();
    const x = d.tensor(narrowed(d, shape).slice(d.int(0, shape.length)), d.pick(DTYPES));
    return { args: [x], attrs: { shape } };
  },
  'dyn.reshape': (d) => {
    const x = anyTensor(d, 1, 4);
    return { args: [x, d.shapeTensor([...joined(d, x.shape)])] };
  },
  'dyn.broadcast_to': (d) => {
    const sizes = d.shape();
    return { args: [d.tensor(narrowed(d, sizes), d.pick(DTYPES)), d.shapeTensor(sizes)] };
  },
  'dyn.full': (d) => {
    const value = d.tensor([], d.pick(DTYPES), EXTREME);
    return { args: [value, d.shapeTensor(d.shape())], attrs: { dtype: value.dtype } };
  },
  'dyn.strided_slice': (d) => {
    const x = anyTensor(d, 1, 4);
    const axes = d.subset(x.shape.length);
    const bound = () => axes.map(() => d.int(-6, 6));
    const strides = axes.map(() => d.pick([1, 2, -1]));
    const bounds = [bound(), bound(), strides].map((list) => d.shapeTensor(list));
    return { args: [x, ...bounds], attrs: { axes } };
  },
  broadcast_to_like: (d) => {
    const like = anyTensor(d);
    return { args: [d.tensor(narrowed(d, like.shape), like.dtype), like] };
  },
  tile: (d) => {
    const x = anyTensor(d, 1, 3);
    return { args: [x], attrs: { reps: x.shape.map(() => d.int(1, 3)) } };
  },
  repeat: (d) => {
    const x = anyTensor(d, 1, 3);
    const [axis, repeats] = [d.int(0, x.shape.length - 1), d.int(1, 3)];
    return { args: [x], attrs: { repeats, axis } };
  },
  reverse: (d) => {
    const x = anyTensor(d, 1, 4);
    const axis = d.int(0, x.shape.length - 1);
    return { args: [x], attrs: { axis: writtenAxis(d, axis, x.shape.length) } };
  },
  reverse_sequence: (d) => {
    const x = anyTensor(d, 2, 4);
    const [batch, sequence] = d.chance(0.5) ? [0, 1] : [1, 0];
    const size = x.shape[sequence] ?? 1;
    const lengths = d.tensor([x.shape[batch] ?? 1], 'int64', { min: 1, max: size });
    return { args: [x, lengths], attrs: { batch_axis: batch, seq_axis: sequence } };
  },
  'nn.pad': paddings,
  'nn.mirror_pad': (d) => {
    const x = d.tensor(d.shape(1, 4), 'float32');
    const isSymmetric = d.chance(0.5);
    const pad_width = widths(d, x.shape, (size) => (isSymmetric ? size : size - 1));
    return { args: [x], attrs: { mode: isSymmetric ? 'SYMMETRIC' : 'REFLECT', pad_width } };
  },
  'nn.depth_to_space': (d) => {
    const size = d.int(1, 3);
    const x = d.tensor([d.dim(), d.int(1, 3) * size * size, d.dim(), d.dim()], 'float32');
    return { args: [x], attrs: { block_size: size, mode: d.pick(['DCR', 'CRD']) } };
  },
  'nn.space_to_depth': (d) => {
    const size = d.int(1, 3);
    const x = d.tensor([d.dim(), d.dim(), size * d.int(1, 3), size * d.int(1, 3)], 'float32');
    return { args: [x], attrs: { block_size: size } };
  },
  'nn.batch_flatten': (d) => ({
    args: [d.tensor(d.shape(2, 4), d.pick<DType>(['float32', 'float64', 'int32']))],
  }),
  'nn.dilate': (d) => {
    const x = d.tensor(d.shape(1, 3), 'float32');
    return { args: [x], attrs: { strides: x.shape.map(() => d.int(1, 3)) } };
  },
  'nn.space_to_batch_nd': (d) => {
    const [by, bx] = [d.int(1, 2), d.int(1, 3)];
    const pads = [
      [d.int(0, 1), 0],
      [0, d.int(0, 1)],
    ];
    const [n, c] = [d.int(1, 2), d.int(1, 2)];
    const [h, w] = [d.int(1, 3) * by, d.int(1, 3) * bx];
    const image = [h - (pads[0]?.[0] ?? 0), w - (pads[1]?.[1] ?? 0)];
    if (image.some((size) => size < 1)) pads.splice(0, 2, [0, 0], [0, 0]);
    const [top, right] = [pads[0]?.[0] ?? 0, pads[1]?.[1] ?? 0];
    const x = d.tensor([n, h - top, w - right, c], 'float32');
    return { args: [x], attrs: { block_shape: [by, bx], paddings: pads } };
  },
  'nn.batch_to_space_nd': (d) => {
    const [by, bx] = [d.int(1, 2), d.int(1, 3)];
    const [n, h, w, c] = [d.int(1, 2), d.int(1, 3), d.int(1, 3), d.int(1, 2)];
    const [top, right] = [d.int(0, h * by - 1), d.int(0, w * bx - 1)];
    const x = d.tensor([by * bx * n, h, w, c], 'float32');
    const crops = [
      [top, 0],
      [0, right],
    ];
    return { args: [x], attrs: { block_shape: [by, bx], crops } };
  },
  layout_transform: (d) => {
    const block = d.int(1, 3);
    const [n, c, h, w] = [d.dim(), block * d.int(1, 3), d.dim(), d.dim()];
    const [src_layout, dst_layout, shape] = d.pick([
      ['NCHW', 'NHWC', [n, c, h, w]],
      ['HWNC', 'CWHN', [n, c, h, w]],
      ['NCHW', `NCHW${block}c`, [n, c, h, w]],
      [`NCHW${block}c`, 'NCHW', [n, c / block, h, w, block]],
    ] as const);
    return { args: [d.tensor(shape, 'float32')], attrs: { src_layout, dst_layout } };
  },
  meshgrid: (d) => {
    const parts = Array.from({ length: d.int(1, 3) }, () => d.tensor([d.dim()], 'float32'));
    const isSwapped = parts.length > 1 && d.chance(0.5);
    return { args: [parts], attrs: { indexing: isSwapped ? 'xy' : 'ij' } };
  },
  full: (d) => {
    const shape = d.shape();
    const value = d.tensor([], d.pick(DTYPES), EXTREME);
    return { args: [value], attrs: { shape, dtype: value.dtype } };
  },
  full_like: (d) => {
    const x = anyTensor(d);
    return { args: [x, d.tensor([], x.dtype)] };
  },
  zeros: (d) => ({ args: [], attrs: { shape: d.shape(), dtype: 'float32' } }),
  ones: (d) => ({ args: [], attrs: { shape: d.shape(), dtype: d.pick(DTYPES) } }),
  arange: (d) => {
    const dtype = d.pick<DType>(['float32', 'int32', 'int64']);
    const step = d.pick(dtype === 'float32' ? [0.5, 1, -0.75, 2] : [1, 2, -3]);
    const start = d.int(-4, 4);
    const bounds = [start, start + Math.sign(step) * d.int(1, 6), step];
    return { args: bounds.map((bound) => d.number(bound, dtype)), attrs: { dtype } };
  },
};
