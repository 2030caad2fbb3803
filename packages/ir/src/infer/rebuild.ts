/** Writes what inference found into the program: annotations, and the dtypes of literals. */
import { InvariantError } from '@baton/base';
import { isDType } from '@baton/tensor';
import { children, withChildren } from '../expr/children.ts';
import { func, letIn, variable } from '../expr/construct.ts';
import type { Constant, Expr, Func, Let, Var } from '../expr/expr.ts';
import type { TypeView } from '../module/type-table.ts';
import type { Type } from '../types/type.ts';
import { dependenceOf } from './dependence.ts';
import { typedLiteral } from './literals.ts';

/** What rebuilding sees. */
export interface Rebuilding {
  readonly view: TypeView;
  /** The solved type of a node or a variable. */
  readonly typeOf: (node: Expr) => Type;
  readonly isAnnotated: (v: Var) => boolean;
}

/**
 * Rebuilds the nodes, given children first, and enters the types of what becomes of them.
 *
 * @returns what became of a node: itself, where there was nothing to write.
 */
export function rebuildTyped(nodes: ReadonlyArray<Expr>, c: Rebuilding): (node: Expr) => Expr {
  const made = new Map<Expr, Expr>();
  const vars = new Map<Var, Var>();
  const annotated = (v: Var): Var => {
    if (c.isAnnotated(v)) return v;
    const old = vars.get(v);
    if (old !== undefined) return old;
    const next = variable(v.nameHint, c.typeOf(v), v.span);
    vars.set(v, next);
    return next;
  };
  const next = (node: Expr): Expr =>
    node._tag === 'Var' ? annotated(node) : (made.get(node) ?? node);

  const rebuild = (node: Expr): Expr => {
    switch (node._tag) {
      case 'Constant':
        return node.literal === undefined ? node : settled(node, c);
      case 'Let':
        return rebuildLet(node, annotated(node.variable), next);
      case 'Function':
        return rebuildFunction(node, node.params.map(annotated), next(node.body), c);
      default:
        return withChildren(node, children(node).map(next));
    }
  };
  for (const node of nodes) {
    if (node._tag === 'Var') continue;
    const result = rebuild(node);
    if (result !== node) made.set(node, result);
    c.view.write(result, c.typeOf(node), dependenceOf(result, c.view));
  }
  return next;
}

function settled(node: Constant, c: Rebuilding): Constant {
  const type = c.typeOf(node);
  const dtype = type._tag === 'TensorType' ? type.dtype : undefined;
  if (typeof dtype !== 'string' || !isDType(dtype)) {
    throw new InvariantError('a settled literal has a dtype of one lane');
  }
  return typedLiteral(node, dtype);
}

function rebuildLet(node: Let, binder: Var, next: (node: Expr) => Expr): Let {
  const value = next(node.value);
  const body = next(node.body);
  return binder === node.variable && value === node.value && body === node.body
    ? node
    : letIn(binder, value, body, node.span);
}

function rebuildFunction(node: Func, params: ReadonlyArray<Var>, body: Expr, c: Rebuilding): Func {
  const type = c.typeOf(node);
  const keepsResult = node.retType !== undefined && c.view.isClosed(node.retType);
  const retType = keepsResult || type._tag !== 'FuncType' ? node.retType : type.result;
  const same = body === node.body && params.every((p, i) => p === node.params[i]);
  return same && retType === node.retType
    ? node
    : func(params, body, {
        retType,
        typeParams: node.typeParams,
        attrs: node.attrs,
        constraints: node.constraints,
        span: node.span,
      });
}
