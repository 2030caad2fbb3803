/** The data of an analysis, kept up to date. */
import type { Diagnostic } from '@baton/base';
import { analysisDiverges } from './diagnostics.ts';
import type { ClassId, NodeId } from './ids.ts';
import type { Store, StoreHooks } from './store/store.ts';

/** A class whose data changes this often in one rebuild belongs to an analysis that diverges. */
const MAX_DATA_CHANGES = 10_000;

export interface ClassData {
  data: unknown[];
  /** The number of changes to each class's data in this rebuild. */
  readonly changes: Map<number, number>;
  failure: Diagnostic | undefined;
}

/** The functions of an analysis over e-graphs of a type. */
interface Functions<G> {
  readonly name: string;
  readonly make: (egraph: G, node: NodeId) => unknown;
  readonly merge: (a: unknown, b: unknown) => unknown;
  readonly equal?: (a: unknown, b: unknown) => boolean;
  readonly remake?: (egraph: G, node: NodeId) => unknown;
  readonly modify?: (egraph: G, id: ClassId) => void;
}

/** Hooks that keep the data of an analysis up to date while the store changes. */
export function dataHooks<G>(
  egraph: G,
  { name, make, remake = make, merge, modify, equal = Object.is }: Functions<G>,
  store: Store,
  facts: ClassData,
): StoreHooks {
  /** Joins data into the data of a class; whether it changed. */
  const join = (c: number, more: unknown): boolean => {
    const old = facts.data[c];
    const joined = old === more ? old : merge(old, more);
    if (joined === old || equal(joined, old)) return false;
    facts.data[c] = joined;
    return true;
  };

  /** Counts the changes of a class in this rebuild; false when there are too many. */
  const converges = (c: number): boolean => {
    const count = (facts.changes.get(c) ?? 0) + 1;
    facts.changes.set(c, count);
    if (count <= MAX_DATA_CHANGES) return true;
    facts.failure = analysisDiverges(name, MAX_DATA_CHANGES);
    return false;
  };

  return {
    made: (n) => {
      const own = make(egraph, n as NodeId);
      const c = store.find(n);
      facts.data[n] = c === n ? own : undefined;
      if (join(c, own)) store.touchParents(c);
      if (modify) store.modify(c);
    },
    merged: (root, loser) => {
      const other = facts.data[loser];
      const isNew = join(root, other);
      return (isNew ? 1 : 0) | (equal(facts.data[root], other) ? 0 : 2);
    },
    remade: (n) => {
      const c = store.find(n);
      return join(c, remake(egraph, n as NodeId)) && converges(c);
    },
    modify: (c) => modify?.(egraph, c as ClassId),
  };
}
