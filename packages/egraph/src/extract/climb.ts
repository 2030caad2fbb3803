/** The walk of improvements from nodes to their users. */
import type { FlatGraph, FlatNode } from './flat.ts';

/**
 * Offers every node to `improve`, and the nodes above a class again after `improve` accepted a node
 * for it, until no node helps.
 */
export function climb({ classes, users }: FlatGraph, improve: (node: FlatNode) => boolean): void {
  let waiting: ReadonlyArray<FlatNode> = classes.flat();
  for (const node of waiting) node.waits = true;
  while (waiting.length > 0) {
    const next: FlatNode[] = [];
    for (const node of waiting) {
      node.waits = false;
      if (!improve(node)) continue;
      for (const user of users[node.home] as FlatNode[]) {
        if (!user.waits) next.push(user);
        user.waits = true;
      }
    }
    waiting = next;
  }
}
