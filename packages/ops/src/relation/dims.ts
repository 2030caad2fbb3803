/** Arithmetic of dimensions for relations. */
import {
  addDims,
  anyDim,
  type Dim,
  dimsEqual,
  divideDims,
  isAnyDim,
  multiplyDims,
  subtractDims,
} from '@baton/ir';

/** Whether two dimensions may be equal: `?` agrees with everything. */
export const dimAgrees = (a: Dim, b: Dim): boolean => isAnyDim(a) || isAnyDim(b) || dimsEqual(a, b);

/** The more specific of two dimensions that must be equal; `undefined` if they differ. */
export function meetDims(a: Dim, b: Dim): Dim | undefined {
  if (isAnyDim(a)) return b;
  return isAnyDim(b) || dimsEqual(a, b) ? a : undefined;
}

/**
 * The common dimension of two that broadcast, or `undefined`
 * ([types §9](https://batonjs.github.io/baton/spec/types#9)).
 */
export function broadcastDim(a: Dim, b: Dim): Dim | undefined {
  if (a === 1) return b;
  if (b === 1) return a;
  return meetDims(a, b);
}

/** The product of dimensions; `?` is absorbing, except that 0 times it is 0. */
export const productOfDims = (dims: ReadonlyArray<Dim>): Dim =>
  dims.includes(0) ? 0 : dims.reduce(multiplyDims, 1);

export const sumOfDims = (dims: ReadonlyArray<Dim>): Dim => dims.reduce(addDims, 0);

export type Rounding = 'floor' | 'ceil';

/** One axis of a sliding window. */
export interface WindowAxis {
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  readonly padBefore: number;
  readonly padAfter: number;
}

/**
 * The number of windows: `⌊(in + pads − dilation·(kernel − 1) − 1) / stride⌋ + 1`. If it is unknown
 * or not linear, `?`; `undefined` if a window is larger than the data.
 */
export function windowDim(
  dim: Dim,
  window: WindowAxis,
  rounding: Rounding = 'floor',
): Dim | undefined {
  const { kernel, stride, dilation, padBefore, padAfter } = window;
  const span = dilation * (kernel - 1) + 1;
  const room = addDims(dim, padBefore + padAfter - span);
  if (typeof room === 'number') {
    return room < 0 ? undefined : Math[rounding](room / stride) + 1;
  }
  if (stride === 1) return addDims(room, 1);
  return linearQuotient(room, stride, rounding) ?? anyDim;
}

/** `dim / divisor + 1` if the division is exact for every value of the variables. */
function linearQuotient(dim: Dim, divisor: number, rounding: Rounding): Dim | undefined {
  if (typeof dim === 'number' || isAnyDim(dim)) return undefined;
  // ⌊(c + s·x) / s⌋ + 1 = x + ⌊c / s⌋ + 1: only the variable part has to divide.
  if (!dim.terms.every((term) => term.coefficient % divisor === 0)) return undefined;
  const variablePart = subtractDims(dim, dim.constant);
  const quotient = divideDims(variablePart, divisor);
  return quotient === undefined
    ? undefined
    : addDims(quotient, Math[rounding](dim.constant / divisor) + 1);
}
