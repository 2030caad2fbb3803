/** The kernels that are written by hand, by the operators that they compute. */
import { denseNbits } from './blocks.ts';
import { conv2d } from './conv2d.ts';
import { batchMatmul, dense, matmul } from './dense.ts';
import type { KernelEntry } from './kernel.ts';

const ENTRIES: ReadonlyArray<KernelEntry> = [batchMatmul, conv2d, dense, denseNbits, matmul];

/** Kernels by the names of operators. */
export const handKernels: ReadonlyMap<string, KernelEntry> = new Map(
  ENTRIES.map((entry) => [entry.op, entry]),
);

export {
  type Epilogue,
  type HandKernel,
  plain,
  plainOf,
  type Spread,
} from './kernel.ts';
