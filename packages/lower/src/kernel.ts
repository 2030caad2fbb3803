/** Kernels: the steps of a lowered region. Windows are tensors on the storage of buffers. */
import type { Fold, PreparedCall } from '@baton/ops';
import { type DType, dtypeInfo, type Shape, sameShape } from '@baton/tensor';
import { type Element, type Product, windowsOf } from './element.ts';
import type { Root } from './memory.ts';
import { type Buffer, isWhole, type Window, type Windows, windowsIn } from './window.ts';

/** How code computes an element: four at once, or one at a time. */
export type Mode = 'vectors' | 'singles';

/** The call of a reference kernel. */
export interface ReferenceKernel {
  readonly _tag: 'Reference';
  readonly call: PreparedCall;
  /** Windows, and tuples of them. */
  readonly args: ReadonlyArray<Windows>;
  readonly results: ReadonlyArray<Window>;
}

/** One loop nest that computes each element of a result. */
export interface MapKernel {
  readonly _tag: 'Map';
  readonly element: Element;
  readonly mode: Mode;
  readonly out: Window;
}

/** A loop nest in which each element of the result is made of many. */
export interface FoldKernel {
  readonly _tag: 'Fold';
  /** Its windows have the axes of the result, then those that are folded. */
  readonly element: Element;
  readonly fold: Fold;
  /** The type of the elements, in which states are made. */
  readonly of: DType;
  readonly mode: Mode;
  /** The last state is divided by it. */
  readonly divisor: number | undefined;
  readonly out: Window;
}

/** Slices of the data along an axis, by index. Data and indices lie in row-major order. */
export interface TakeKernel {
  readonly _tag: 'Take';
  readonly data: Window;
  readonly indices: Window;
  /** Whether an index counts modulo the axis; else the nearest place stands for it. */
  readonly isWrapped: boolean;
  /** The data are (batch, lead, dim, rest), the indices (batch, places). */
  readonly sizes: {
    readonly batch: number;
    readonly lead: number;
    readonly dim: number;
    readonly places: number;
    readonly rest: number;
  };
  readonly out: Window;
}

/** Elements combined with those before them, one row after another. */
export interface ScanKernel {
  readonly _tag: 'Scan';
  /** It has the state and an element, and the type of both. */
  readonly fold: Fold;
  readonly exclusive: boolean;
  /** In row-major order, as the result. */
  readonly data: Window;
  /** Rows are (outer, inner), of a length between them. */
  readonly sizes: { readonly outer: number; readonly length: number; readonly inner: number };
  readonly out: Window;
}

/** Updates joined to what the result holds, in order. Indices and updates lie in row-major order. */
export interface ScatterKernel {
  readonly _tag: 'Scatter';
  /** It has what is there and an update, and the type of both. */
  readonly fold: Fold;
  readonly indices: Window;
  readonly updates: Window;
  /** The loops over the slices of updates, with the steps of each in the result, in elements. */
  readonly loops: { readonly shape: Shape; readonly strides: Shape };
  /** An axis for each index of a slice, and its stride in the result; they are `apart` from each other. */
  readonly axes: ReadonlyArray<{ readonly dim: number; readonly stride: number }>;
  readonly apart: number;
  /** The elements of a slice, which are contiguous. */
  readonly size: number;
  readonly out: Window;
}

/** One value for all elements of the result, one for each channel, or one for each element. */
export type Spread = 'scalar' | 'channel' | 'full';

/** A product by a kernel written by hand, and what is done with each sum before it is stored. */
export interface ProductKernel {
  readonly _tag: 'Product';
  readonly product: Product;
  readonly element: Element;
  /** How the windows of the element lie along the result. */
  readonly spreads: ReadonlyArray<Spread>;
  readonly out: Window;
  /** Storage that it needs while it runs. */
  readonly scratch: Window | undefined;
}

/** A step of the plan. Windows are tensors on the storage of buffers. */
export type Kernel =
  | ReferenceKernel
  | MapKernel
  | FoldKernel
  | ProductKernel
  | TakeKernel
  | ScanKernel
  | ScatterKernel;

/** Kernels that run several times, one after another. */
export interface KernelLoop {
  /** The first kernel, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly turns: number;
}

/** The windows that a kernel reads; what a scatter joins updates to is its result. */
export function readsOf(kernel: Kernel): ReadonlyArray<Window> {
  switch (kernel._tag) {
    case 'Map':
    case 'Fold':
      return windowsOf(kernel.element);
    case 'Product':
      return [...kernel.product.operands, ...windowsOf(kernel.element)];
    case 'Take':
      return [kernel.data, kernel.indices];
    case 'Scan':
      return [kernel.data];
    case 'Scatter':
      return [kernel.indices, kernel.updates];
    case 'Reference':
      return kernel.args.flatMap(windowsIn);
  }
}

/** The windows that a kernel writes; the scratch storage of a product last. */
export function writesOf(kernel: Kernel): ReadonlyArray<Window> {
  if (kernel._tag === 'Reference') return kernel.results;
  const scratch = kernel._tag === 'Product' ? kernel.scratch : undefined;
  return scratch === undefined ? [kernel.out] : [kernel.out, scratch];
}

/**
 * The operands that the result may overwrite, since each element is read before it is written. Every
 * other operand on the same storage, also a part of it, must view the same elements.
 */
export function overwritesOf(
  kernel: Kernel,
  buffers: ReadonlyArray<Buffer>,
  roots: ReadonlyArray<Root>,
): ReadonlyArray<Window> {
  const isDense = (window: Window): boolean => isWhole(window, buffers[window.buffer] as Buffer);
  const rootOf = (window: Window): Root => roots[window.buffer] as Root;
  if (kernel._tag !== 'Map' || !isDense(kernel.out)) return [];
  const { element, out } = kernel;
  const windows = windowsOf(element);
  return windows.filter((window) => {
    const { buffer, offset } = rootOf(window);
    return windows.every((other) => {
      const root = rootOf(other);
      const isInStep = root.offset === offset && isDense(other) && isAlike(other, out);
      return isInStep || root.buffer !== buffer;
    });
  });
}

/** Whether two tensors have one shape, and elements of the same size. */
export const isAlike = (a: Window, b: Window): boolean =>
  sameShape(a.shape, b.shape) && dtypeInfo(a.dtype).bytes === dtypeInfo(b.dtype).bytes;
