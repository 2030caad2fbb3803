/** Operators that move elements, or make tensors of a shape. */
import type { DType, Tensor } from '@baton/tensor';
import { type Draw, EXTREME, sizeOf } from '../draw.ts';
import type { Case, Mapping, Mappings } from '../mapping.ts';
import type { OnnxGraph } from '../onnx-graph.ts';

const DTYPES: ReadonlyArray<DType> = ['float32', 'float64', 'int32', 'int64', 'uint8', 'int8'];

const anyTensor = (d: Draw, low = 0, high = 4): Tensor =>
  d.tensor(d.shape(low, high), d.pick(DTYPES), EXTREME);

const reshaped = (g: OnnxGraph, x: string, shape: ReadonlyArray<number>): string =>
  g.node('Reshape', [x, g.ints(shape)], { allowzero: 1 });

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

/** Relay's codes: 0 copies a dimension, -2 the rest; -3 joins two, -4 splits one. */
function reshapeByCodes(x: Tensor, d: Draw, g: OnnxGraph): Case {
  const codes: number[] = [];
  const shape: number[] = [];
  for (let at = 0; at < x.shape.length; ) {
    const [size = 1, next] = x.shape.slice(at);
    const kind = d.int(0, 3);
    if (kind === 0) {
      codes.push(-2);
      shape.push(...x.shape.slice(at));
      break;
    }
    if (kind === 1 && next !== undefined) {
      codes.push(-3);
      shape.push(size * next);
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
      shape.push(part, size / part);
      at++;
    } else {
      codes.push(0);
      shape.push(size);
      at++;
    }
  }
  return { args: [x], attrs: { newshape: codes }, result: reshaped(g, g.input(x), shape) };
}

const slices: Mapping = (d, g) => {
  const x = anyTensor(d, 1, 4);
  if (d.chance(0.3)) return sliceBySize(x, d, g);
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
  const lists = [begin, end, axes, strides].map((list) => g.ints(list));
  const result = g.node('Slice', [g.input(x), ...lists]);
  return { args: [x], attrs: { begin, end, strides, axes }, result };
};

/** In size mode `end` counts elements, -1 for all that are left; axes at the end may be left out. */
function sliceBySize(x: Tensor, d: Draw, g: OnnxGraph): Case {
  const count = d.int(1, x.shape.length);
  const begin = x.shape.slice(0, count).map((size) => d.int(0, size - 1));
  const sizes = begin.map((low, axis) =>
    d.chance(0.3) ? -1 : d.int(1, (x.shape[axis] ?? 1) - low),
  );
  const ends = begin.map((low, axis) => {
    const size = sizes[axis] ?? -1;
    return size < 0 ? (x.shape[axis] ?? 1) : low + size;
  });
  const lists = [begin, ends, begin.map((_, axis) => axis)].map((list) => g.ints(list));
  const attrs = { begin, end: sizes, slice_mode: 'size' };
  return { args: [x], attrs, result: g.node('Slice', [g.input(x), ...lists]) };
}

const paddings: Mapping = (d, g) => {
  const mode = d.pick(['constant', 'edge', 'reflect']);
  const x = d.tensor(
    d.shape(1, 4),
    d.pick<DType>(['float32', 'float64', 'int32', 'int64']),
    EXTREME,
  );
  const width = x.shape.map((size) => {
    const most = mode === 'reflect' ? size - 1 : 2;
    return [d.int(0, most), d.int(0, most)];
  });
  const pads = [...width.map(([before]) => before ?? 0), ...width.map(([, after]) => after ?? 0)];
  const value = d.tensor([], x.dtype);
  const inputs = [g.input(x), g.ints(pads), ...(mode === 'constant' ? [g.input(value)] : [])];
  const result = g.node('Pad', inputs, { mode });
  return { args: [x, value], attrs: { pad_width: width, pad_mode: mode }, result };
};

/** ONNX has no such mode; the places along each axis are written out. */
function symmetricPad(x: Tensor, d: Draw, g: OnnxGraph): Case {
  const width = x.shape.map((size) => [d.int(0, size), d.int(0, size)] as const);
  const result = width.reduce((value, [before, after], axis) => {
    const size = x.shape[axis] ?? 1;
    const at = Array.from({ length: before + size + after }, (_, i) => {
      const place = i - before;
      return place < 0 ? -1 - place : place < size ? place : 2 * size - 1 - place;
    });
    return g.node('Gather', [value, g.ints(at)], { axis });
  }, g.input(x));
  return { args: [x], attrs: { mode: 'SYMMETRIC', pad_width: width }, result };
}

