import type { Choice } from './choice.ts';
import type { FlatGraph } from './flat.ts';
import { makeWorklist } from './tree.ts';

/**
 * The node of every class whose whole sub-DAG is cheapest, shared nodes counted once: each class
 * keeps the set of nodes that its best choice needs, and a better set is offered to its parents.
 * `maxEntries` bounds the sum of the sizes of all sets; past it a class keeps what it has.
 *
 * What a set says of a class may be overtaken later, so the final choice may be cyclic or dearer
 * than thought: the caller walks it.
 *
 * **Source** the idea of `faster-greedy-dag` in the community's extraction gym.
 */
export function greedyDag(graph: FlatGraph, costs: Float64Array, maxEntries: number): Choice {
  const { classCount, nodeClass, firstChild, child } = graph;
  const choice = new Int32Array(classCount).fill(-1);
  const total = new Float64Array(classCount).fill(Number.POSITIVE_INFINITY);
  const sets: (Int32Array | undefined)[] = new Array<Int32Array | undefined>(classCount);
  const marks = new Int32Array(classCount);
  const buffer = new Int32Array(classCount);
  let mark = 0;
  let entries = 0;

  /** The nodes that `node` needs, itself last, into `buffer`; their number, or 0 for none cheaper. */
  const gather = (node: number, own: number): number => {
    mark += 1;
    let length = 0;
    let sum = costs[node] as number;
    const known = total[own] as number;
    // Sums in another order differ in the last bits: that is not cheaper.
    const bound = known === Number.POSITIVE_INFINITY ? known : known * (1 - 1e-12);
    const end = firstChild[node + 1] as number;
    for (let k = firstChild[node] as number; k < end; k++) {
      const needed = child[k] as number;
      const set = sets[needed];
      if (set === undefined || needed === own) return 0;
      if (marks[needed] === mark) continue;
      for (let i = 0; i < set.length; i++) {
        const member = set[i] as number;
        const memberClass = nodeClass[member] as number;
        if (marks[memberClass] === mark) continue;
        if (memberClass === own) return 0;
        marks[memberClass] = mark;
        sum += costs[member] as number;
        if (sum >= bound) return 0;
        buffer[length++] = member;
      }
    }
    if (sum >= bound) return 0;
    total[own] = sum;
    buffer[length++] = node;
    return length;
  };

  const pending = makeWorklist(graph);
  for (let n = pending.next(); n >= 0; n = pending.next()) {
    const own = nodeClass[n] as number;
    const length = gather(n, own);
    if (length === 0) continue;
    entries += length - (sets[own]?.length ?? 0);
    sets[own] = buffer.slice(0, length);
    choice[own] = n;
    if (entries > maxEntries) break;
    pending.offerUsers(own);
  }
  return choice;
}
