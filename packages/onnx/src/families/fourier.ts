/** Discrete Fourier transforms as products with matrices of cosines and sines. */
import type { Expr } from '@baton/ir';
import { type DType, fromNumbers, type Tensor } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';

/** A transform along the axis before the last, whose places are real and imaginary parts. */
export interface Fourier {
  readonly length: number;
  readonly inverse: boolean;
  /** Whether only the first half of the frequencies is computed, or given to the inverse. */
  readonly onesided: boolean;
}

/** The longest transform: its matrices have as many rows and columns. */
const MAX_LENGTH = 4096;

/** The transform of data of any rank; `undefined` after a failure. */
export function fourier(context: NodeContext, x: Expr, parts: Fourier): Expr | undefined {
  const { call } = context;
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
  const signal = call('strided_slice', [x], { begin: [0], end: [used], axes: [axis] });
  const part = (index: number): Expr =>
    call('take', [signal, context.scalar(index, 'int32')], { axis: axis + 1 });
  const dtype = context.dtypeOf(x);
  const times = (data: Expr, wave: (angle: number) => number): Expr => {
    context.room(used, parts.length);
    return call('nn.matmul', [data, context.constant(waves(parts, used, wave, dtype))]);
  };
  const turn = parts.inverse ? 1 : -1;
  const cosine = (data: Expr): Expr => times(data, Math.cos);
  const sine = (data: Expr): Expr => times(data, (angle) => turn * Math.sin(angle));
  const [real, imaginary] = [part(0), width > 1 ? part(1) : undefined];
  const first = imaginary ? call('subtract', [cosine(real), sine(imaginary)]) : cosine(real);
  if (parts.inverse && parts.onesided) return call('expand_dims', [first], { axis: axis + 1 });
  const second = imaginary ? call('add', [sine(real), cosine(imaginary)]) : sine(real);
  return call('stack', [context.tuple([first, second])], { axis: axis + 1 });
}

/** The waves at each place given, for each place of the result. */
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
