import type { Choice } from './choice.ts';
import type { FlatGraph } from './flat.ts';
import type { Selection } from './group.ts';
import { makeQueue } from './tree.ts';

/** The cheapest node of every class by tree cost if what is selected already costs nothing. */
export function greedyFrom(
  graph: FlatGraph,
  costs: Float64Array,
  { choice: current, selected }: Pick<Selection, 'choice' | 'selected'>,
): Choice {
  const { classCount, nodeCount, nodeClass, firstChild, child, firstParent, parent } = graph;
  const choice = new Int32Array(classCount).fill(-1);
  const total = new Float64Array(classCount).fill(Number.POSITIVE_INFINITY);
  const pending = makeQueue(nodeCount);
  const offerParents = (eclass: number): void => {
    const end = firstParent[eclass + 1] as number;
    for (let k = firstParent[eclass] as number; k < end; k++) pending.push(parent[k] as number);
  };
  for (let n = 0; n < nodeCount; n++) if (firstChild[n] === firstChild[n + 1]) pending.push(n);
  for (let c = 0; c < classCount; c++) {
    if (selected[c] === 0) continue;
    total[c] = 0;
    choice[c] = current[c] as number;
    offerParents(c);
  }
  for (let n = pending.pop(); n >= 0; n = pending.pop()) {
    const own = nodeClass[n] as number;
    if (selected[own] === 1) continue;
    let sum = costs[n] as number;
    const end = firstChild[n + 1] as number;
    for (let k = firstChild[n] as number; k < end; k++) sum += total[child[k] as number] as number;
    if (!(sum < (total[own] as number))) continue;
    total[own] = sum;
    choice[own] = n;
    offerParents(own);
  }
  return choice;
}
