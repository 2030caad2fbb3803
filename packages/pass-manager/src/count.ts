/** The default count of nodes in reports. */
import { type IRModule, postOrderExprs } from '@baton/ir';

/** The number of operator calls in a module; a shared call counts once. */
export function countOperatorCalls(m: IRModule): number {
  let count = 0;
  for (const node of postOrderExprs([...m.functions.values()])) {
    if (node._tag === 'Call' && node.op._tag === 'Op') count++;
  }
  return count;
}
