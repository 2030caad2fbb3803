/** Writes what inference found into the program: annotations, and the dtypes of literals. */
import { InvariantError } from '@baton/base';
import { isDType } from '@baton/tensor';
import { mapChildren } from '../../expr/children.ts';
import { call, clause, func, letIn, match, variable } from '../../expr/construct.ts';
import type { Call, Constant, Expr, Func, Let, Match, Var } from '../../expr/expr.ts';
import { withPatternVars } from '../../expr/patterns.ts';
import type { TypeView } from '../../module/type-table.ts';
import type { Attrs } from '../../types/attrs.ts';
import { varArg } from '../../types/instantiate.ts';
import {
  type FuncType,
  isClosed,
  type Type,
  type TypeArg,
  type TypeRelation,
} from '../../types/type.ts';
import { typedPart } from '../collect/walk.ts';
import { distinctRelations } from '../generalize/generalize.ts';
import { typedLiteral } from '../solve/literals.ts';
import { factsOf, hasOpenResult } from './facts.ts';

/** What rebuilding sees. */
export interface Rebuilding {
  readonly view: TypeView;
  /** The signature of a global that had none before. */
  readonly signature: (name: string) => Type | undefined;
  /** The type of the function that is called in its own body, whose type parameters hold there. */
  readonly ownType: (node: Call) => FuncType | undefined;
  readonly isAnnotated: (v: Var) => boolean;
  /** The name under which relations are compared. */
  readonly canonical: (name: string) => string;
  /** The attributes that a call of an operator comes to have. */
  readonly attributesOf: (node: Call) => Attrs | undefined;
  /** The relations that a node rests on and that functions around it state. */
  readonly assumed: (node: Expr) => ReadonlyArray<TypeRelation>;
}

/** A node that was kept aside. */
export interface LateNode {
  /** What is known of its type, solved in the end. */
  type: Type;
  /** What became of it; a node to which nothing was written is left as it is. */
  made: Expr | undefined;
}

/**
 * Rebuilds the nodes, which come children first, and enters the types of what becomes of them.
 *
 * @returns what became of a node: itself, where there was nothing to write.
 */
export function rebuildTyped(
  late: ReadonlyMap<Expr, LateNode>,
  c: Rebuilding,
): (node: Expr) => Expr {
  const annotated = (v: Var): Var => {
    const one = c.isAnnotated(v) ? undefined : late.get(v);
    if (one === undefined) return v;
    if (one.made?._tag === 'Var') return one.made;
    const next = variable(v.nameHint, one.type, v.span);
    one.made = next;
    return next;
  };
  const next = (node: Expr): Expr =>
    node._tag === 'Var' ? annotated(node) : (late.get(node)?.made ?? node);
  const isSame = (node: Expr): boolean => {
    for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
      if (next(part) !== part) return false;
    }
    return true;
  };

  /** The type of a part that has been rebuilt. */
  const typeOf = (part: Expr): Type | undefined =>
    part._tag === 'Var' ? part.typeAnnotation : c.view.read(part);

  const rebuild = (node: Expr, type: Type): Expr => {
    switch (node._tag) {
      case 'Constant':
        return node.literal === undefined ? node : settled(node, type);
      case 'Let':
        return rebuildLet(node, annotated(node.variable), next);
      case 'Function':
        return rebuildFunction(node, type, node.params.map(annotated), next(node.body), c);
      case 'Match':
        return rebuildMatch(node, annotated, next);
      case 'Call':
        return rebuildCall(node, isSame(node), next, c);
      default:
        return isSame(node) ? node : mapChildren(node, next);
    }
  };
  for (const [node, one] of late) {
    if (node._tag === 'Var') continue;
    const result = rebuild(node, one.type);
    if (result !== node) one.made = result;
    const type = node._tag === 'GlobalVar' ? (c.signature(node.nameHint) ?? one.type) : one.type;
    c.view.write(result, type, factsOf(result, c.view, typeOf, c.assumed(node)));
  }
  return next;
}

function settled(node: Constant, type: Type): Constant {
  const dtype = type._tag === 'TensorType' ? type.dtype : undefined;
  if (typeof dtype !== 'string' || !isDType(dtype)) {
    throw new InvariantError('a settled literal has a dtype of one lane');
  }
  return typedLiteral(node, dtype);
}

function rebuildCall(node: Call, isSame: boolean, next: (node: Expr) => Expr, c: Rebuilding): Call {
  const attrs = c.attributesOf(node);
  const typeArgs = passedOn(node, c) ?? node.typeArgs;
  if (isSame && attrs === node.attrs && typeArgs === node.typeArgs) return node;
  return call(next(node.op), node.args.map(next), { ...node, attrs, typeArgs });
}

/** The type parameters of a function that its call in its own body does not say by its arguments. */
function passedOn(node: Call, c: Rebuilding): ReadonlyArray<TypeArg> | undefined {
  const type = node.typeArgs.length > 0 ? undefined : c.ownType(node);
  return type !== undefined && hasOpenResult(node, type) ? type.typeParams.map(varArg) : undefined;
}

function rebuildLet(node: Let, binder: Var, next: (node: Expr) => Expr): Let {
  const value = next(node.value);
  const body = next(node.body);
  return binder === node.variable && value === node.value && body === node.body
    ? node
    : letIn(binder, value, body, node.span);
}

function rebuildFunction(
  node: Func,
  type: Type,
  params: ReadonlyArray<Var>,
  body: Expr,
  c: Rebuilding,
): Func {
  const keepsResult = node.retType !== undefined && isClosed(node.retType);
  const found = type._tag === 'FuncType' ? type : undefined;
  const retType = keepsResult ? node.retType : (found?.result ?? node.retType);
  const typeParams = found?.typeParams ?? node.typeParams;
  const stated = found?.constraints ?? node.constraints;
  const constraints = node.constraints.every((r) => r.args.every(isClosed))
    ? withNew(node.constraints, stated, c.canonical)
    : distinctRelations(stated, c.canonical);
  const same =
    body === node.body &&
    params.every((p, i) => p === node.params[i]) &&
    constraints.length === node.constraints.length &&
    constraints.every((r, i) => r === node.constraints[i]);
  return same && retType === node.retType
    ? node
    : func(params, body, { retType, typeParams, attrs: node.attrs, constraints, span: node.span });
}

/** The relations as they were written, and after them those that inference has added. */
const withNew = (
  written: ReadonlyArray<TypeRelation>,
  all: ReadonlyArray<TypeRelation>,
  canonical: (name: string) => string,
): ReadonlyArray<TypeRelation> =>
  all.length === written.length
    ? written
    : distinctRelations([...written, ...all.slice(written.length)], canonical);

function rebuildMatch(node: Match, annotated: (v: Var) => Var, next: (node: Expr) => Expr): Match {
  const data = next(node.data);
  const clauses = node.clauses.map((old) => {
    const pattern = withPatternVars(old.pattern, annotated);
    const body = next(old.body);
    return pattern === old.pattern && body === old.body ? old : clause(pattern, body);
  });
  return data === node.data && clauses.every((one, i) => one === node.clauses[i])
    ? node
    : match(data, clauses, node.complete, node.span);
}
