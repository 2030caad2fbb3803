/** The state of lowering: what each tensor has become so far. */
import { invariant, present } from '@baton/base';
import type { IRModule } from '@baton/ir';
import type { Fold, OpValue, PreparedCall } from '@baton/ops';
import {
  broadcastView,
  type DType,
  dtypeInfo,
  isSplat,
  rowMajorStrides,
  type Shape,
  sameShape,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import {
  type Element,
  literal,
  load,
  type Product,
  productIn,
  windowsOf,
  withoutProduct,
} from './element.ts';
import type { Kernel, Mode, Spread } from './kernel.ts';
import { blankTensor, type Region, type RegionValue } from './region.ts';

/** Storage of the region. */
export interface Buffer {
  /** All of it as a tensor, on storage that stands for it. */
  readonly whole: Tensor;
  readonly bytes: number;
  /** Whether its elements are there before the first run. */
  readonly isConstant: boolean;
  /** The buffer of which it is a part, and the first byte in it. */
  within: { readonly buffer: number; readonly offset: number } | undefined;
}

/** What is known of a kernel written by hand before it is made. */
export interface ProductForm {
  /** The axis of the result along which the channels lie, from the front or, if negative, the back. */
  readonly channelAxis: number;
  readonly scratchBytes: number;
}

/** A call that a kernel written by hand may compute, on dense operands. */
export interface ProductCall {
  readonly call: PreparedCall;
  readonly shapes: ReadonlyArray<Shape>;
  readonly out: Shape;
  readonly isWeightConstant: boolean;
}

/** What generated code and kernels written by hand can compute. */
export interface Abilities {
  /** Whether elementwise calls are computed in one pass only inside a `Primitive` function. */
  readonly isGrouped: boolean;
  /** `undefined` if there is no code for the element. */
  readonly element: (element: Element) => Mode | undefined;
  /** `undefined` if there is no code for the fold of elements of a type. */
  readonly fold: (fold: Fold, dtype: DType) => Mode | undefined;
  readonly product: (call: ProductCall) => ProductForm | undefined;
}

/** A value that is computed where it is used. */
export interface Pending {
  readonly _tag: 'Pending';
  readonly shape: Shape;
  readonly element: Element;
}

/** A value: a window, or pending. */
export type State = Tensor | Pending;

/** The state. */
export interface Lowering {
  readonly m: IRModule;
  readonly region: Region;
  readonly abilities: Abilities;
  readonly buffers: Buffer[];
  /** Buffers by their storage. */
  readonly numbers: Map<TensorData, number>;
  readonly kernels: Kernel[];
  /** By tensor of the region. */
  readonly states: State[];
  /** By tensor: the steps that use it; the result is a step of its own. */
  readonly users: ReadonlyArray<ReadonlyArray<number>>;
  /** What was found out about products. */
  readonly forms: Map<Product, ProductForm>;
}

/** Adds a buffer: the window on all of it. */
export function newBuffer(
  whole: Tensor,
  isConstant: boolean,
  { buffers, numbers }: Pick<Lowering, 'buffers' | 'numbers'>,
): Tensor {
  const bytes = whole.data.length * dtypeInfo(whole.dtype).bytes;
  numbers.set(whole.data, buffers.push({ whole, bytes, isConstant, within: undefined }) - 1);
  return whole;
}

/** The window of a constant: constants on the same storage share a buffer. */
export function constantWindow(constant: Tensor, state: Lowering): Tensor {
  if (!state.numbers.has(constant.data)) newBuffer(constant, true, state);
  return constant;
}

/** Whether a value is there before the first run. */
export const isConstant = (part: State | undefined, { buffers, numbers }: Lowering): boolean =>
  part?._tag === 'Tensor' && buffers[numbers.get(part.data) ?? -1]?.isConstant === true;

/** A new buffer for a tensor of the region. */
export function newResult(at: number, state: Lowering): Tensor {
  const { dtype, shape } = state.region.tensors[at] as Region['tensors'][number];
  return newBuffer(blankTensor(dtype, shape), false, state);
}

/** The shape of a tensor of the region. */
export const shapeAt = (at: number, { region }: Lowering): Shape =>
  region.tensors[at]?.shape as Shape;

/** The element type of a tensor of the region. */
export const dtypeAt = (at: number, { region }: Lowering): DType =>
  region.tensors[at]?.dtype as DType;

/** A tensor of the region as an element over its own shape. */
export function elementAt(at: number, state: Lowering): Element {
  const value = present(state.states[at]);
  if (value._tag === 'Pending') return value.element;
  const isNumber = value.dtype === 'float32' && isSplat(value) && isConstant(value, state);
  const number = isNumber ? value.data[value.offset] : undefined;
  return typeof number === 'number' ? literal(number, 'float32') : load(value);
}

/** Says what a tensor of the region has become. */
export function becomes(at: number, value: State, { states }: Lowering): true {
  states[at] = value;
  return true;
}

/** Writes a pending value to storage. Says whether it was pending. */
export function store(at: number, state: Lowering): boolean {
  const value = state.states[at];
  if (value?._tag !== 'Pending') return false;
  const out = newResult(at, state);
  compute(value.element, out, state);
  return becomes(at, out, state);
}

/** Adds the kernels that compute an element of the shape of a window. */
export function compute(element: Element, out: Tensor, state: Lowering): void {
  const product = productIn(element);
  if (product === undefined) {
    state.kernels.push({ _tag: 'Map', element, out });
    return;
  }
  const { channelAxis, scratchBytes } = state.forms.get(product) as ProductForm;
  const spreads = windowsOf(element).map((window) => spreadOf(window, out.shape, channelAxis));
  const scratch =
    scratchBytes === 0 ? undefined : newBuffer(blankTensor('uint8', [scratchBytes]), false, state);
  // The kernel stores four floats at a time: a mask, or an element of another type, needs its own loop.
  const isStorable = out.dtype === 'float32' && isRowMajor(out);
  const isWhole = isStorable && !spreads.includes(undefined);
  const sums = isWhole ? out : newBuffer(blankTensor('float32', product.shape), false, state);
  state.kernels.push({
    _tag: 'Product',
    product,
    element: isWhole ? element : product,
    spreads: isWhole ? (spreads as ReadonlyArray<Spread>) : [],
    out: sums,
    scratch,
  });
  if (!isWhole) state.kernels.push({ _tag: 'Map', element: withoutProduct(element, sums), out });
}

/** A stored tensor, copied if its elements do not lie one behind the other. */
export function rowMajor(at: number, state: Lowering): Tensor {
  store(at, state);
  const window = state.states[at] as Tensor;
  if (isRowMajor(window)) return window;
  const out = newBuffer(blankTensor(window.dtype, window.shape), false, state);
  compute(load(window), out, state);
  return out;
}

/** Whether the elements are contiguous, in row-major order. */
export function isRowMajor({ shape, strides }: Tensor): boolean {
  const dense = rowMajorStrides(shape);
  return shape.every((dim, axis) => dim === 1 || strides[axis] === dense[axis]);
}

/** How a window lies along the result of a product; `undefined` if a product cannot read it. */
function spreadOf(window: Tensor, shape: Shape, channelAxis: number): Spread | undefined {
  const { dtype, strides } = window;
  if (dtype !== 'float32') return undefined;
  if (shape.every((dim, axis) => dim === 1 || strides[axis] === 0)) return 'scalar';
  const channel = channelAxis < 0 ? channelAxis + shape.length : channelAxis;
  const isChannel = shape.every(
    (dim, axis) => dim === 1 || strides[axis] === (axis === channel ? 1 : 0),
  );
  if (isChannel) return 'channel';
  return isRowMajor(window) && sameShape(window.shape, shape) ? 'full' : undefined;
}

/** The windows of a value, all of which is stored. */
export function windowsIn(value: RegionValue, state: Lowering): OpValue {
  if (typeof value !== 'number') return value.map((field) => windowsIn(field, state));
  const window = state.states[value];
  invariant(window?._tag === 'Tensor', 'a tensor is stored');
  return window;
}

/** A window with an axis of size 1 put in, repeated to a shape. */
export const alongAxis = (window: Tensor, axis: number, shape: Shape): Tensor =>
  broadcastView(
    {
      ...window,
      shape: [...window.shape.slice(0, axis), 1, ...window.shape.slice(axis)],
      strides: [...window.strides.slice(0, axis), 0, ...window.strides.slice(axis)],
    },
    shape,
  );
