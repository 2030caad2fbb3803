import type { FlatGraph, FlatNode } from './flat.ts';

/**
 * Offers every node to `improve`, and those above a class again whenever it says that the class is
 * better off with a node, until no node helps.
 */
export function climb({ classes, users }: FlatGraph, improve: (node: FlatNode) => boolean): void {
  const waiting = classes.flat();
  for (const node of waiting) node.waits = true;
  for (const node of waiting) {
    node.waits = false;
    if (!improve(node)) continue;
    for (const user of users[node.home] as FlatNode[]) {
      if (!user.waits) waiting.push(user);
      user.waits = true;
    }
  }
}
