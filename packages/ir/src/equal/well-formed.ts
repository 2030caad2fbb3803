/** Well-formedness: language.md §11. */
import { type Diagnostic, diagnostic } from '@baton/base';
import {
  commonScope,
  encloses,
  innerScope,
  rootScope,
  type Scope,
} from '../analysis/scope-tree.ts';
import { binders, children, patternVars, postOrderExprs } from '../expr/children.ts';
import type { Expr, Var } from '../expr/expr.ts';
import type { IRModule } from '../module/module.ts';

/**
 * What is ill-formed in an expression or a module: a variable bound twice or used outside the
 * scope of its binder, a node private to a pass.
 *
 * **Complexity** O(n log depth) in the nodes.
 */
export function wellFormed(of: Expr | IRModule): ReadonlyArray<Diagnostic> {
  const roots = of._tag === 'IRModule' ? [...of.functions.values()] : [of];
  const problems: Diagnostic[] = [];
  const bound = new Set<Var>();
  for (const root of roots) check(root, bound, problems);
  return problems;
}

function check(root: Expr, bound: Set<Var>, problems: Diagnostic[]): void {
  const order = postOrderExprs([root]);
  const scopes = new Map<Expr, Scope>([[root, rootScope()]]);
  const scopeOfBinder = new Map<Var, Scope>();
  const declare = (vars: ReadonlyArray<Var>, scope: Scope, node: Expr): void => {
    for (const v of vars) {
      if (bound.has(v)) problems.push(boundTwice(v, node));
      bound.add(v);
      scopeOfBinder.set(v, scope);
    }
  };
  const use = (child: Expr, scope: Scope): void => {
    const known = scopes.get(child);
    scopes.set(child, known === undefined ? scope : (commonScope(known, scope) ?? scope));
  };
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const home = scopes.get(node) as Scope;
    if (node._tag === 'TempExpr') problems.push(temporaryNode(node));
    if (node._tag === 'Match') {
      use(node.data, home);
      for (const { pattern, body } of node.clauses) {
        const inner = innerScope(home);
        declare(patternVars(pattern), inner, node);
        use(body, inner);
      }
      continue;
    }
    const binds = binders(node);
    const inner = binds.length === 0 ? home : innerScope(home);
    declare(binds, inner, node);
    for (const child of children(node)) use(child, isInside(node, child) ? inner : home);
  }
  for (const node of order) {
    if (node._tag !== 'Var') continue;
    const binder = scopeOfBinder.get(node);
    const used = scopes.get(node) as Scope;
    if (binder === undefined ? bound.has(node) : !encloses(binder, used)) {
      problems.push(escapes(node));
    }
  }
}

/** Whether the binders of `node` are in scope in `child`; a let's value sees them if it is a function. */
const isInside = (node: Expr, child: Expr): boolean =>
  node._tag === 'Let'
    ? (child === node.body && child !== node.value) || child._tag === 'Function'
    : true;

const boundTwice = (v: Var, at: Expr): Diagnostic =>
  diagnostic('IR_BOUND_TWICE', `variable %${v.nameHint} is bound more than once`, {
    span: v.span ?? at.span,
  });

const escapes = (v: Var): Diagnostic =>
  diagnostic('IR_ESCAPES', `variable %${v.nameHint} is used outside the scope of its binder`, {
    span: v.span,
  });

const temporaryNode = (at: Expr): Diagnostic =>
  diagnostic('IR_TEMPORARY', 'a node private to a pass is left in the program', {
    span: at.span,
    severity: 'bug',
  });
