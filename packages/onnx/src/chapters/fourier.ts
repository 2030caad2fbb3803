/** Signals: Fourier transforms, windows, and the mel scale. */

import { type Expr, isStaticDim, tensorType } from '@baton/ir';
import { type DType, fromNumbers, scalar, shapeSize, type Tensor } from '@baton/tensor';
import { int } from '../operator-api/attribute-values.ts';
import type { CallContext, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { namedType } from '../shared/quantization.ts';
import { type Chapter, hasOpenInput, type Operands, reads, writes } from '../shared/rows.ts';
import { loneNumber } from '../shared/sequences.ts';
import { asInt64, asScalar, placesUpTo, sizeOfAxis } from '../shared/sizes.ts';
import { windowIndices } from '../shared/windows.ts';
import {
  exchanged,
  expandDims,
  plus,
  range,
  reshape,
  slice,
  stack,
  take,
  transpose,
} from '../shared/words.ts';

export const fourierOperators: Chapter = [
  readsWindow('BlackmanWindow', [0.42, 0.5, 0.08]),
  reads('DFT', readDft, {
    kernelSince: 20,
    kernelReads: [1, 2],
    kernelWhen: ({ version }) => version >= 20,
    // Before operator set 20 the axis is an attribute.
    laterNode: (context) => {
      if (context.version >= 20 || !isOpenDft(context)) return undefined;
      const { attributes } = context;
      const axis = context.constant(scalar(attributes.int('axis'), 'int64'));
      return {
        opType: 'DFT',
        attributes: ['inverse', 'onesided'].map((name) => ({
          name,
          value: int(attributes.int(name)),
        })),
        inputs: [context.input(0), context.optional(1), axis],
      };
    },
  }),
  readsWindow('HammingWindow', [25 / 46, 21 / 46]),
  readsWindow('HannWindow', [0.5, 0.5]),
  reads('MelWeightMatrix', readMelWeightMatrix),
  reads('STFT', readStft, { kernelSince: 17, kernelReads: [1, 3] }),
  writes('dft', writeDft),
  writes('stft', writeStft),
];

function readDft(context: NodeContext): Converted {
  const { attributes } = context;
  const x = context.input(0);
  const rank = context.dimsOf(x).length;
  const [place = -2] = context.version < 20 ? [attributes.int('axis')] : (context.ints(2) ?? []);
  const axis = context.axis(place, rank);
  const size = Number(context.dimsOf(x)[axis]);
  const [inverse, onesided] = [attributes.int('inverse') !== 0, attributes.int('onesided') !== 0];
  if (context.hasFailed()) return undefined;
  const axes = exchanged(rank, axis, rank - 2);
  const signal = transpose(context, x, axes);
  const isOpen = isOpenDft(context) || Number.isNaN(size);
  const whole = inverse && onesided ? 2 * (size - 1) : size;
  const length = (isOpen ? undefined : context.ints(1)?.[0]) ?? whole;
  const found = isOpen
    ? fourierAtRun(context, signal, { inverse, onesided })
    : fourier(context, signal, { length, inverse, onesided });
  return found && transpose(context, found, axes);
}

/** Whether only the run knows the length of the transform, or a size of the signal besides its batch. */
function isOpenDft(context: NodeContext): boolean {
  const [, ...sizes] = context.dimsOf(context.input(0));
  return hasOpenInput(context, [1]) || !sizes.every(isStaticDim);
}

/**
 * The transform along the axis before the last, whose length the run knows: as long as the second input
 * says, with zeros after the signal, or as long as the signal.
 */
function fourierAtRun(
  context: NodeContext,
  x: Expr,
  { inverse, onesided }: Omit<Fourier, 'length'>,
): Expr {
  const { formula } = context;
  const given = context.optional(1);
  const rank = context.dimsOf(x).length;
  const size = asInt64(context, sizeOfAxis(context, x, rank - 2));
  const isHalf = inverse && onesided;
  const length = given
    ? formula('cast(?given, dtype="int64")', { given: asScalar(context, given) })
    : isHalf
      ? formula('(?size - 1) * 2', { size })
      : size;
  const half = formula('floor_divide(?length, 2) + 1', { length });
  const places = placesUpTo(context, length);
  // Of half of the frequencies, the others are the mirrored ones, conjugated.
  const mirrored = 'where(?places < ?half, ?places, ?length - ?places)';
  const text = `
    %0 = ${isHalf ? mirrored : '?places'};
    %1 = take(?x, minimum(%0, ?size - 1), axis=?axis);
    %2 = where(%0 < ?size, take(%1, 0i64, axis=-1), 0);
    %3 = where(%0 < ?size, sum(strided_slice(%1, begin=[1], end=[2], axes=[-1]), axis=[-1]), 0);
    dft(%2, ${isHalf ? 'where(?places < ?half, %3, negative(%3))' : '%3'}, inverse=?inverse)`;
  const axis = rank - 2;
  const values = { x, places, half, length, size, axis, inverse };
  const whole = context.formula<string>(text, values);
  const [re, im] = [context.field(whole, 0), context.field(whole, 1)];
  if (isHalf) return expandDims(context, re, axis + 1);
  const both = stack(context, [re, im], axis + 1);
  return onesided ? take(context, both, placesUpTo(context, half), axis) : both;
}

/** `MelWeightMatrix` of constants: the share of each frequency in each band of the mel scale. */
function readMelWeightMatrix(context: NodeContext): Converted {
  const dtype = namedType(context, 'output_datatype', 'float32');
  const values = range(0, 5).flatMap((index) => loneNumber(context, context.input(index)) ?? []);
  if (dtype === undefined) return undefined;
  if (values.length < 5) return context.unknown('expected constants as all inputs');
  const [bands = 0, length = 0, rate = 1, low = 0, high = 0] = values;
  const rows = Math.floor(length / 2) + 1;
  context.room(bands + 2);
  context.room(rows, bands);
  const edges = bandEdges({ bands, length, rate, low, high });
  const isGood = bands >= 1 && edges.every((edge) => edge >= 0 && edge < rows);
  if (!isGood) return context.fail('ONNX_VALUE', 'expected bands within the frequencies');
  return context.constant(fromNumbers(shares(edges, rows, bands), [rows, bands], dtype));
}

interface Bands {
  readonly bands: number;
  readonly length: number;
  /** Samples in a second. */
  readonly rate: number;
  /** The lowest and the highest frequency, in hertz. */
  readonly low: number;
  readonly high: number;
}

function bandEdges({ bands, length, rate, low, high }: Bands): ReadonlyArray<number> {
  const mel = (hertz: number): number => (2595 * Math.log1p(hertz / 700)) / Math.LN10;
  const step = (mel(high) - mel(low)) / (bands + 2);
  return range(0, bands + 2).map((i) => {
    const hertz = 700 * Math.expm1(((mel(low) + i * step) / 2595) * Math.LN10);
    return Math.floor(((length + 1) * hertz) / rate);
  });
}

/** Triangles from each edge over the next to the one after it. */
function shares(edges: ReadonlyArray<number>, rows: number, bands: number): Float64Array {
  const data = new Float64Array(rows * bands);
  for (let band = 0; band < bands; band++) {
    const [from = 0, peak = 0, to = 0] = edges.slice(band, band + 3);
    if (peak === from) data[peak * bands + band] = 1;
    for (let row = from; row <= peak && peak > from; row++) {
      data[row * bands + band] = (row - from) / (peak - from);
    }
    for (let row = peak; row < to; row++) data[row * bands + band] = (to - row) / (to - peak);
  }
  return data;
}

function readStft(context: NodeContext): Converted {
  const [signal, window] = [context.input(0), context.optional(2)];
  const size = context.dimsOf(signal)[1];
  const [step = 0] = context.ints(1) ?? [];
  const [given] = context.ints(3) ?? [];
  const width = window && context.dimsOf(window)[0];
  const length = given ?? (typeof width === 'number' ? width : undefined);
  if (context.hasFailed()) return undefined;
  if (length === undefined) return context.unknown('expected a known length of the windows');
  const isShort = typeof size === 'number' && size < length;
  if (step < 1 || isShort) {
    return context.fail('ONNX_VALUE', 'expected steps, and a signal as long as a window');
  }
  const parts = context.dimsOf(signal)[2];
  if (typeof parts !== 'number') return context.unknown('expected signals of rank 3');
  const frames = context.formula(
    'squeeze(sliding_window(?signal, axis=1, window_shape=?sizes, strides=?strides), axis=[2])',
    { signal, sizes: [length, parts], strides: [step, 1] },
  );
  const weighted = window
    ? context.formula('?frames * expand_dims(?window, axis=1)', { frames, window })
    : frames;
  const onesided = context.attributes.int('onesided') !== 0;
  return fourier(context, weighted, { length, inverse: false, onesided });
}

function writeDft(context: CallContext, [re, im]: Operands): Written {
  if (!context.since(17, 'DFT')) return undefined;
  const shape = context.shape(re);
  if (shape === undefined) return undefined;
  const flat = [shapeSize(shape.slice(0, -1)), shape.at(-1) ?? 1, 2];
  const x = reshape(context, stack(context, [re, im], -1), flat);
  const inverse = int(context.attrs.bool('inverse'));
  const type = tensorType(flat, context.dtype(re));
  const turned =
    context.opset < 20
      ? context.node('DFT', [x], { axis: int(1), inverse }, type)
      : context.node('DFT', [x, undefined, context.scalar(1, 'int64')], { inverse }, type);
  const whole = reshape(context, turned, [...shape, 2]);
  const axis = [shape.length];
  return [0, 1].map((part) => {
    const one = slice(context, whole, shape.length, part, part + 1);
    return context.formula('squeeze(?one, axis=?axis)', { one, axis });
  });
}

/** `stft`: the product with cosines and sines, since `STFT` has no windows inside its frames. */
function writeStft(context: CallContext, [data, window]: Operands): Written {
  const { attrs } = context;
  const shape = context.shape(data);
  if (shape === undefined) return undefined;
  const [length, stride, width] = ['n_fft', 'hop_length', 'win_length'].map(attrs.int) as [
    number,
    number,
    number,
  ];
  const bins = attrs.bool('onesided') ? Math.floor(length / 2) + 1 : length;
  const frames = Math.floor(((shape[1] ?? 0) - length) / stride) + 1;
  const before = Math.floor((length - width) / 2);
  const indices = windowIndices(context, { count: frames, cells: width, stride, start: before });
  context.room(width, bins, 2);
  const scale = attrs.bool('normalized') ? 1 / Math.sqrt(length) : 1;
  // exp(−2πi·k·n/N), as pairs of both parts.
  const waves = Float64Array.from({ length: width * bins * 2 }, (_, i) => {
    const [at, bin] = [Math.floor(i / (2 * bins)) + before, Math.floor(i / 2) % bins];
    const angle = (-2 * Math.PI * ((at * bin) % length)) / length;
    return scale * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
  });
  const weights = context.constant(fromNumbers(waves, [width, bins * 2], context.dtype(data)));
  const parts = [shape[0] ?? 1, frames, bins, 2];
  const text = `
    %0 = nn.matmul(take(?data, ?indices, axis=1) * ?window, ?weights);
    transpose(reshape(%0, newshape=?parts), axes=[0, 2, 1, 3])`;
  return context.formula(text, { data, indices, window, weights, parts });
}

/** A transform along the axis before the last, whose places are real and imaginary parts. */
interface Fourier {
  readonly length: number;
  readonly inverse: boolean;
  /** Whether only the first half of the frequencies is computed, or given to the inverse. */
  readonly onesided: boolean;
}

/** The longest transform: its matrices have as many rows and columns. */
const MAX_LENGTH = 4096;

function fourier(context: NodeContext, x: Expr, parts: Fourier): Expr | undefined {
  const { formula } = context;
  const dims = context.dimsOf(x);
  const [size, width] = [dims.at(-2), dims.at(-1)];
  if (typeof size !== 'number' || typeof width !== 'number') {
    return context.unknown('expected a known length of the signal');
  }
  if (parts.length < 1 || parts.length > MAX_LENGTH) {
    const message = `transforms longer than ${MAX_LENGTH} are not imported, found ${parts.length}`;
    return context.fail('ONNX_UNSUPPORTED', message);
  }
  const used = Math.min(size, parts.length);
  const axis = dims.length - 2;
  const signal = slice(context, x, axis, 0, used);
  const part = (index: number): Expr =>
    take(context, signal, context.scalar(index, 'int32'), axis + 1);
  const times = (data: Expr, wave: (angle: number) => number): Expr => {
    context.room(used, parts.length);
    const matrix = context.constant(waves(parts, used, wave, context.dtypeOf(x)));
    return formula('nn.matmul(?data, ?matrix)', { data, matrix });
  };
  const turn = parts.inverse ? 1 : -1;
  const cosine = (data: Expr): Expr => times(data, Math.cos);
  const sine = (data: Expr): Expr => times(data, (angle) => turn * Math.sin(angle));
  const [real, imaginary] = [part(0), width > 1 ? part(1) : undefined];
  const first = imaginary
    ? formula('?a - ?b', { a: cosine(real), b: sine(imaginary) })
    : cosine(real);
  if (parts.inverse && parts.onesided) return expandDims(context, first, axis + 1);
  const second = plus(context, sine(real), imaginary && cosine(imaginary));
  return stack(context, [first, second], axis + 1);
}

function waves(
  { length, inverse, onesided }: Fourier,
  given: number,
  wave: (angle: number) => number,
  dtype: DType,
): Tensor {
  const half = Math.floor(length / 2) + 1;
  const rows = inverse && onesided ? Math.min(given, half) : given;
  const columns = onesided && !inverse ? half : length;
  const data = new Float64Array(given * columns);
  for (let row = 0; row < rows; row++) {
    // The frequencies that are left out mirror those that are given.
    const isMirrored = inverse && onesided && row > 0 && 2 * row !== length;
    const weight = (isMirrored ? 2 : 1) / (inverse ? length : 1);
    for (let column = 0; column < columns; column++) {
      const turns = ((row * column) % length) / length;
      data[row * columns + column] = weight * wave(2 * Math.PI * turns);
    }
  }
  return fromNumbers(data, [given, columns], dtype);
}

/** The window a − b·cos(2πn/N) + c·cos(4πn/N), where N is the size, or less one if not periodic. */
function readsWindow(
  opType: string,
  [a, b, c = 0]: readonly [number, number, number?],
): OnnxImporter {
  return reads(opType, (context) => {
    const dtype = namedType(context, 'output_datatype', 'float32');
    if (dtype === undefined) return undefined;
    const text = `
      %0 = cast(?size, dtype="int64");
      %1 = cast(arange(0i64, %0, 1i64, dtype="int64"), dtype="float64");
      %2 = %1 / cast(${context.attributes.int('periodic') === 0 ? '%0 - 1i64' : '%0'}, dtype="float64");
      %3 = cos(%2 * ?once) * ?b + ?a;
      cast(${c === 0 ? '%3' : '%3 + cos(%2 * ?twice) * ?c'}, dtype=?dtype)`;
    const turns = { once: 2 * Math.PI, twice: 4 * Math.PI };
    return context.formula<string>(text, { size: context.input(0), ...turns, a, b: -b, c, dtype });
  });
}
