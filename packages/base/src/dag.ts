/** Stack-safe walks over DAGs, with one visit per shared node. */

/** The direct children of a node, in evaluation order. */
export type Children<N> = (node: N) => ReadonlyArray<N>;

/**
 * Every node below and including the roots, children before parents, each once, in the order in
 * which a left-to-right depth-first walk completes them. `skip` prunes a node and the nodes reached
 * only through it.
 *
 * **Complexity** linear in nodes and edges.
 */
export function postOrder<N extends object>(
  children: Children<N>,
  roots: ReadonlyArray<N>,
  skip?: (node: N) => boolean,
): ReadonlyArray<N> {
  const order: N[] = [];
  const seen = new Set<N>();
  const nodes: N[] = [];
  const pending: ReadonlyArray<N>[] = [];
  const position: number[] = [];
  const enter = (node: N): void => {
    if (seen.has(node) || skip?.(node)) return;
    seen.add(node);
    nodes.push(node);
    pending.push(children(node));
    position.push(0);
  };
  for (const root of roots) {
    enter(root);
    while (nodes.length > 0) {
      const top = nodes.length - 1;
      const at = position[top] as number;
      const siblings = pending[top] as ReadonlyArray<N>;
      if (at < siblings.length) {
        position[top] = at + 1;
        enter(siblings[at] as N);
      } else {
        order.push(nodes.pop() as N);
        pending.pop();
        position.pop();
      }
    }
  }
  return order;
}

/** The value of `root` under `algebra`, which sees each node once; `get` has the children's. */
export function foldDag<N extends object, A>(
  children: Children<N>,
  algebra: (node: N, get: (child: N) => A) => A,
): (root: N) => A {
  return (root) => memoFold(children, algebra)(root);
}

/** Like {@link foldDag}, but the values are kept between calls for as long as the nodes live. */
export function memoFold<N extends object, A>(
  children: Children<N>,
  algebra: (node: N, get: (child: N) => A) => A,
): (root: N) => A {
  const values = new WeakMap<N, A>();
  const get = (node: N): A => values.get(node) as A;
  return (root) => {
    for (const node of postOrder(children, [root], (n) => values.has(n))) {
      values.set(node, algebra(node, get));
    }
    return get(root);
  };
}

/**
 * Rebuilds a DAG from the leaves up. `rebuild` sees each node once, gets the new children by `get`,
 * and returns the node itself if nothing changed: sharing is kept, and a rewrite without effect
 * returns the same object.
 */
export function rebuildDag<N extends object>(
  children: Children<N>,
  rebuild: (node: N, get: (child: N) => N) => N,
): (root: N) => N {
  return foldDag<N, N>(children, rebuild);
}
