/** The walk of improvements from nodes to their users. */
import type { FlatGraph, FlatNode } from './flat.ts';

/**
 * Offers the nodes of the classes in `order` to `improve`, and the nodes above a class again after
 * `improve` accepted a node for it, until no node helps.
 */
export function climb(
  { classes, users }: FlatGraph,
  order: Iterable<number>,
  improve: (node: FlatNode) => boolean,
): void {
  const waiting = new Set([...order].flatMap((c) => classes[c] as FlatNode[]));
  // What is added on the way comes last.
  for (const node of waiting) {
    waiting.delete(node);
    if (improve(node)) for (const user of users[node.home] as FlatNode[]) waiting.add(user);
  }
}
