/** The nodes that patterns have matched so far in a search. */
import type { Attrs, AttrValue, Expr } from '@baton/ir';
import type { GraphPattern } from './pattern.ts';

/** A pattern, or the name of a hole, which is one pattern at all its places. */
export type Key = GraphPattern | string;

/** The key of a pattern: a hole is known by its name. */
export const keyOf = (p: GraphPattern): Key => (p._tag === 'Hole' ? p.name : p);

/** The nodes of patterns, which a search adds and takes back. */
export interface Found {
  readonly nodes: Map<Key, Expr[]>;
  /** The keys in the order in which nodes were added. */
  readonly trail: Key[];
  /** The values of holes for attributes and operators. */
  attrs: ReadonlyMap<string, AttrValue | Attrs>;
}

/** A place to which a search can go back. */
export interface Mark {
  readonly length: number;
  readonly attrs: Found['attrs'];
}

export const nothingFound = (): Found => ({ nodes: new Map(), trail: [], attrs: new Map() });

/** Adds a node for a pattern. */
export function add({ nodes, trail }: Found, key: Key, node: Expr): void {
  const known = nodes.get(key);
  if (known === undefined) nodes.set(key, [node]);
  else known.push(node);
  trail.push(key);
}

export const markOf = ({ trail, attrs }: Found): Mark => ({ length: trail.length, attrs });

/** Takes back what was added after the mark. */
export function undo(found: Found, { length, attrs }: Mark): void {
  const { nodes, trail } = found;
  found.attrs = attrs;
  while (trail.length > length) {
    const key = trail.pop() as Key;
    const list = nodes.get(key);
    list?.pop();
    if (list?.length === 0) nodes.delete(key);
  }
}

/** Adds all that another search has found. */
export function addAll(found: Found, { nodes }: Found): void {
  for (const [key, list] of nodes) for (const node of list) add(found, key, node);
}
