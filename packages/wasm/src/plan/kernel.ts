/** Kernels: the steps of a lowered region. Windows are tensors on the storage of buffers. */
import type { OpValue, PreparedCall } from '@baton/ops';
import { dtypeInfo, isDense, isTensor, sameShape, type Tensor } from '@baton/tensor';
import { type Element, windowsOf } from './element.ts';

/** The call of a reference kernel. */
export interface ReferenceKernel {
  readonly _tag: 'Reference';
  readonly call: PreparedCall;
  /** Windows, and tuples of them. */
  readonly args: ReadonlyArray<OpValue>;
  readonly results: ReadonlyArray<Tensor>;
}

/** One loop nest that computes each element of a result. */
export interface MapKernel {
  readonly _tag: 'Map';
  readonly element: Element;
  readonly out: Tensor;
}

/** A step of the plan. Windows are tensors on the storage of buffers. */
export type Kernel = ReferenceKernel | MapKernel;

/** The windows that a kernel reads. */
export function readsOf(kernel: Kernel): ReadonlyArray<Tensor> {
  if (kernel._tag === 'Map') return windowsOf(kernel.element);
  return kernel.args.flatMap((arg) => (isTensor(arg) ? [arg] : arg.filter(isTensor)));
}

/** The windows that a kernel writes. */
export const writesOf = (kernel: Kernel): ReadonlyArray<Tensor> =>
  kernel._tag === 'Map' ? [kernel.out] : kernel.results;

/** The operands in whose place the result may be written: each element is read before it is written. */
export function overwritesOf(kernel: Kernel): ReadonlyArray<Tensor> {
  if (kernel._tag !== 'Map') return [];
  const { element, out } = kernel;
  if (!isDense(out)) return [];
  const windows = windowsOf(element);
  const isOnly = (window: Tensor): boolean =>
    windows.every((other) => other === window || other.data !== window.data || isDense(other));
  return windows.filter(
    (window) =>
      isDense(window) &&
      sameShape(window.shape, out.shape) &&
      dtypeInfo(window.dtype).bytes === dtypeInfo(out.dtype).bytes &&
      isOnly(window),
  );
}
