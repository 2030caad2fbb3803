/** Several analyses as one. */
import { remember } from '@baton/base';
import type { Analysis, EGraph } from './egraph.ts';

/** The analyses of a record of data. */
export type AnalysesOf<R> = { readonly [K in keyof R]: Analysis<R[K]> };

/**
 * Several analyses at once: the data of a class is a record with the data of each.
 *
 * Each is written against an e-graph of its own data (`egraph.data(id)` is its own part).
 */
export function composeAnalyses<R extends object>(analyses: AnalysesOf<R>): Analysis<R> {
  const names = Object.keys(analyses) as (keyof R)[];
  const record = <V>(get: (name: keyof R) => V): Record<keyof R, V> =>
    Object.fromEntries(names.map((name) => [name, get(name)])) as Record<keyof R, V>;
  const build = record as (get: <K extends keyof R>(name: K) => R[K]) => R;
  const views = new WeakMap<EGraph<R>, unknown>();
  /** The same e-graph, whose `data` is the part of one analysis. */
  const view = <K extends keyof R>(egraph: EGraph<R>, name: K): EGraph<R[K]> => {
    const parts = remember(views, egraph, () =>
      record((part) =>
        egraph.withData<unknown>(
          (data) => data[part],
          (data, value) => ({ ...data, [part]: value }),
        ),
      ),
    );
    return (parts as { readonly [P in keyof R]: EGraph<R[P]> })[name];
  };
  const same = (a: R, b: R): boolean =>
    names.every((name) => (analyses[name].equal ?? Object.is)(a[name], b[name]));
  return {
    name: names.join('+'),
    make: (egraph, n) => build((name) => analyses[name].make(view(egraph, name), n)),
    remake: (egraph, n) =>
      build((name) => (analyses[name].remake ?? analyses[name].make)(view(egraph, name), n)),
    merge: (a, b) => {
      const joined = build((name) => analyses[name].merge(a[name], b[name]));
      return same(joined, a) ? a : same(joined, b) ? b : joined;
    },
    equal: same,
    modify: (egraph, id) => {
      record((name) => analyses[name].modify?.(view(egraph, name), id));
    },
  };
}
