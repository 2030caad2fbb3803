/** The state of lowering: the program so far, and what each tensor of the region has become. */
import { invariant, present } from '@baton/base';
import type { Fold } from '@baton/ops';
import {
  type DType,
  dtypeInfo,
  isInteger,
  isSplat,
  type Shape,
  sameShape,
  shapeSize,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import {
  type BlockOperand,
  type Element,
  type IntegerOperands,
  literal,
  load,
  type Product,
  type ProductOperator,
  productIn,
  type SumType,
  windowsOf,
  withoutProduct,
} from './element.ts';
import type { Kernel, KernelLoop, Mode, Spread } from './kernel.ts';
import { type Range, rangeOf, rangeOfType } from './range.ts';
import { leavesOf, type Region, type RegionTensor, type RegionValue } from './region.ts';
import {
  anyWindow,
  type Buffer,
  bufferOf,
  isRowMajor,
  type Window,
  type Windows,
  windowOn,
} from './window.ts';

/** What is known of a kernel written by hand before it is made. */
export interface ProductForm {
  /** The axis of the result along which the channels lie, from the front or, if negative, the back. */
  readonly channelAxis: number;
  readonly scratchBytes: number;
}

/** A call that a kernel written by hand may compute, on dense operands. */
export interface ProductCall extends ProductOperator {
  /** The type of the sums. */
  readonly dtype: SumType;
  readonly shapes: ReadonlyArray<Shape>;
  readonly isWeightConstant: boolean;
  readonly integers?: IntegerOperands | undefined;
  readonly blocks?: BlockOperand | undefined;
  /** The strides of operands that are views of elements with gaps. @defaultValue none are */
  readonly strides?: OperandStrides | undefined;
}

/** The strides of the data and of the weight; `undefined` of one whose elements are contiguous. */
export type OperandStrides = readonly [data: Shape | undefined, weight: Shape | undefined];

/** The strides of the operands of a product; a constant weight is packed before the first run, from any view. */
export function operandStrides(
  operands: ReadonlyArray<Window>,
  isWeightConstant: boolean,
): OperandStrides | undefined {
  const [data, weight] = operands.map((it) => (isRowMajor(it) ? undefined : it.strides));
  const strides = [data, isWeightConstant ? undefined : weight] as const;
  return strides.some((it) => it !== undefined) ? strides : undefined;
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
export type Value = Window | Pending;

/** The program so far. Kernels and buffers are only added. */
export interface Lowering {
  readonly region: Region;
  readonly abilities: Abilities;
  readonly buffers: Buffer[];
  readonly kernels: Kernel[];
  readonly loops: KernelLoop[];
  /** By tensor of the region. */
  readonly values: Value[];
  /** The buffers of constants, by their storage. */
  readonly constants: Map<TensorData, number>;
  /** What was found out about products. */
  readonly products: Map<Product, ProductForm>;
  /** Bounds of stored integers, by buffer, if they are narrower than the type. */
  readonly ranges: Map<number, Range>;
}

/** A program in which parameters and constants have their buffers. */
export function begin(region: Region, abilities: Abilities): Lowering {
  const state: Lowering = {
    region,
    abilities,
    buffers: [],
    kernels: [],
    loops: [],
    values: [],
    constants: new Map(),
    products: new Map(),
    ranges: new Map(),
  };
  region.tensors.forEach(({ constant, turns }, at) => {
    if (constant !== undefined) state.values[at] = constantWindow(constant, state);
    if (turns !== undefined) state.values[at] = windowOfTurns(turns, state);
  });
  for (const at of region.params.flatMap(leavesOf)) state.values[at] = newResult(at, state);
  return state;
}

/** A new buffer, and the window on all of it. */
export const newBuffer = (dtype: DType, shape: Shape, { buffers }: Lowering): Window =>
  windowOn(buffers.push(bufferOf(dtype, shapeSize(shape))) - 1, dtype, shape);

/** The window of a constant: constants on the same storage share a buffer. */
export function constantWindow(constant: Tensor, { buffers, constants }: Lowering): Window {
  const { data, dtype, shape, strides, offset } = constant;
  const known = constants.get(data);
  const buffer = known ?? buffers.push(bufferOf(dtype, data.length, data)) - 1;
  constants.set(data, buffer);
  return { _tag: 'Window', buffer, dtype, shape, strides, offset };
}

/** The window of what is known in each turn of a loop. */
function windowOfTurns(turns: Tensor, state: Lowering): Window {
  const all = constantWindow(turns, state);
  const [perTurn = 0, ...strides] = all.strides;
  return { ...all, shape: all.shape.slice(1), strides, perTurn };
}

/** The tensor of a window on a constant. */
export function constantOf(
  { buffer, dtype, shape, strides, offset }: Window,
  { buffers }: { readonly buffers: ReadonlyArray<Buffer> },
): Tensor {
  const data = present(buffers[buffer]?.constant);
  return { _tag: 'Tensor', dtype, shape, strides, offset, data };
}

/** Whether a value is there before the first run, the same in every turn of a loop. */
export const isConstant = (value: Value | undefined, state: Lowering): boolean =>
  value?._tag === 'Window' && isConstantWindow(value, state);

/** Whether a window is on elements that are there before the first run, the same in every turn. */
export const isConstantWindow = (
  { buffer, perTurn }: Window,
  { buffers }: { readonly buffers: ReadonlyArray<Buffer> },
): boolean => perTurn === undefined && buffers[buffer]?.constant !== undefined;

/** A new buffer for a tensor of the region. */
export function newResult(at: number, state: Lowering): Window {
  const { dtype, shape } = tensorAt(at, state);
  return newBuffer(dtype, shape, state);
}

const tensorAt = (at: number, { region }: Lowering): RegionTensor => present(region.tensors[at]);

/** The shape of a tensor of the region. */
export const shapeAt = (at: number, state: Lowering): Shape => tensorAt(at, state).shape;

/** The element type of a tensor of the region. */
export const dtypeAt = (at: number, state: Lowering): DType => tensorAt(at, state).dtype;

/** Whether there is code that moves elements of a type. */
export const isMovable = (dtype: DType, { abilities }: Lowering): boolean =>
  abilities.element(load(anyWindow(dtype))) !== undefined;

/** A tensor of the region as an element over its own shape. */
export function elementAt(at: number, state: Lowering): Element {
  const value = present(state.values[at]);
  if (value._tag === 'Pending') return value.element;
  if (!LITERALS.includes(value.dtype) || !isConstant(value, state)) return load(value);
  const constant = constantOf(value, state);
  const number = isSplat(constant) ? constant.data[constant.offset] : undefined;
  return typeof number === 'number' ? literal(number, value.dtype) : load(value);
}

/** The types of numbers that code holds. */
const LITERALS: ReadonlyArray<DType> = [
  ...(['float32', 'float64'] as const),
  ...(['int8', 'uint8', 'int16', 'uint16', 'int32'] as const),
];

/** A pending value written to storage; a stored one as it is. */
export function stored(at: number, state: Lowering): Window {
  const value = present(state.values[at]);
  if (value._tag === 'Window') return value;
  const out = newResult(at, state);
  compute(value.element, out, state);
  if (isInteger(out.dtype)) state.ranges.set(out.buffer, rangeIn(value.element, state));
  state.values[at] = out;
  return out;
}

/** The bounds of a window's elements. */
export const rangeOfWindow = ({ buffer, dtype }: Window, { ranges }: Lowering): Range =>
  ranges.get(buffer) ?? rangeOfType(dtype);

/** The bounds of an element, with what is known of stored integers. */
export const rangeIn = (element: Element, state: Lowering): Range =>
  rangeOf(element, (window) => rangeOfWindow(window, state));

/** A stored tensor, copied if its elements are not contiguous. */
export const rowMajor = (at: number, state: Lowering): Window =>
  contiguous(stored(at, state), state);

/** A window whose elements are contiguous, in row-major order: a copy if they are not. */
export function contiguous(window: Window, state: Lowering): Window {
  if (isRowMajor(window)) return window;
  const out = newBuffer(window.dtype, window.shape, state);
  compute(load(window), out, state);
  return out;
}

/** The windows of a value, all of which is stored. */
export const storedValue = (value: RegionValue, state: Lowering): Windows =>
  typeof value === 'number'
    ? stored(value, state)
    : value.map((field) => storedValue(field, state));

/** Adds the kernels that compute an element of the shape of a window. */
export function compute(element: Element, out: Window, state: Lowering): void {
  const product = productIn(element);
  if (product === undefined) {
    map(element, out, state);
    return;
  }
  const { channelAxis, scratchBytes } = present(state.products.get(product));
  const spreads = windowsOf(element).map((window) =>
    spreadOf(window, out.shape, channelAxis, product.dtype),
  );
  const scratch = scratchBytes === 0 ? undefined : newBuffer('uint8', [scratchBytes], state);
  // The kernel stores a vector at a time: a mask, or an element of another type, needs its own loop.
  const isStorable = STORABLE[product.dtype].includes(out.dtype) && isRowMajor(out);
  const isFused = isStorable && !spreads.includes(undefined);
  const sums = isFused ? out : newBuffer(product.dtype, product.shape, state);
  state.kernels.push({
    _tag: 'Product',
    product,
    element: isFused ? element : product,
    spreads: isFused ? (spreads as ReadonlyArray<Spread>) : [],
    out: sums,
    scratch,
  });
  if (!isFused) map(withoutProduct(element, sums), out, state);
}

/** Adds the loop nest that computes an element, for which there is code. */
function map(element: Element, out: Window, { kernels, abilities }: Lowering): void {
  kernels.push({ _tag: 'Map', element, mode: present(abilities.element(element)), out });
}

/** The types that products read and store after their sums. */
const STORABLE: { readonly [T in SumType]: ReadonlyArray<DType> } = {
  float32: ['float32'],
  float64: ['float64'],
  int32: ['float32', 'int32', 'int16', 'uint16', 'int8', 'uint8'],
};

/** How a window lies along the result of a product; `undefined` if a product cannot read it. */
function spreadOf(
  window: Window,
  shape: Shape,
  channelAxis: number,
  sums: SumType,
): Spread | undefined {
  const { dtype, strides } = window;
  const isFull = isRowMajor(window) && sameShape(window.shape, shape);
  if (!STORABLE[sums].includes(dtype)) return undefined;
  if (dtypeInfo(dtype).bytes < 4) return isFull ? 'full' : undefined;
  if (shape.every((dim, axis) => dim === 1 || strides[axis] === 0)) return 'scalar';
  const channel = channelAxis < 0 ? channelAxis + shape.length : channelAxis;
  const isChannel = shape.every(
    (dim, axis) => dim === 1 || strides[axis] === (axis === channel ? 1 : 0),
  );
  if (isChannel) return 'channel';
  return isFull ? 'full' : undefined;
}

/** Makes a buffer a part of another one, from a byte of it. */
export function placeWithin(part: number, place: Window, bytes: number, state: Lowering): void {
  const own = present(state.buffers[part]);
  invariant(own.within === undefined && own.constant === undefined, 'a part is a buffer by itself');
  state.buffers[part] = { ...own, within: { buffer: place.buffer, offset: bytes } };
}
