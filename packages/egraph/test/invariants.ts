import type { ClassId, EGraph, NodeId } from '@baton/egraph';

/** The violated invariants of a rebuilt e-graph: none if congruence and the hashcons hold. */
export function checkInvariants<D>(egraph: EGraph<D>): ReadonlyArray<string> {
  const wrong: string[] = [];
  const byKey = new Map<string, ClassId>();
  const { store } = egraph;
  let nodes = 0;
  let classes = 0;
  egraph.forEachClass((id) => {
    classes++;
    egraph.forEachNode(id, (node) => {
      nodes++;
      if (egraph.classOf(node) !== id) wrong.push(`node ${node} is listed in class ${id}`);
      const { id: op, arity } = egraph.operatorOf(node);
      const children: number[] = [];
      for (let i = 0; i < arity; i++) {
        const child = store.child(node, i);
        if (store.find(child) !== child) wrong.push(`child ${i} of node ${node} is stale`);
        children.push(child);
      }
      const key = `${op} ${children.join(' ')}`;
      const other = byKey.get(key);
      if (other !== undefined) wrong.push(`node ${node} of ${id} is congruent to one of ${other}`);
      byKey.set(key, id);
      if (store.lookup(op, children) !== (node as number)) {
        wrong.push(`node ${node} is not found by its key`);
      }
    });
  });
  if (nodes !== egraph.nodeCount) wrong.push(`${nodes} nodes, ${egraph.nodeCount} counted`);
  if (classes !== egraph.classCount) wrong.push(`${classes} classes, ${egraph.classCount} counted`);
  if (egraph.dirty) wrong.push('work is left for a rebuild');
  return wrong;
}

/**
 * The whole state of an e-graph as one text. `withSlots` includes the layout of the hashcons, which
 * depends on the reserved size.
 */
export function stateOf<D>(egraph: EGraph<D>, withSlots = true): string {
  const { store } = egraph;
  const { size } = store;
  const rows: unknown[] = [size, egraph.nodeCount, egraph.classCount, egraph.operators];
  for (let n = 0; n < size; n++) {
    const id = n as NodeId;
    rows.push([
      store.find(n),
      store.next[n],
      store.status[n],
      store.parTail[n],
      store.parCount[n],
      ...store.nodes.slice(n * 4, n * 4 + 4),
      egraph.data(id as number as ClassId),
    ]);
  }
  if (withSlots) rows.push(Buffer.from(store.slots.buffer).toString('base64'));
  rows.push(Array.from(store.pool.slice(0, store.poolSize)));
  return JSON.stringify(rows);
}
