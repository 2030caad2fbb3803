import type { EGraph } from './egraph.ts';
import type { ClassId, NodeId } from './ids.ts';

/**
 * Data kept for every class: a value of a lattice, computed from the class's nodes.
 *
 * `merge` is the join. It returns its first argument itself if the second adds nothing to it, and
 * its second argument itself if the first adds nothing: that is how the e-graph learns which side
 * changed. Where equal values may be different objects, `equal` says so.
 */
export interface Analysis<D> {
  readonly name: string;
  /** The data of one node, from its operator and the data of its children. */
  readonly make: (egraph: EGraph<D>, node: NodeId) => D;
  readonly merge: (a: D, b: D) => D;
  readonly equal?: (a: D, b: D) => boolean;
  /** As `make`, when the data of a child has changed; `make` itself by default. */
  readonly remake?: (egraph: EGraph<D>, node: NodeId) => D;
  /** May add nodes, unite or prune, now that the data of `id` may be new. Must be idempotent. */
  readonly modify?: (egraph: EGraph<D>, id: ClassId) => void;
}

/** No analysis. */
export type NoData = undefined;

/** The analyses of a record of data. */
export type AnalysesOf<R> = { readonly [K in keyof R]: Analysis<R[K]> };

/**
 * Several analyses at once: the data of a class is a record with the data of each.
 *
 * Each is written against an e-graph of its own data (`egraph.data(id)` is its own part).
 */
export function composeAnalyses<R extends object>(analyses: AnalysesOf<R>): Analysis<R> {
  const names = Object.keys(analyses) as (keyof R)[];
  const build = (get: <K extends keyof R>(name: K) => R[K]): R =>
    Object.fromEntries(names.map((name) => [name, get(name)])) as R;
  const views = new WeakMap<EGraph<R>, Map<keyof R, unknown>>();
  /** The same e-graph, whose `data` is the part of one analysis. */
  const view = <K extends keyof R>(egraph: EGraph<R>, name: K): EGraph<R[K]> => {
    const known = views.get(egraph) ?? new Map<keyof R, unknown>();
    views.set(egraph, known);
    const found = known.get(name);
    if (found !== undefined) return found as EGraph<R[K]>;
    const made = egraph.withData<R[K]>(
      (data) => data[name],
      (data, part) => ({ ...data, [name]: part }),
    );
    known.set(name, made);
    return made;
  };
  const equal = <K extends keyof R>(name: K, a: R[K], b: R[K]): boolean =>
    analyses[name].equal?.(a, b) ?? Object.is(a, b);
  const same = (a: R, b: R): boolean => names.every((name) => equal(name, a[name], b[name]));
  return {
    name: names.join('+'),
    make: (egraph, n) => build((name) => analyses[name].make(view(egraph, name), n)),
    remake: (egraph, n) =>
      build((name) => {
        const { remake, make } = analyses[name];
        return (remake ?? make)(view(egraph, name), n);
      }),
    merge: (a, b) => {
      const joined = build((name) => analyses[name].merge(a[name], b[name]));
      return same(joined, a) ? a : same(joined, b) ? b : joined;
    },
    equal: same,
    modify: (egraph, id) => {
      for (const name of names) analyses[name].modify?.(view(egraph, name), id);
    },
  };
}
