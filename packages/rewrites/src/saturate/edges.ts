/** Which nodes are above which in an e-graph: what a left side needs to match, cheap to ask. */
import { remember } from '@baton/base';
import type { ClassId, EGraph } from '@baton/egraph';
import type { OpTable } from '@baton/ir';
import { commutes, type NumberPattern, operatorHole, type Pattern, partsOf } from '@baton/ops';
import type { Tensor } from '@baton/tensor';
import { isFilledWith } from '../match/number.ts';
import { constantOf } from '../rule/matched-value.ts';
import { FIELD, TUPLE } from './language.ts';
import type { ClassFacts } from './region.ts';

/** The edges from the nodes of an e-graph to their children, by names and places. */
export interface Edges {
  /** Whether there is a node with a name. */
  readonly hasName: (name: string) => boolean;
  /** Whether some node with the name `parent` has a node with the name `child` at a place. */
  readonly has: (parent: string, at: number, child: string) => boolean;
  /** Whether some node with the name `parent` has a constant filled with a number at a place. */
  readonly hasNumber: (parent: string, at: number, number: NumberPattern) => boolean;
}

/**
 * The edges of an e-graph as it is now.
 *
 * **Complexity** linear in the nodes and their children.
 */
export function edgesOf(graph: EGraph<ClassFacts>): Edges {
  const names = new Map<ClassId, Set<string>>();
  const below = new Map<string, Set<ClassId>[]>();
  for (const id of graph.classes()) {
    const own = new Set<string>();
    for (const node of graph.nodes(id)) {
      const { name } = graph.operatorOf(node);
      own.add(name);
      const places = remember(below, name, () => []);
      for (const [at, child] of graph.childrenOf(node).entries()) {
        places[at] ??= new Set();
        places[at].add(child);
      }
    }
    names.set(id, own);
  }
  const at = <A>(make: (ids: ReadonlySet<ClassId>) => ReadonlySet<A>) => {
    const known = new Map<string, ReadonlySet<A>>();
    return (parent: string, place: number): ReadonlySet<A> =>
      remember(known, `${place} ${parent}`, () => make(below.get(parent)?.[place] ?? new Set()));
  };
  const namesAt = at((ids) => new Set([...ids].flatMap((id) => [...(names.get(id) ?? [])])));
  const constantsAt = at(
    (ids) => new Set<Tensor>([...ids].flatMap((id) => constantOf(graph.data(id).term) ?? [])),
  );
  return {
    hasName: (name) => below.has(name),
    has: (parent, place, child) => namesAt(parent, place).has(child),
    hasNumber: (parent, place, number) => {
      for (const data of constantsAt(parent, place)) if (isFilledWith(data, number)) return true;
      return false;
    },
  };
}

/** The orders in which a left side is meant: as it is written, or in any of commutative operators. */
export type Orders = 'written' | 'any';

/**
 * Whether an e-graph has each edge of a left side, so that a match is possible: not whether the edges
 * meet in one match.
 *
 * **Complexity** linear in the pattern.
 */
export function mayMatch(p: Pattern, edges: Edges, ops: OpTable, orders: Orders): boolean {
  const name = nameOf(p);
  return (name === undefined || edges.hasName(name)) && mayHaveParts(p, edges, ops, orders);
}

function mayHaveParts(p: Pattern, edges: Edges, ops: OpTable, orders: Orders): boolean {
  const name = nameOf(p);
  const turns = orders === 'any' && p._tag === 'Call' && commutes(ops, p.op);
  return partsOf(p).every((part, at) => {
    const places = turns ? [0, 1] : [at];
    return (
      (name === undefined || places.some((place) => isBelow(part, name, place, edges))) &&
      mayHaveParts(part, edges, ops, orders)
    );
  });
}

/** Whether a node with the name `parent` may have a match of a pattern at a place. */
function isBelow(p: Pattern, parent: string, at: number, edges: Edges): boolean {
  if (p._tag === 'Number') return edges.hasNumber(parent, at, p);
  const name = nameOf(p);
  return name === undefined || edges.has(parent, at, name);
}

/** The name of the nodes that a pattern matches; `undefined` if they may have any. */
function nameOf(p: Pattern): string | undefined {
  if (p._tag === 'Call') return operatorHole(p) === undefined ? p.op : undefined;
  if (p._tag === 'Tuple') return TUPLE;
  return p._tag === 'Field' ? FIELD : undefined;
}
