/** The regions of a function: one for each scope, with what inner scopes take from it. */
import { invariant, remember } from '@baton/base';
import {
  childAt,
  children,
  type Expr,
  type Func,
  type IRModule,
  type NodeScopes,
  nodeScopes,
  type Scope,
} from '@baton/ir';
import { visibleIn } from '@baton/pass-manager';
import { makeLanguage } from './language.ts';
import { partsOf, Region } from './region.ts';

/** A region, and its place in the function. */
export interface Placed {
  readonly region: Region;
  /** The expression whose value the region computes. */
  readonly result: Expr;
  /** The expressions of the function in it, each after what it uses; they are made of others. */
  readonly nodes: ReadonlyArray<Expr>;
}

/** The regions of a function. */
export interface Regions {
  readonly root: Placed;
  readonly all: ReadonlyArray<Placed>;
  /** The region of child `index` of a node, if the child opens one. */
  readonly openedBy: (node: Expr) => ReadonlyArray<Placed>;
}

/** The most pairs of an expression and a scope that takes it from outside. */
const MAX_CAPTURED = 1_000_000;

/**
 * The regions of a function; `undefined` if inner scopes take too much from outer ones.
 *
 * **Complexity** linear in the nodes, and in the scopes between an expression and its uses.
 */
export function regionsOf(f: Func, m: IRModule): Regions | undefined {
  const { order } = visibleIn(f.body, m);
  const scopes = nodeScopes(f.body);
  const captured = capturedBy(order, scopes);
  if (captured === undefined) return undefined;
  const placed = new Map<Scope, { region: Region; result: Expr; nodes: Expr[] }>();
  const opened = new Map<Expr, Placed[]>();
  const language = makeLanguage();
  const at = (scope: Scope) =>
    remember(placed, scope, () => {
      const place = scopes.placeOf(scope);
      const result = place === undefined ? f.body : (childAt(place.node, place.index) as Expr);
      const made = { region: new Region(m, language), result, nodes: [] };
      if (place !== undefined) remember(opened, place.node, () => [] as Placed[]).push(made);
      return made;
    });
  const needsOf = (node: Expr, scope: Scope): ReadonlyArray<Expr> => [
    ...new Set([
      ...children(node).filter((child) => scopes.scopeOf(child) === scope),
      ...(captured.get(node) ?? []),
    ]),
  ];
  for (const node of order) {
    if (node._tag === 'Op') continue;
    const scope = scopes.scopeOf(node);
    invariant(scope !== undefined, 'every node has a scope');
    const { region, nodes } = at(scope);
    if (region.has(node)) continue;
    if (region.isOpen(node)) {
      for (const part of partsOf(node)) region.addOuter(part);
      region.addOpen(node);
    } else {
      const needs = needsOf(node, scope);
      for (const need of needs) region.addOuter(need);
      region.addOpaque(node, needs);
    }
    nodes.push(node);
  }
  const root = at(scopes.root);
  return { root, all: [...placed.values()], openedBy: (node) => opened.get(node) ?? [] };
}

/** For each node that opens scopes, the expressions that they take from around it. */
function capturedBy(
  order: ReadonlyArray<Expr>,
  { scopeOf, placeOf }: NodeScopes,
): ReadonlyMap<Expr, ReadonlySet<Expr>> | undefined {
  const captured = new Map<Expr, Set<Expr>>();
  let count = 0;
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    for (const child of children(node)) {
      if (child._tag === 'Var' || child._tag === 'Constant' || child._tag === 'Op') continue;
      const home = scopeOf(child);
      let scope = scopeOf(node);
      while (home !== undefined && scope !== undefined && scope.depth > home.depth) {
        const opener = placeOf(scope)?.node;
        if (opener === undefined) break;
        const known = remember(captured, opener, () => new Set<Expr>());
        if (known.has(child)) break;
        known.add(child);
        if (++count > MAX_CAPTURED) return undefined;
        scope = scopeOf(opener);
      }
    }
  }
  return captured;
}
