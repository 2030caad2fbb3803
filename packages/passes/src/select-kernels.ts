/** SelectKernels: the algorithm of each convolution becomes an attribute of its call. */
import { type IRModule, call as makeCall, typeOf } from '@baton/ir';
import {
  convolutionAlgorithms,
  fastestAlgorithm,
  isCallOf,
  isOpCall,
  type NamedAlgorithm,
  type OpCall,
  operandOf,
  staticTensor,
} from '@baton/ops';
import { inferType, type Pass, rewriteFunc, rewritingPass } from '@baton/pass-manager';
import { type CallTimes, callKey } from '@baton/rewrites';
import type { Shape } from '@baton/tensor';
import { type ConfigurablePass, configurable, someTimes } from './configurable.ts';

export interface SelectKernelsOptions {
  /** Measured times, as `timeCalls` gives them. Default: none, and bounds on the sizes decide. */
  readonly times?: CallTimes;
}

/**
 * States how convolutions of constant weights are computed, where another way than the sums of the
 * definition is faster:
 *
 * ```
 * nn.conv2d(%x, W, padding=[1, 1, 1, 1])
 * =>
 * nn.conv2d(%x, W, padding=[1, 1, 1, 1], algorithm="winograd4")
 * ```
 *
 * An executor that has the algorithm takes it; others, the interpreter among them, compute the
 * definition. A call that states an algorithm keeps it. Sizes must be known, and floats be of 32 bits.
 * With the times of all algorithms of a call the fastest one is taken, else bounds on its sizes decide.
 *
 * **Complexity** linear in the function.
 *
 * **Source** TVM's AlterOpLayout, which chooses `contrib_conv2d_winograd` at level 3, and its tuning logs;
 * Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015.
 */
export const selectKernels: ConfigurablePass<SelectKernelsOptions> = configurable(
  { times: someTimes },
  ({ times = {} }): Pass =>
    rewritingPass({
      name: 'SelectKernels',
      doc: 'Sets the fastest algorithm of each convolution.',
      level: 3,
      requires: [inferType],
      needs: ['reassoc', 'contract'],
      counters: ['winograd'],
      isIdempotent: true,
      run: (f, m, { count }) =>
        rewriteFunc(f, m, (node, get) => {
          const sizes = isOpCall(node) ? sizesOf(node, m) : undefined;
          if (!isOpCall(node) || sizes === undefined) return undefined;
          const algorithm = kernelTimes(node, m, times)[0]?.algorithm ?? fastestAlgorithm(sizes);
          if (algorithm === 'direct') return undefined;
          count('winograd');
          return withAlgorithm({ ...node, args: node.args.map(get) }, algorithm);
        }),
    }),
);

/** The call with each algorithm that it may name: for `timeCalls`. */
export function kernelsOf(node: OpCall, m: IRModule): ReadonlyArray<OpCall> {
  const open = isCallOf(node, 'nn.conv2d') ? withAlgorithm(node, '') : node;
  const sizes = sizesOf(open, m);
  if (sizes === undefined) return [];
  return convolutionAlgorithms(sizes).map((algorithm) => withAlgorithm(node, algorithm));
}

const withAlgorithm = ({ op, args, attrs, span }: OpCall, algorithm: NamedAlgorithm | ''): OpCall =>
  makeCall(op, args, { attrs: { ...attrs, algorithm }, span }) as OpCall;

/** The time of a call by one of its algorithms. */
export interface KernelTime {
  readonly algorithm: NamedAlgorithm;
  readonly microseconds: number;
}

/** The times of a call by its algorithms, the fastest first; none if one was not measured. */
export function kernelTimes(
  node: OpCall,
  m: IRModule,
  times: CallTimes,
): ReadonlyArray<KernelTime> {
  const type = typeOf(m, node);
  if (type === undefined) return [];
  const kernels = kernelsOf(node, m);
  const found = kernels.flatMap((one): ReadonlyArray<KernelTime> => {
    const { microseconds } = times[callKey(one, type, m)] ?? {};
    const algorithm = one.attrs.algorithm as NamedAlgorithm;
    return microseconds === undefined ? [] : [{ algorithm, microseconds }];
  });
  if (found.length < kernels.length) return [];
  return found.sort((a, b) => a.microseconds - b.microseconds);
}

/** The sizes of a convolution of a constant weight that names no algorithm, if they are known. */
function sizesOf(
  node: OpCall,
  m: IRModule,
): { readonly attrs: OpCall['attrs']; readonly weight: Shape; readonly result: Shape } | undefined {
  if (!isCallOf(node, 'nn.conv2d') || node.attrs.algorithm !== '') return undefined;
  const weight = operandOf(node, 1);
  const [kernel, result] = [weight, node].map((part) => {
    const type = typeOf(m, part);
    return type && staticTensor(type);
  });
  const isFloat32 = kernel?.dtype === 'float32' && result?.dtype === 'float32';
  if (weight._tag !== 'Constant' || !isFloat32) return undefined;
  return { attrs: node.attrs, weight: kernel.shape, result: result.shape };
}
