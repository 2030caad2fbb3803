/** Well-formedness: [language §11](https://batonjs.github.io/baton/spec/language#11). */
import { type Analysis, analysis, type Diagnostic, diagnostic } from '@baton/base';
import {
  commonScope,
  encloses,
  innerScope,
  rootScope,
  type Scope,
} from '../analysis/scope-tree.ts';
import { childAt, patternVars, sortOf } from '../expr/children.ts';
import type { Expr, Var } from '../expr/expr.ts';
import { partSpan } from '../expr/part-span.ts';
import { postOrderExprs } from '../expr/walks.ts';
import type { IRModule } from '../module/module.ts';

/**
 * The faults of an expression or a module: a variable bound twice or used outside the scope of its
 * binder, a node private to a pass.
 *
 * **Complexity** O(n log depth) in the nodes.
 */
export const wellFormed: Analysis<Expr | IRModule, ReadonlyArray<Diagnostic>> = analysis((of) => {
  const roots = of._tag === 'IRModule' ? [...of.functions.values()] : [of];
  if (isPlainlyScoped(roots)) return [];
  const problems: Diagnostic[] = [];
  const bound = new Set<Var>();
  for (const root of roots) check(root, bound, problems);
  return problems;
});

/** The binders of one node, while the walk is in its scope or afterwards. */
interface OpenScope {
  readonly outer: OpenScope | undefined;
  isOpen: boolean;
}

/**
 * Whether a walk along each path meets every variable in the scope of its one binder, and every
 * shared node again inside the scope of its first use: then nothing is ill-formed. Most programs
 * pass this quick test.
 *
 * **Complexity** linear in nodes and edges.
 */
function isPlainlyScoped(roots: ReadonlyArray<Expr>): boolean {
  const binders = new Map<Var, OpenScope>();
  const firstUse = new Map<Expr, OpenScope>();
  let scope: OpenScope = { outer: undefined, isOpen: true };
  const open = (): void => {
    scope = { outer: scope, isOpen: true };
  };
  const close = (): void => {
    scope.isOpen = false;
    scope = scope.outer ?? scope;
  };
  const bind = (v: Var): boolean => {
    if (binders.has(v)) return false;
    binders.set(v, scope);
    return true;
  };
  /** Opens the scope of child `index`, after closing the previous child's. */
  const enter = (node: Expr, index: number): boolean => {
    switch (node._tag) {
      case 'Let':
        // A function that a let binds may call itself.
        if (index !== (node.value._tag === 'Function' ? 0 : 1)) return true;
        open();
        return bind(node.variable);
      case 'Function':
        if (index === 0) open();
        return index > 0 || node.params.every(bind);
      case 'Match': {
        if (index > 1) close();
        const clause = node.clauses[index - 1];
        if (clause === undefined) return true;
        open();
        return patternVars(clause.pattern).every(bind);
      }
      default:
        return true;
    }
  };
  const nodes: Expr[] = [];
  const positions: number[] = [];
  for (const root of roots) {
    if (root._tag === 'TempExpr') return false;
    nodes.push(root);
    positions.push(0);
    for (let top = nodes.length - 1; top >= 0; top = nodes.length - 1) {
      const node = nodes[top] as Expr;
      const at = positions[top] as number;
      if (!enter(node, at)) return false;
      const child = childAt(node, at);
      if (child === undefined) {
        if (node._tag === 'Let' || node._tag === 'Function') close();
        nodes.pop();
        positions.pop();
        continue;
      }
      positions[top] = at + 1;
      if (child._tag === 'Var') {
        if (binders.get(child)?.isOpen !== true) return false;
        continue;
      }
      const sort = sortOf(child);
      if (sort === 'value') continue;
      if (sort === 'temporary') return false;
      const used = firstUse.get(child);
      if (used === undefined) {
        firstUse.set(child, scope);
        nodes.push(child);
        positions.push(0);
      } else if (!used.isOpen) return false;
    }
  }
  return true;
}

/** Part `index` of a node in a scope. */
interface Use {
  readonly scope: Scope;
  readonly at: Expr;
  readonly index: number;
}

function check(root: Expr, bound: Set<Var>, problems: Diagnostic[]): void {
  const order = postOrderExprs([root]);
  const scopes = new Map<Expr, Scope>([[root, rootScope()]]);
  const scopeOfBinder = new Map<Var, Scope>();
  /** Uses of variables outside the known scopes of their binders. */
  const doubtful = new Map<Expr, Use[]>();
  const declare = (v: Var, scope: Scope, node: Expr): void => {
    if (bound.has(v)) problems.push(boundTwice(v, node));
    bound.add(v);
    scopeOfBinder.set(v, scope);
  };
  const use = (child: Expr, scope: Scope, at: Expr, index: number): void => {
    if (child._tag !== 'Var') {
      if (sortOf(child) !== 'value') meet(scopes, child, scope);
      return;
    }
    const binder = scopeOfBinder.get(child);
    if (binder !== undefined && encloses(binder, scope)) return;
    const uses = doubtful.get(child);
    if (uses === undefined) doubtful.set(child, [{ scope, at, index }]);
    else uses.push({ scope, at, index });
  };
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const home = scopes.get(node);
    if (node._tag === 'TempExpr') problems.push(temporaryNode(node));
    // A node without children is in no scope of interest, unless it is the whole.
    if (home === undefined) continue;
    let inner = home;
    if (node._tag === 'Let') {
      inner = innerScope(home);
      declare(node.variable, inner, node);
    } else if (node._tag === 'Function' && node.params.length > 0) {
      inner = innerScope(home);
      for (const v of node.params) declare(v, inner, node);
    } else if (node._tag === 'Match') {
      use(node.data, home, node, 0);
      for (const [i, { pattern, body }] of node.clauses.entries()) {
        const clauseScope = innerScope(home);
        for (const v of patternVars(pattern)) declare(v, clauseScope, node);
        use(body, clauseScope, node, i + 1);
      }
      continue;
    }
    for (let at = 0, child = childAt(node, at); child !== undefined; child = childAt(node, ++at)) {
      use(child, inner === home || isInside(node, child) ? inner : home, node, at);
    }
  }
  if (doubtful.size === 0) return;
  for (const node of order) {
    if (node._tag !== 'Var') continue;
    const binder = scopeOfBinder.get(node);
    if (!bound.has(node)) continue;
    const stray = doubtful
      .get(node)
      ?.find(({ scope }) => binder === undefined || !encloses(binder, scope));
    if (stray !== undefined) problems.push(escapes(node, stray));
  }
}

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

const escapes = (v: Var, { at, index }: Use): Diagnostic =>
  diagnostic('IR_ESCAPES', `variable %${v.nameHint} is used outside the scope of its binder`, {
    span: partSpan(at, index) ?? v.span,
    related: v.span === undefined ? [] : [{ message: 'its binder', span: v.span }],
    hint: 'use it in the body of its binder alone, or make it a parameter',
  });

const temporaryNode = (at: Expr): Diagnostic =>
  diagnostic('IR_TEMPORARY', 'a node private to a pass is left in the program', {
    span: at.span,
    severity: 'bug',
  });
