/**
 * ToGraphNormalForm: replaces bound variables by their values.
 * [passes §11](https://batonjs.github.io/baton/spec/passes#11).
 */

import { aBoolean, remember } from '@baton/base';
import {
  children,
  commonScope,
  type Expr,
  type Func,
  foldExpr,
  type IRModule,
  innerScope,
  isContextual,
  isStateful,
  isTotal,
  type Let,
  letIn,
  mapChildren,
  rootScope,
  type Scope,
  type Var,
} from '@baton/ir';
import {
  type MustKeep,
  type Pass,
  refined,
  rewriteFunc,
  rewritingPass,
  sequential,
  type Visible,
  visibleIn,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { bindEffects, effectsIn } from './effects.ts';
import { recursiveLets } from './recursion.ts';
import { isAtom } from './walk.ts';

export interface GraphNormalFormOptions {
  /**
   * Keeps the lets of values with effects, in their order, and those of recursive functions, so that
   * functions with effects become graphs, too. Lets stay whose values would be computed more often:
   * no figure of the program grows.
   */
  readonly keepsEffects?: boolean;
}

const NAME = 'ToGraphNormalForm';
const DOC = 'Replaces variables by the values that they are bound to.';

/**
 * Makes each function a graph: each variable bound by a let is replaced by the value, which its uses
 * share.
 *
 * ```
 * let %y = add(%x, %x); let %z = add(%y, %y); add(%z, %z)
 * =>
 * %0 = add(%x, %x); %1 = add(%0, %0); add(%1, %1)
 * ```
 *
 * A recursive value becomes `let %f = ..; %f`. Lets stay whose value may fail, alone or with the
 * values of its variables, and is used in a function inside only, where it would be computed more
 * often. Lets of polymorphic functions stay, too, and
 * those whose variable a kernel takes from outside, and of values that do not say their own type.
 * A function that binds stateful values stays as it is, unless `keepsEffects` is set.
 *
 * **Complexity** O(log depth) a use.
 */
export const toGraphNormalForm: ConfigurablePass<GraphNormalFormOptions> = configurable(
  { keepsEffects: aBoolean },
  ({ keepsEffects = false }) => {
    const graph = replacingLets(keepsEffects);
    return keepsEffects ? sequential([bindEffects, graph], { name: NAME, doc: DOC }) : graph;
  },
);

function replacingLets(keepsEffects: boolean): Pass {
  return rewritingPass({
    name: NAME,
    doc: DOC,
    level: 1,
    counters: ['function'],
    run: (f, m, { count }) => {
      const graph = refined(f, m, count, (mustKeep) => replaced(f, m, keepsEffects, mustKeep));
      if (graph !== f) count('function');
      return graph;
    },
  });
}

function replaced(f: Func, m: IRModule, keepsEffects: boolean, mustKeep: MustKeep): Func {
  const visible = visibleIn(f.body, m);
  const { order, isKept } = visible;
  const lets = order.filter((node): node is Let => node._tag === 'Let');
  if (lets.length === 0) return f;
  if (!keepsEffects && lets.some((node) => isStateful(m, node.value))) return f;
  const kept = new Set(lets.filter((node) => mustKeep(node.variable, node.value)));
  const recursive = new Set([...recursiveLets(order)].filter((node) => !isKept(node.value)));
  if (keepsEffects) {
    const hasEffect = effectsIn(order, m);
    for (const node of lets) if (hasEffect(node.value) || recursive.has(node)) kept.add(node);
  }
  const stays = stayingLets(f, m, visible, { lets, recursive, kept, keepsEffects });
  const binders = new Map<Var, Let>();
  const recursiveBy = new Map<Expr, Let[]>();
  for (const node of lets) {
    if (stays.has(node)) continue;
    if (!recursive.has(node)) binders.set(node.variable, node);
    else remember(recursiveBy, node.value, (): Let[] => []).push(node);
  }
  // Inside a recursive function its variable stays the variable; later it is the let that makes it.
  const made = new Map<Expr, Expr>();
  return rewriteFunc(
    f,
    m,
    (node, get) => {
      const now = (other: Expr): Expr => made.get(other) ?? get(other);
      const binder = node._tag === 'Var' ? binders.get(node) : undefined;
      const isGone = node._tag === 'Let' && !stays.has(node);
      const value = isGone ? now(node.body) : binder && now(binder.value);
      const result = value ?? mapChildren(node, now);
      for (const own of recursiveBy.get(node) ?? []) {
        const { variable, body, span } = own;
        const isMade = body === variable && result === node;
        made.set(variable, isMade ? own : letIn(variable, result, variable, span));
      }
      return result;
    },
    order,
  );
}

interface Lets {
  readonly lets: ReadonlyArray<Let>;
  readonly recursive: ReadonlySet<Let>;
  /** Those that stay in any case. */
  readonly kept: ReadonlySet<Let>;
  /** Whether a value moves into a function only if it computes nothing. */
  readonly keepsEffects: boolean;
}

/** The lets that stay: without them, a function would compute their values more often. */
function stayingLets(
  f: Func,
  m: IRModule,
  { order, captured }: Visible,
  { lets, recursive, kept, keepsEffects }: Lets,
): ReadonlySet<Let> {
  const root = rootScope();
  const homes = new Map<Expr, Scope>([[f.body, root]]);
  const stays = new Set<Let>();
  const binderOf = new Map<Var, Let>(lets.map((node) => [node.variable, node]));
  const mustStay = (node: Let): boolean =>
    kept.has(node) ||
    isPolymorphic(node.value) ||
    captured.has(node.variable) ||
    isContextual(m, node.value);
  const movable = keepsEffects ? undefined : totalValues(m, order, binderOf);
  const mayMove = (value: Expr): boolean =>
    movable === undefined ? computesNothing(value) : movable.get(value) === true;
  const use = (node: Expr, scope: Scope): void => {
    const known = homes.get(node);
    homes.set(node, known === undefined ? scope : (commonScope(known, scope) ?? root));
    const binder = node._tag === 'Var' ? binderOf.get(node) : undefined;
    // Its value is walked before the variable, which occurs inside.
    if (binder !== undefined && recursive.has(binder) && !mustStay(binder)) {
      use(binder.value, scope);
    }
  };
  const replace = (binder: Let, scope: Scope): void => {
    const home = homes.get(binder);
    if (recursive.has(binder) || mustStay(binder)) return;
    if (scope === home || mayMove(binder.value)) use(binder.value, scope);
    else if (home !== undefined) {
      stays.add(binder);
      use(binder.value, home);
    }
  };
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const home = homes.get(node);
    // A value bound only to an unused variable has no home: it is gone.
    if (home === undefined) continue;
    const binder = node._tag === 'Var' ? binderOf.get(node) : undefined;
    if (binder !== undefined) replace(binder, home);
    else if (node._tag === 'Let') {
      use(node.body, home);
      if (mustStay(node)) {
        stays.add(node);
        use(node.value, home);
      }
    } else {
      const inside = node._tag === 'Function' ? innerScope(home) : home;
      for (const child of children(node)) use(child, inside);
    }
  }
  return stays;
}

/** Whether each node is total with variables replaced by their values. */
const totalValues = (
  m: IRModule,
  order: ReadonlyArray<Expr>,
  binderOf: ReadonlyMap<Var, Let>,
): ReadonlyMap<Expr, boolean> =>
  foldExpr<boolean>(order, (node, get) => {
    const binder = node._tag === 'Var' ? binderOf.get(node) : undefined;
    const parts = binder === undefined ? children(node) : [binder.value];
    // A function's body is not evaluated with it, and neither is a recursive value.
    const isValue = node._tag === 'Function' || binder?.value._tag === 'Function';
    return isValue || (isTotal(m, node) && parts.every((part) => get(part) === true));
  });

/** Whether evaluating the value where it is used instead costs nothing. */
const computesNothing = (value: Expr): boolean =>
  isAtom(value) || value._tag === 'Constant' || value._tag === 'Function';

/** Whether the value is a function that uses of its variable may take at several types. */
const isPolymorphic = (value: Expr): boolean =>
  value._tag === 'Function' &&
  (value.typeParams.length > 0 || value.params.some((p) => p.typeAnnotation === undefined));
