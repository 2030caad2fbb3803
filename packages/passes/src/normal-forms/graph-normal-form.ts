/** ToGraphNormalForm: replaces bound variables by their values. passes.md §11. */
import {
  children,
  type Expr,
  type Func,
  type Let,
  letIn,
  mapFunctions,
  type OpTable,
  postOrderExprs,
  withChildren,
} from '@baton/ir';
import { isSkipped, type Pass, pass } from '@baton/pass-manager';
import { right } from 'fp-ts/lib/Either.js';
import { statefulness, totality } from '../effects.ts';
import { withBody } from '../forward-rewrite.ts';
import { isPrimitive } from '../primitive.ts';

/**
 * The function as a graph: each variable bound by a let is replaced by the value, which its uses
 * share.
 *
 * ```
 * let %y = add(%x, %x); let %z = add(%y, %y); add(%z, %z)
 * =>
 * %0 = add(%x, %x); %1 = add(%0, %0); add(%1, %1)
 * ```
 *
 * A recursive value becomes `let %f = ..; %f`. Lets stay whose value may fail and is used in a
 * function inside, where it would be computed more often, and those of polymorphic functions. A
 * function that binds stateful values stays as it is.
 *
 * **Complexity** linear in the function.
 */
export function replaceVariables(f: Func, ops: OpTable, isStateful: (expr: Expr) => boolean): Func {
  const order = postOrderExprs([f.body], isPrimitive);
  const lets = order.filter((node): node is Let => node._tag === 'Let');
  if (lets.length === 0 || lets.some((node) => isStateful(node.value))) return f;
  const isTotal = totality(ops);
  const owners = owningFunctions(f, order);
  const isUsedInside = ({ variable, body }: Let): boolean => {
    const owner = owners.get(variable);
    return owner === undefined || owner !== owners.get(body);
  };
  const stays = (node: Let): boolean =>
    (node.value._tag === 'Function' && node.value.typeParams.length > 0) ||
    (!isTotal(node.value) && isUsedInside(node));

  const results = new Map<Expr, Expr>();
  const resultOf = (node: Expr): Expr => results.get(node) ?? node;
  const replaced = new Set<Let>();
  const binders = new Map<Expr, Let[]>();
  for (const node of lets) {
    const known = binders.get(node.value);
    if (known === undefined) binders.set(node.value, [node]);
    else known.push(node);
    if (!stays(node)) replaced.add(node);
  }
  for (const node of order) {
    if (node._tag === 'Let' && replaced.has(node)) results.set(node, resultOf(node.body));
    // A variable that is met inside its own value is replaced after it, in the let's body only.
    else if (!results.has(node)) {
      results.set(node, withChildren(node, children(node).map(resultOf)));
    }
    for (const binder of binders.get(node) ?? []) {
      if (!replaced.has(binder)) continue;
      const { variable, span } = binder;
      const value = resultOf(node);
      const isRecursive = results.has(variable);
      results.set(variable, isRecursive ? letIn(variable, value, variable, span) : value);
    }
  }
  return withBody(f, resultOf(f.body));
}

/** Replaces bound variables by their values; see {@link replaceVariables}. */
export const toGraphNormalForm: Pass = pass({
  name: 'ToGraphNormalForm',
  doc: 'Replaces variables by the values that they are bound to.',
  level: 1,
  run: (m) => {
    // What a call of a global does is found once for the module, not once a function.
    const isStateful = statefulness(m);
    return right(
      mapFunctions(m, (f) =>
        isPrimitive(f) || isSkipped(f) ? f : replaceVariables(f, m.ops, isStateful),
      ),
    );
  },
});

/** The function in which all uses of a node stand; `undefined` if there are several. */
function owningFunctions(f: Func, order: ReadonlyArray<Expr>): ReadonlyMap<Expr, Func | undefined> {
  const owners = new Map<Expr, Func | undefined>([[f.body, f]]);
  // In this order users come before what they use.
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const owner = node._tag === 'Function' ? node : owners.get(node);
    for (const child of children(node)) {
      owners.set(child, owners.has(child) && owners.get(child) !== owner ? undefined : owner);
    }
  }
  return owners;
}
