/** SelectKernels: the algorithm of each convolution becomes an attribute of its call. */
import { call, type IRModule, typeOf } from '@baton/ir';
import { fastestAlgorithm, isCallOf, type OpCall, operandOf, staticTensor } from '@baton/ops';
import { inferType, type Pass, rewriteFunc, rewritingPass } from '@baton/pass-manager';

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
 *
 * **Complexity** linear in the function.
 *
 * **Source** TVM's AlterOpLayout, which chooses `contrib_conv2d_winograd` at level 3; Lavin and Gray, Fast
 * Algorithms for Convolutional Neural Networks, 2015.
 */
export const selectKernels: Pass = rewritingPass({
  name: 'SelectKernels',
  doc: 'Sets the fastest algorithm of each convolution.',
  level: 3,
  requires: [inferType],
  needs: ['reassoc', 'contract'],
  counters: ['winograd'],
  isIdempotent: true,
  run: (f, m, { count }) =>
    rewriteFunc(f, m, (node, get) => {
      if (!isCallOf(node, 'nn.conv2d') || node.attrs.algorithm !== '') return undefined;
      const algorithm = algorithmOf(node, m);
      if (algorithm === 'direct') return undefined;
      count('winograd');
      const args = node.args.map(get);
      return call(node.op, args, { attrs: { ...node.attrs, algorithm }, span: node.span });
    }),
});

/** The fastest algorithm of a convolution whose sizes are known. */
function algorithmOf(node: OpCall, m: IRModule): ReturnType<typeof fastestAlgorithm> {
  const weight = operandOf(node, 1);
  const [kernel, result] = [weight, node].map((part) => {
    const type = typeOf(m, part);
    return type && staticTensor(type);
  });
  const isFloat32 = kernel?.dtype === 'float32' && result?.dtype === 'float32';
  if (weight._tag !== 'Constant' || !isFloat32) return 'direct';
  return fastestAlgorithm(node.attrs, kernel.shape, result.shape);
}