/** Operators that move elements, or make tensors of a shape. */
export const shapes: Mappings = {
  reshape: (d, g) => {
    const x = anyTensor(d, 1, 4);
    if (d.chance(0.4)) return reshapeByCodes(x, d, g);
    const shape = [...joined(d, x.shape)];
    const written = [...shape];
    if (d.chance(0.3)) written[d.int(0, written.length - 1)] = -1;
    return {
      args: [x],
      attrs: { newshape: written },
      result: g.node('Reshape', [g.input(x), g.ints(written)]),
    };
  },
  reshape_like: (d, g) => {
    const x = anyTensor(d, 1, 4);
    const like = d.tensor(joined(d, x.shape), 'float32');
    const result = g.node('Reshape', [g.input(x), g.node('Shape', [g.input(like)])]);
    return { args: [x, like], result };
  },
  transpose: (d, g) => {
    const x = anyTensor(d);
    const axes = d.permutation(x.shape.length);
    const isReversed = x.shape.length === 0 || d.chance(0.2);
    const result = g.node('Transpose', [g.input(x)], isReversed ? {} : { perm: axes });
    return { args: [x], attrs: isReversed ? {} : { axes }, result };
  },
  squeeze: (d, g) => {
    const x = d.tensor([...d.shape(0, 2), 1, ...d.shape(0, 1)], d.pick(DTYPES), EXTREME);
    const ones = x.shape.flatMap((size, axis) => (size === 1 ? [axis] : []));
    const some = d.chance(0.3) ? undefined : d.subset(ones.length).map((i) => ones[i] ?? 0);
    const axes = (some ?? ones).map((axis) => writtenAxis(d, axis, x.shape.length));
    const attrs = some === undefined ? {} : { axis: axes };
    return { args: [x], attrs, result: g.node('Squeeze', [g.input(x), g.ints(axes)]) };
  },
  expand_dims: (d, g) => {
    const x = anyTensor(d, 0, 3);
    const count = d.int(0, 2);
    const axis = d.int(0, x.shape.length);
    const axes = Array.from({ length: count }, (_, i) => axis + i);
    const result = g.node('Unsqueeze', [g.input(x), g.ints(axes)]);
    return { args: [x], attrs: { axis, num_newaxis: count }, result };
  },
  concatenate: (d, g) => {
    const shape = d.shape(1, 4);
    const axis = d.int(0, shape.length - 1);
    const dtype = d.pick(DTYPES);
    const parts = Array.from({ length: d.int(1, 3) }, () =>
      d.tensor(
        shape.map((size, i) => (i === axis ? d.int(0, 3) : size)),
        dtype,
      ),
    );
    const written = writtenAxis(d, axis, shape.length);
    const result = g.node(
      'Concat',
      parts.map((t) => g.input(t)),
      { axis: written },
    );
    return { args: [parts], attrs: { axis: written }, result };
  },
  stack: (d, g) => {
    const shape = d.shape(0, 3);
    const axis = d.int(0, shape.length);
    const dtype = d.pick(DTYPES);
    const parts = Array.from({ length: d.int(1, 3) }, () => d.tensor(shape, dtype));
    const rows = parts.map((t) => g.node('Unsqueeze', [g.input(t), g.ints([axis])]));
    return { args: [parts], attrs: { axis }, result: g.node('Concat', rows, { axis }) };
  },
  split: (d, g) => {
    const [axis, parts] = [d.int(0, 2), d.int(1, 3)];
    const shape = d.shape(3, 3).map((size, i) => (i === axis ? parts * d.int(1, 2) : size));
    const x = d.tensor(shape, d.pick(DTYPES), EXTREME);
    const size = shape[axis] ?? 1;
    const cuts = d.subset(Math.max(size - 1, 0)).map((at) => at + 1);
    const isEqual = cuts.length === 0 || d.chance(0.5);
    const ends = [...cuts, size];
    const sizes = isEqual
      ? Array.from({ length: parts }, () => size / parts)
      : ends.map((end, i) => end - (ends[i - 1] ?? 0));
    const result = g.nodes('Split', [g.input(x), g.ints(sizes)], sizes.length, { axis });
    const attrs = { indices_or_sections: isEqual ? parts : cuts, axis };
    return { args: [x], attrs, result };
  },
  strided_slice: slices,
  slice_like: (d, g) => {
    const x = anyTensor(d, 1, 4);
    const axes = d.subset(x.shape.length);
    const like = d.tensor(
      x.shape.map((size, axis) => (axes.includes(axis) ? d.int(1, size) : d.dim())),
      'float32',
    );
    const ends = axes.map((axis) => like.shape[axis] ?? 1);
    const lists = [axes.map(() => 0), ends, axes].map((list) => g.ints(list));
    return { args: [x, like], attrs: { axes }, result: g.node('Slice', [g.input(x), ...lists]) };
  },
  broadcast_to: (d, g) => {
    const shape = d.shape();
    const x = d.tensor(
      shape.map((size) => (d.chance(0.4) ? 1 : size)).slice(d.int(0, shape.length)),
      d.pick(DTYPES),
    );
    return { args: [x], attrs: { shape }, result: g.node('Expand', [g.input(x), g.ints(shape)]) };
  },
  'dyn.reshape': (d, g) => {
    const x = anyTensor(d, 1, 4);
    const shape = d.shapeTensor([...joined(d, x.shape)]);
    return { args: [x, shape], result: g.node('Reshape', [g.input(x), g.input(shape)]) };
  },
  'dyn.broadcast_to': (d, g) => {
    const sizes = d.shape();
    const x = d.tensor(
      sizes.map((size) => (d.chance(0.4) ? 1 : size)),
      d.pick(DTYPES),
    );
    const shape = d.shapeTensor(sizes);
    return { args: [x, shape], result: g.node('Expand', [g.input(x), g.input(shape)]) };
  },
  'dyn.full': (d, g) => {
    const value = d.tensor([], d.pick(DTYPES), EXTREME);
    const shape = d.shapeTensor(d.shape());
    const result = g.node('Expand', [g.input(value), g.input(shape)]);
    return { args: [value, shape], attrs: { dtype: value.dtype }, result };
  },
  'dyn.strided_slice': (d, g) => {
    const x = anyTensor(d, 1, 4);
    const axes = d.subset(x.shape.length);
    const bound = () => axes.map(() => d.int(-6, 6));
    const strides = axes.map(() => d.pick([1, 2, -1]));
    const [begin, end, steps] = [bound(), bound(), strides].map((list) => d.shapeTensor(list));
    const args = [x, begin, end, steps].filter((arg) => arg !== undefined);
    const inputs = args.map((arg) => g.input(arg));
    const [data, from, to, by] = inputs;
    const listed = [data, from, to, g.ints(axes), by].filter((input) => input !== undefined);
    return { args, attrs: { axes }, result: g.node('Slice', listed) };
  },
  broadcast_to_like: (d, g) => {
    const like = anyTensor(d);
    const x = d.tensor(
      like.shape.map((size) => (d.chance(0.4) ? 1 : size)),
      like.dtype,
    );
    const result = g.node('Expand', [g.input(x), g.node('Shape', [g.input(like)])]);
    return { args: [x, like], result };
  },
  tile: (d, g) => {
    const x = anyTensor(d, 1, 3);
    const reps = x.shape.map(() => d.int(1, 3));
    return { args: [x], attrs: { reps }, result: g.node('Tile', [g.input(x), g.ints(reps)]) };
  },
  repeat: (d, g) => {
    const x = anyTensor(d, 1, 3);
    const [axis, repeats] = [d.int(0, x.shape.length - 1), d.int(1, 3)];
    const at = Array.from({ length: (x.shape[axis] ?? 1) * repeats }, (_, i) =>
      Math.floor(i / repeats),
    );
    const result = g.node('Gather', [g.input(x), g.ints(at)], { axis });
    return { args: [x], attrs: { repeats, axis }, result };
  },
  reverse: (d, g) => {
    const x = anyTensor(d, 1, 4);
    const axis = d.int(0, x.shape.length - 1);
    const lists = [[-1], [-(2 ** 31)], [axis], [-1]].map((list) => g.ints(list));
    const written = writtenAxis(d, axis, x.shape.length);
    return { args: [x], attrs: { axis: written }, result: g.node('Slice', [g.input(x), ...lists]) };
  },
  reverse_sequence: (d, g) => {
    const x = anyTensor(d, 2, 4);
    const [batch, sequence] = d.chance(0.5) ? [0, 1] : [1, 0];
    const size = x.shape[sequence] ?? 1;
    const lengths = d.tensor([x.shape[batch] ?? 1], 'int64', { min: 1, max: size });
    const axes = { batch_axis: batch, time_axis: sequence };
    const result = g.node('ReverseSequence', [g.input(x), g.input(lengths)], axes);
    return { args: [x, lengths], attrs: { batch_axis: batch, seq_axis: sequence }, result };
  },
  'nn.pad': paddings,
  'nn.mirror_pad': (d, g) => {
    const x = d.tensor(d.shape(1, 4), 'float32');
    if (d.chance(0.5)) return symmetricPad(x, d, g);
    const width = x.shape.map((size) => [d.int(0, size - 1), d.int(0, size - 1)]);
    const pads = [...width.map(([before]) => before ?? 0), ...width.map(([, after]) => after ?? 0)];
    const result = g.node('Pad', [g.input(x), g.ints(pads)], { mode: 'reflect' });
    return { args: [x], attrs: { mode: 'REFLECT', pad_width: width }, result };
  },
  'nn.depth_to_space': (d, g) => {
    const size = d.int(1, 3);
    const x = d.tensor([d.dim(), d.int(1, 3) * size * size, d.dim(), d.dim()], 'float32');
    const mode = d.pick(['DCR', 'CRD']);
    const result = g.node('DepthToSpace', [g.input(x)], { blocksize: size, mode });
    return { args: [x], attrs: { block_size: size, mode }, result };
  },
  'nn.space_to_depth': (d, g) => {
    const size = d.int(1, 3);
    const x = d.tensor([d.dim(), d.dim(), size * d.int(1, 3), size * d.int(1, 3)], 'float32');
    const result = g.node('SpaceToDepth', [g.input(x)], { blocksize: size });
    return { args: [x], attrs: { block_size: size }, result };
  },
  'nn.batch_flatten': (d, g) => {
    const x = d.tensor(d.shape(2, 4), d.pick<DType>(['float32', 'float64', 'int32']));
    return { args: [x], result: g.node('Flatten', [g.input(x)], { axis: 1 }) };
  },
  'nn.dilate': (d, g) => {
    // The elements, and zeros behind each; then the zeros behind the last go.
    const x = d.tensor(d.shape(1, 3), 'float32');
    const strides = x.shape.map(() => d.int(1, 3));
    let value = g.input(x);
    let shape: ReadonlyArray<number> = x.shape;
    for (const [axis, stride] of strides.entries()) {
      const rows = [...shape.slice(0, axis + 1), 1, ...shape.slice(axis + 1)];
      const behind = rows.map((_, i) => (i === axis + 1 ? stride - 1 : 0));
      const padded = g.node('Pad', [
        reshaped(g, value, rows),
        g.ints([...rows.map(() => 0), ...behind]),
      ]);
      const size = (shape[axis] ?? 1) * stride;
      shape = shape.map((dim, i) => (i === axis ? size : dim));
      const flat = reshaped(g, padded, shape);
      const end = size - stride + 1;
      value = g.node('Slice', [flat, ...[[0], [end], [axis]].map((list) => g.ints(list))]);
      shape = shape.map((dim, i) => (i === axis ? end : dim));
    }
    return { args: [x], attrs: { strides }, result: value };
  },
  'nn.space_to_batch_nd': (d, g) => {
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
    const padded = g.node('Pad', [g.input(x), g.ints([0, top, 0, 0, 0, 0, right, 0])]);
    const cut = reshaped(g, padded, [n, h / by, by, w / bx, bx, c]);
    const moved = g.node('Transpose', [cut], { perm: [2, 4, 0, 1, 3, 5] });
    const result = reshaped(g, moved, [by * bx * n, h / by, w / bx, c]);
    return { args: [x], attrs: { block_shape: [by, bx], paddings: pads }, result };
  },
  'nn.batch_to_space_nd': (d, g) => {
    const [by, bx] = [d.int(1, 2), d.int(1, 3)];
    const [n, h, w, c] = [d.int(1, 2), d.int(1, 3), d.int(1, 3), d.int(1, 2)];
    const [top, right] = [d.int(0, h * by - 1), d.int(0, w * bx - 1)];
    const x = d.tensor([by * bx * n, h, w, c], 'float32');
    const cut = reshaped(g, g.input(x), [by, bx, n, h, w, c]);
    const moved = g.node('Transpose', [cut], { perm: [2, 3, 0, 4, 1, 5] });
    const whole = reshaped(g, moved, [n, h * by, w * bx, c]);
    const lists = [
      [top, 0],
      [h * by, w * bx - right],
      [1, 2],
    ].map((list) => g.ints(list));
    const crops = [
      [top, 0],
      [0, right],
    ];
    return {
      args: [x],
      attrs: { block_shape: [by, bx], crops },
      result: g.node('Slice', [whole, ...lists]),
    };
  },
  layout_transform: (d, g) => {
    const block = d.int(1, 3);
    const x = d.tensor([d.dim(), block * d.int(1, 3), d.dim(), d.dim()], 'float32');
    const [n = 1, c = 1, h = 1, w = 1] = x.shape;
    const kind = d.int(0, 3);
    if (kind === 3) {
      const cut = d.tensor([n, c / block, h, w, block], 'float32');
      const back = g.node('Transpose', [g.input(cut)], { perm: [0, 1, 4, 2, 3] });
      const attrs = { src_layout: `NCHW${block}c`, dst_layout: 'NCHW' };
      return { args: [cut], attrs, result: reshaped(g, back, [n, c, h, w]) };
    }
    if (kind === 0) {
      const result = g.node('Transpose', [g.input(x)], { perm: [0, 2, 3, 1] });
      return { args: [x], attrs: { src_layout: 'NCHW', dst_layout: 'NHWC' }, result };
    }
    if (kind === 1) {
      const result = g.node('Transpose', [g.input(x)], { perm: [3, 1, 0, 2] });
      return { args: [x], attrs: { src_layout: 'HWNC', dst_layout: 'CWHN' }, result };
    }
    const cut = reshaped(g, g.input(x), [n, c / block, block, h, w]);
    const result = g.node('Transpose', [cut], { perm: [0, 1, 3, 4, 2] });
    return { args: [x], attrs: { src_layout: 'NCHW', dst_layout: `NCHW${block}c` }, result };
  },
  meshgrid: (d, g) => {
    const parts = Array.from({ length: d.int(1, 3) }, () => d.tensor([d.dim()], 'float32'));
    const isSwapped = parts.length > 1 && d.chance(0.5);
    const sizes = parts.map((t) => sizeOf(t.shape));
    const order = isSwapped ? [1, 0, 2].slice(0, parts.length) : parts.map((_, i) => i);
    const shape = order.map((i) => sizes[i] ?? 1);
    const result = parts.map((t, i) => {
      const along = shape.map((size, axis) => (order[axis] === i ? size : 1));
      return g.node('Expand', [reshaped(g, g.input(t), along), g.ints(shape)]);
    });
    return { args: [parts], attrs: { indexing: isSwapped ? 'xy' : 'ij' }, result };
  },
  full: (d, g) => {
    const shape = d.shape();
    const value = d.tensor([], d.pick(DTYPES), EXTREME);
    const result = g.node('Expand', [g.input(value), g.ints(shape)]);
    return { args: [value], attrs: { shape, dtype: value.dtype }, result };
  },
  full_like: (d, g) => {
    const x = anyTensor(d);
    const value = d.tensor([], x.dtype);
    const result = g.node('Expand', [g.input(value), g.node('Shape', [g.input(x)])]);
    return { args: [x, value], result };
  },
  zeros: (d, g) => {
    const shape = d.shape();
    const result = g.node('ConstantOfShape', [g.ints(shape)]);
    return { args: [], attrs: { shape, dtype: 'float32' }, result };
  },
  ones: (d, g) => {
    const shape = d.shape();
    const dtype = d.pick(DTYPES);
    const result = g.node('Expand', [g.scalar(1, dtype), g.ints(shape)]);
    return { args: [], attrs: { shape, dtype }, result };
  },
  arange: (d, g) => {
    const dtype = d.pick<DType>(['float32', 'int32', 'int64']);
    const step = d.pick(dtype === 'float32' ? [0.5, 1, -0.75, 2] : [1, 2, -3]);
    const start = d.int(-4, 4);
    const bounds = [start, start + Math.sign(step) * d.int(1, 6), step];
    const args = bounds.map((bound) => d.number(bound, dtype));
    const result = g.node(
      'Range',
      bounds.map((bound) => g.scalar(bound, dtype)),
    );
    return { args, attrs: { dtype }, result };
  },
};
