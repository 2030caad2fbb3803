/** The nodes of a match by their patterns. */
import { throwAt } from '@baton/base';
import type { Attrs, AttrValue, Expr } from '@baton/ir';
import { noMatchedNode } from '../diagnostics.ts';
import { type PatternInput, patternOf } from './build.ts';
import { type Found, keyOf } from './found.ts';

/** The nodes that the patterns of a match stand for. A hole is known by its name, without `?`. */
export interface NodeMap {
  /** All nodes of a pattern: a path has many, and an alternative that was not taken has none. */
  readonly all: (pattern: PatternInput | string) => ReadonlyArray<Expr>;
  /**
   * The first node of a pattern.
   *
   * **Errors** throws `PATTERN_NO_NODE` if it has none.
   */
  readonly one: (pattern: PatternInput | string) => Expr;
  /** The value of a hole for an attribute, for several, or for an operator. */
  readonly attr: (name: string) => AttrValue | Attrs | undefined;
}

/** The nodes of a search, each as `now` has it. */
export function nodeMapOf(
  { nodes, attrs }: Found,
  now: (node: Expr) => Expr = (node) => node,
): NodeMap {
  const all = (pattern: PatternInput | string): ReadonlyArray<Expr> => {
    const key = typeof pattern === 'string' ? pattern : keyOf(patternOf(pattern));
    return (nodes.get(key) ?? []).map(now);
  };
  const one = (pattern: PatternInput | string): Expr => {
    const [first] = all(pattern);
    return first ?? throwAt([noMatchedNode(pattern)], one);
  };
  return { all, one, attr: (name) => attrs.get(name) };
}
