/** The kernel of an operator that a scalar expression computes, element by element. */
import { reshapeView, scalar, type Tensor } from '@baton/tensor';
import type { ScalarForm } from './columns.ts';
import { type Kernel, type TypedKernel, untypedKernel, withScalar } from './kernel.ts';
import { mapScalar } from './kernels/elementwise.ts';
import { scalarRule } from './kernels/scalar-rule.ts';
import { channelShape } from './relation/channels.ts';
import { arityOf } from './scalar/expr.ts';

/** The kernel, with a rule for single elements if the operands are the arguments alone. */
export function elementwiseKernel<A>({ expr, numbers, vectorAlong }: ScalarForm<A>): Kernel {
  const arity = arityOf(expr);
  const typed: TypedKernel<A> = (args, attrs, out) => {
    const x = args.tensor(0);
    const last = numbers?.(attrs, x.dtype).map((value) => scalar(value, x.dtype, out)) ?? [];
    const operands: [Tensor, ...Tensor[]] = [x];
    for (let i = 1; i < arity - last.length; i++) {
      const other = args.tensor(i);
      const dims = vectorAlong && channelShape(x.shape, vectorAlong(attrs));
      operands.push(dims === undefined ? other : reshapeView(other, dims, out));
    }
    operands.push(...last);
    return mapScalar(expr, operands, out);
  };
  const kernel = untypedKernel(typed);
  if (numbers !== undefined || vectorAlong !== undefined) return kernel;
  return withScalar(kernel, (dtype) => scalarRule(expr, dtype));
}
