/** The kernels that are written by hand, by the operators that they compute. */
import { conv2d } from './conv2d.ts';
import type { KernelEntry } from './kernel.ts';

const ENTRIES: ReadonlyArray<KernelEntry> = [conv2d];

/** Kernels by the names of operators. */
export const handKernels: ReadonlyMap<string, KernelEntry['make']> = new Map(
  ENTRIES.map(({ op, make }) => [op, make]),
);

export { type Epilogue, plain, type Spread } from './kernel.ts';
