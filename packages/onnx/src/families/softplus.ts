/** log(1 + eˣ), which several operators are made of. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../node/operator.ts';

/** The Baton operators that it calls. */
export const SOFTPLUS_NEEDS = ['maximum', 'abs', 'negative', 'exp', 'log', 'add'] as const;

/** log(1 + eˣ) as max(x, 0) + log(1 + e^−|x|), which does not overflow. */
export function softplusOf(context: NodeContext, x: Expr): Expr {
  const dtype = context.dtypeOf(x);
  const decay = context.call('exp', [context.call('negative', [context.call('abs', [x])])]);
  const rest = context.call('log', [context.call('add', [decay, context.scalar(1, dtype)])]);
  return context.call('add', [context.call('maximum', [x, context.scalar(0, dtype)]), rest]);
}
