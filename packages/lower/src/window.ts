/** Windows: strided views of the elements of a buffer, as data. */
import {
  broadcastView,
  type DType,
  dtypeInfo,
  rowMajorStrides,
  type Shape,
  type Strided,
  shapeSize,
  type TensorData,
} from '@baton/tensor';

/** Elements of a buffer, by its number. */
export interface Window extends Strided {
  readonly _tag: 'Window';
  readonly buffer: number;
  readonly dtype: DType;
  /** In a loop: the number of elements by which each turn moves it. Default: 0. */
  readonly perTurn?: number;
}

/** A window, or a tuple of windows. */
export type Windows = Window | ReadonlyArray<Windows>;

/** Storage that a lowered program reads or writes. */
export interface Buffer {
  readonly dtype: DType;
  /** The number of its elements. */
  readonly count: number;
  readonly bytes: number;
  /** The elements, if they are there before the first run. */
  readonly constant: TensorData | undefined;
  /** The buffer of which it is a part, and the first byte in it. */
  readonly within: { readonly buffer: number; readonly offset: number } | undefined;
}

/** A buffer of `count` elements. */
export const bufferOf = (dtype: DType, count: number, constant?: TensorData): Buffer => ({
  dtype,
  count,
  bytes: count * dtypeInfo(dtype).bytes,
  constant,
  within: undefined,
});

/** All of a buffer in a shape, contiguous in row-major order. */
export const windowOn = (buffer: number, dtype: DType, shape: Shape): Window => ({
  _tag: 'Window',
  buffer,
  dtype,
  shape,
  strides: rowMajorStrides(shape),
  offset: 0,
});

/** A window that stands for any of its type, where code is asked for. */
export const anyWindow = (dtype: DType): Window => windowOn(-1, dtype, [1]);

/** Whether the elements are contiguous, in row-major order. */
export function isRowMajor({ shape, strides }: Strided): boolean {
  const dense = rowMajorStrides(shape);
  return shape.every((dim, axis) => dim === 1 || strides[axis] === dense[axis]);
}

/** Whether a window is all of its buffer, contiguous. */
export const isWhole = (window: Window, { count }: Buffer): boolean =>
  window.perTurn === undefined &&
  window.offset === 0 &&
  isRowMajor(window) &&
  shapeSize(window.shape) === count;

/** A window with an axis of size 1 put in, repeated to a shape. */
export const alongAxis = (window: Window, axis: number, shape: Shape): Window =>
  broadcastView(
    {
      ...window,
      shape: [...window.shape.slice(0, axis), 1, ...window.shape.slice(axis)],
      strides: [...window.strides.slice(0, axis), 0, ...window.strides.slice(axis)],
    },
    shape,
  );

/** The windows in a tuple of them, in order. */
export const windowsIn = (value: Windows): ReadonlyArray<Window> =>
  isTuple(value) ? value.flatMap(windowsIn) : [value];

const isTuple = (value: Windows): value is ReadonlyArray<Windows> => Array.isArray(value);
