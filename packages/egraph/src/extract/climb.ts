/** The walk of improvements from nodes to their users. */
import type { FlatGraph, FlatNode } from './flat.ts';

/**
 * Offers the nodes of the classes to `improve`, in the order given if any, and those of the classes above one again
 * after `improve` accepted a node for it, until no node helps. Every round keeps the order: where
 * children come first, it takes an improvement all the way up.
 */
export function climb(
  { classes, users }: FlatGraph,
  improve: (node: FlatNode) => boolean,
  order?: ReadonlyArray<number>,
): void {
  const isDone: boolean[] = [];
  for (let found = true; found; ) {
    found = false;
    for (const c of order ?? classes.keys()) {
      if (isDone[c]) continue;
      isDone[c] = true;
      for (const node of classes[c] as FlatNode[]) {
        if (!improve(node)) continue;
        found = true;
        for (const { home } of users[c] as FlatNode[]) isDone[home] = false;
      }
    }
  }
}
