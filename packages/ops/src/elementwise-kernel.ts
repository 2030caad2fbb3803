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
    const values = numbers?.(attrs, x.dtype) ?? [];
    const others = Array.from({ length: arity - values.length - 1 }, (_, i): Tensor => {
      const other = args.tensor(i + 1);
      if (vectorAlong === undefined) return other;
      return reshapeView(other, channelShape(x.shape, vectorAlong(attrs)), out);
    });
    const last = values.map((value) => scalar(value, x.dtype, out));
    return mapScalar(expr, [x, ...others, ...last], out);
  };
  const kernel = untypedKernel(typed);
  if (numbers !== undefined || vectorAlong !== undefined) return kernel;
  return withScalar(kernel, (dtype) => scalarRule(expr, dtype));
}
