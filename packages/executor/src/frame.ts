/** Activations of functions, and which activation computes which node. */
import { binders, children, type Expr, type Func, postOrderExprs, type Var } from '@baton/ir';
import type { Frame, Scopes } from './value.ts';

/** A new activation. */
export const frame = (
  func: Func | undefined,
  scopes: Scopes,
  parent: Frame | undefined,
): Frame => ({
  func,
  scopes,
  parent,
  values: new Map(),
});

/** The activation among `inner` and those around it in which `node` lives. */
export function owningFrame(node: Expr, inner: Frame): Frame {
  const owner = inner.scopes.ownerOf(node);
  let at = inner;
  while (at.func !== owner && at.parent !== undefined) at = at.parent;
  return at;
}

/**
 * The scopes of a global function, by a walk from the root that sees all users of a node before
 * the node.
 *
 * **Complexity** linear in the nodes times the depth of nested function literals.
 */
export function scopesOf(root: Func): Scopes {
  const owner = new Map<Expr, Func>();
  const depth = new Map<Func, number>([[root, 0]]);
  const around = (f: Func): Func => owner.get(f) ?? root;
  const common = (a: Func, b: Func): Func => {
    let left = a;
    let right = b;
    while (left !== right) {
      if ((depth.get(left) ?? 0) >= (depth.get(right) ?? 0)) left = around(left);
      else right = around(right);
    }
    return left;
  };
  const order = postOrderExprs([root.body]);
  const use = (node: Expr, scope: Func): void => {
    const known = owner.get(node);
    owner.set(node, known === undefined ? scope : common(known, scope));
  };
  use(root.body, root);
  for (const param of root.params) owner.set(param, root);
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i];
    if (node === undefined) continue;
    const home = owner.get(node) ?? root;
    const inside = node._tag === 'Function' ? node : home;
    if (node._tag === 'Function') depth.set(node, (depth.get(home) ?? 0) + 1);
    const bound: ReadonlyArray<Var> = binders(node);
    for (const v of bound) owner.set(v, inside);
    for (const child of children(node)) {
      if (child._tag !== 'Var') use(child, inside);
    }
  }
  return { ownerOf: (node) => owner.get(node) };
}
