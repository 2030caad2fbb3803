import type { Analysis, EGraph } from './egraph.ts';

/** The analyses of a record of data. */
export type AnalysesOf<R> = { readonly [K in keyof R]: Analysis<R[K]> };

/** The views of an e-graph, one for each analysis. */
type Views<R> = { readonly [K in keyof R]: EGraph<R[K]> };

/**
 * Several analyses at once: the data of a class is a record with the data of each.
 *
 * Each is written against an e-graph of its own data (`egraph.data(id)` is its own part).
 */
export function composeAnalyses<R extends object>(analyses: AnalysesOf<R>): Analysis<R> {
  const names = Object.keys(analyses) as (keyof R)[];
  const record = (get: (name: keyof R) => unknown): object =>
    Object.fromEntries(names.map((name) => [name, get(name)]));
  const build = record as (get: <K extends keyof R>(name: K) => R[K]) => R;
  const known = new WeakMap<EGraph<R>, Views<R>>();
  /** The same e-graph, whose `data` is the part of one analysis. */
  const view = <K extends keyof R>(egraph: EGraph<R>, name: K): EGraph<R[K]> => {
    const views =
      known.get(egraph) ??
      (record(<P extends keyof R>(name: P) =>
        egraph.withData<R[P]>(
          (data) => data[name],
          (data, part) => ({ ...data, [name]: part }),
        ),
      ) as Views<R>);
    known.set(egraph, views);
    return views[name];
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
