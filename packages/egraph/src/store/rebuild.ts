/** The rebuild, which restores congruence. */
import { hash3, hashN } from './hash.ts';
import { insert, probe, remove, writeSlot } from './hashcons.ts';
import { cellNode, DEAD, LIVE, nextCell, PRUNED } from './nodes.ts';
import type { Store } from './store.ts';

/** Whether congruence may be broken until the next rebuild. */
export const isDirty = ({ pending, pendingAnalysis, unmodified }: Store): boolean =>
  pending.length + pendingAnalysis.length + unmodified.length > 0;

/** Restores congruence for at most about `budget` parents; true when nothing is left. */
export function rebuildStep(store: Store, budget: number): boolean {
  const { pending, pendingAnalysis } = store;
  let left = budget;
  while (left > 0) {
    if (pending.length > 0) left = workOff(store, pending, left, repair);
    else if (pendingAnalysis.length > 0) left = workOff(store, pendingAnalysis, left, refresh);
    else return true;
  }
  return false;
}

/** Visits the nodes of a range within the budget, and returns the rest of the budget. */
function workOff(
  store: Store,
  ranges: number[],
  budget: number,
  visit: (store: Store, n: number) => void,
): number {
  const last = ranges.pop() as number;
  let cell = ranges.pop() as number;
  for (let left = budget - 1; ; left--) {
    const n = cellNode(store, cell);
    if (store.status[n] !== DEAD) visit(store, n);
    if (cell === last) return left;
    cell = nextCell(store, cell);
    if (left <= 0) {
      ranges.push(cell, last);
      return 0;
    }
  }
}

/** Brings the data of the class of node `n` up to date with the data of its children. */
function refresh(store: Store, n: number): void {
  store.stamp[n] = store.epoch;
  if (!store.hooks?.remade(n)) return;
  const c = store.find(n);
  store.touchParents(c);
  store.modify(c);
}

/** Brings the children of node `n` up to date and its key back into the hashcons. */
function repair(store: Store, n: number): void {
  const { nodes, uf } = store;
  const r = n << 2;
  const op = nodes[r] as number;
  const count = store.arity[op] as number;
  if (count > 3) {
    repairMany(store, n, op, count);
    return;
  }
  const a = nodes[r + 1] as number;
  const b = nodes[r + 2] as number;
  const c = nodes[r + 3] as number;
  const a2 = uf[a] === a ? a : store.find(a);
  const b2 = count < 2 || uf[b] === b ? b : store.find(b);
  const c2 = count < 3 || uf[c] === c ? c : store.find(c);
  if (a2 === a && b2 === b && c2 === c) return;
  remove(store, hash3(op, a, b, c), n);
  nodes[r + 1] = a2;
  nodes[r + 2] = b2;
  nodes[r + 3] = c2;
  reinsert(store, n, hash3(op, a2, b2, c2));
}

function repairMany(store: Store, n: number, op: number, count: number): void {
  const { nodes, pool, uf } = store;
  const at = nodes[(n << 2) + 1] as number;
  const isStale = (child: number): boolean => uf[child] !== child;
  if (!pool.subarray(at, at + count).some(isStale)) return;
  remove(store, hashN(op, pool, at, count), n);
  for (let i = at; i < at + count; i++) pool[i] = store.find(pool[i] as number);
  reinsert(store, n, hashN(op, pool, at, count));
}

/** Inserts node `n` with its new record, of this hash; another node may already have the same. */
function reinsert(store: Store, n: number, hash: number): void {
  const { nodes, status } = store;
  const r = n << 2;
  store.stamp[n] = store.epoch;
  store.changes++;
  const found = probe(
    store,
    hash,
    nodes[r] as number,
    nodes[r + 1] as number,
    nodes[r + 2] as number,
    nodes[r + 3] as number,
  );
  if (found < 0) {
    insert(store, hash, n);
    return;
  }
  let loser = n;
  if (status[n] === LIVE && status[found] === PRUNED) {
    writeSlot(store, store.slot, hash, n + 1);
    loser = found;
  }
  if (status[loser] === LIVE) store.liveNodes--;
  status[loser] = DEAD;
  store.union(found, n);
}
