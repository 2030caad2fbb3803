/** Well-formedness: language.md §11. */
import { type Diagnostic, diagnostic } from '@baton/base';
import {
  commonScope,
  encloses,
  innerScope,
  rootScope,
  type Scope,
} from '../analysis/scope-tree.ts';
import { childAt, patternVars, postOrderExprs } from '../expr/children.ts';
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
  /** Variables that have a use outside what is known to be their binder's scope. */
  const doubtful = new Map<Expr, Scope>();
  const declare = (v: Var, scope: Scope, node: Expr): void => {
    if (bound.has(v)) problems.push(boundTwice(v, node));
    bound.add(v);
    scopeOfBinder.set(v, scope);
  };
  const use = (child: Expr, scope: Scope): void => {
    switch (child._tag) {
      case 'Constant':
      case 'Op':
      case 'Constructor':
      case 'GlobalVar':
        return;
      case 'Var': {
        const binder = scopeOfBinder.get(child);
        if (binder === undefined || !encloses(binder, scope)) meet(doubtful, child, scope);
        return;
      }
      default:
        meet(scopes, child, scope);
    }
  };
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const home = scopes.get(node);
    if (node._tag === 'TempExpr') problems.push(temporaryNode(node));
    // What has no children is in no scope of interest, unless it is the whole.
    if (home === undefined) continue;
    let inner = home;
    if (node._tag === 'Let') {
      inner = innerScope(home);
      declare(node.variable, inner, node);
    } else if (node._tag === 'Function' && node.params.length > 0) {
      inner = innerScope(home);
      for (const v of node.params) declare(v, inner, node);
    } else if (node._tag === 'Match') {
      use(node.data, home);
      for (const { pattern, body } of node.clauses) {
        const clauseScope = innerScope(home);
        for (const v of patternVars(pattern)) declare(v, clauseScope, node);
        use(body, clauseScope);
      }
      continue;
    }
    for (let at = 0, child = childAt(node, at); child !== undefined; child = childAt(node, ++at)) {
      use(child, inner === home || isInside(node, child) ? inner : home);
    }
  }
  if (doubtful.size === 0) return;
  for (const node of order) {
    const used = doubtful.get(node);
    if (node._tag !== 'Var' || used === undefined) continue;
    const binder = scopeOfBinder.get(node);
    if (binder === undefined ? bound.has(node) : !encloses(binder, used)) {
      problems.push(escapes(node));
    }
  }
}

/** Notes that a node is used in a scope. */
function meet(scopes: Map<Expr, Scope>, node: Expr, scope: Scope): void {
  const known = scopes.get(node);
  if (known === scope) return;
  scopes.set(node, known === undefined ? scope : (commonScope(known, scope) ?? scope));
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
