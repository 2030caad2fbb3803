import type { Choice } from './choice.ts';
import type { FlatGraph } from './flat.ts';
import type { Selection } from './group.ts';
import { makeWorklist } from './tree.ts';

/** The cheapest node of every class by tree cost if what is selected already costs nothing. */
export function greedyFrom(
  graph: FlatGraph,
  costs: Float64Array,
  { choice: current, selected }: Pick<Selection, 'choice' | 'selected'>,
): Choice {
  const { classCount, nodeClass, firstChild, child } = graph;
  const choice = new Int32Array(classCount).fill(-1);
  const total = new Float64Array(classCount).fill(Number.POSITIVE_INFINITY);
  const pending = makeWorklist(graph);
  for (let c = 0; c < classCount; c++) {
    if (selected[c] === 0) continue;
    total[c] = 0;
    choice[c] = current[c] as number;
    pending.offerUsers(c);
  }
  for (let n = pending.next(); n >= 0; n = pending.next()) {
    const own = nodeClass[n] as number;
    if (selected[own] === 1) continue;
    let sum = costs[n] as number;
    const end = firstChild[n + 1] as number;
    for (let k = firstChild[n] as number; k < end; k++) sum += total[child[k] as number] as number;
    if (!(sum < (total[own] as number))) continue;
    total[own] = sum;
    choice[own] = n;
    pending.offerUsers(own);
  }
  return choice;
}
