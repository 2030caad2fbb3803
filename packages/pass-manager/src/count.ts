/** The default count of nodes in reports. */
import { type Analysis, analysis } from '@baton/base';
import { type IRModule, postOrderExprs } from '@baton/ir';

/** The number of operator calls in a module; a shared call counts once. */
export const countOperatorCalls: Analysis<IRModule, number> = analysis((m) => {
  let count = 0;
  for (const node of postOrderExprs([...m.functions.values()])) {
    if (node._tag === 'Call' && node.op._tag === 'Op') count++;
  }
  return count;
});
