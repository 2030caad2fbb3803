/** The names of kernels that stand for whole nodes. */

/** The attribute with the places of a kernel's parameters among the inputs of its node. */
export const KERNEL_INPUTS = 'Inputs';

/** The name of the domain of ONNX itself. */
const OWN = 'onnx';

/** The attribute `Composite` of a kernel: `onnx.LSTM`. */
export const kernelName = (domain: string, opType: string): string =>
  `${domain === '' || domain === 'ai.onnx' ? OWN : domain}.${opType}`;

/** The domain and the name of the operator that a kernel's name states. */
export function operatorOfKernel(name: string): {
  readonly domain: string;
  readonly opType: string;
} {
  const dot = name.lastIndexOf('.');
  const domain = name.slice(0, Math.max(dot, 0));
  return { domain: domain === OWN ? '' : domain, opType: name.slice(dot + 1) };
}
