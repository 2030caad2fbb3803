/** The fifth phase: writes the findings into the program, as annotations and dtypes of literals. */
import { InvariantError, remember } from '@baton/base';
import { isDType } from '@baton/tensor';
import { mapParts } from '../../expr/children.ts';
import { call, func, variable } from '../../expr/construct.ts';
import type { Call, Constant, Expr, Func, Var } from '../../expr/expr.ts';
import type { ExprParts } from '../../expr/grammar.ts';
import { varArg } from '../../types/instantiate.ts';
import { sameOr } from '../../types/parts.ts';
import {
  type FuncType,
  isClosed,
  type Type,
  type TypeArg,
  type TypeRelation,
} from '../../types/type.ts';
import type { TypeVar } from '../../types/variable.ts';
import type { Group } from '../collect/collect.ts';
import { factsOf, hasOpenResult } from '../collect/facts.ts';
import { isAnnotated } from '../collect/part.ts';
import { attributesOf } from '../constrain/calls.ts';
import type { Constraints } from '../constrain/constraints.ts';
import { distinctRelations } from '../generalize/generalize.ts';
import { typedLiteral } from '../solve/literals.ts';
import type { Solver } from '../solve/solver.ts';

/** Rebuilds the nodes kept aside, children first, and enters the types of the results. */
export function write(d: Constraints): Group {
  const { group, late, solver, view } = d;
  const passOn = makePassOn(declareSignatures(d), d);
  const distinct = new Map<ReadonlyArray<TypeRelation>, ReadonlyArray<TypeRelation>>();
  const constraintsOf = (f: Func, all: ReadonlyArray<TypeRelation>): ReadonlyArray<TypeRelation> =>
    f.constraints.length > 0
      ? statedConstraints(f, all, solver)
      : remember(distinct, all, () => distinctRelations(all, solver.canonical));
  const parts: ExprParts = {
    child: (node) => madeOf(node, d),
    binder: (v) => madeOf(v, d) as Var,
  };
  for (const entry of late) {
    const { node, type } = entry;
    if (node._tag === 'Var' || type === undefined) continue;
    const made = rebuilt(node, type, { parts, passOn, constraintsOf }, d);
    if (made !== node) entry.made = made;
    const assumed =
      solver.assumptions.size === 0
        ? undefined
        : solver.assumptions.get(node)?.map((r) => solver.holes.resolveRelation(r));
    const isNew = node._tag === 'GlobalVar' && d.openTypes.has(node.nameHint);
    const found = isNew ? (view.signature(node.nameHint)?.type ?? type) : type;
    const old = made === node ? view.entry(node) : undefined;
    view.write(made, found, factsOf(made, view, assumed), old);
  }
  const functions = new Map<string, Func>();
  for (const [name, f] of group) functions.set(name, madeOf(f, d) as Func);
  return functions;
}

function declareSignatures(d: Constraints): ReadonlyArray<FuncType> {
  const declared: FuncType[] = [];
  for (const [name, f] of d.group) {
    const type = d.lateType(f);
    if (type?._tag !== 'FuncType') continue;
    d.view.declare(name, type);
    declared.push(type);
  }
  return declared;
}

function madeOf(node: Expr, d: Constraints): Expr {
  if (node._tag === 'Var' && isAnnotated(node)) return node;
  const entry = d.entries.get(node);
  if (entry === undefined) return node;
  if (node._tag === 'Var' && entry.type !== undefined) {
    entry.made ??= variable(node.nameHint, entry.type, node.span);
  }
  return entry.made ?? node;
}

interface Writing {
  readonly parts: ExprParts;
  readonly passOn: (node: Call) => ReadonlyArray<TypeArg> | undefined;
  /** The relations of a function whose type has `all`; functions of a group share one list. */
  readonly constraintsOf: (
    f: Func,
    all: ReadonlyArray<TypeRelation>,
  ) => ReadonlyArray<TypeRelation>;
}

function rebuilt(node: Expr, type: Type, w: Writing, d: Constraints): Expr {
  if (node._tag === 'Constant') return node.literal === undefined ? node : settled(node, type);
  if (node._tag === 'Function') return rebuiltFunction(node, type, w, d);
  const made = mapParts(node, w.parts);
  if (node._tag !== 'Call') return made;
  const attrs = attributesOf(node, d.module.ops);
  const typeArgs = w.passOn(node) ?? node.typeArgs;
  if (attrs === node.attrs && typeArgs === node.typeArgs) return made;
  const { op, args } = made as Call;
  return call(op, args, { ...node, attrs, typeArgs });
}

/** Makes the function that passes on the type parameters which a recursive call leaves open. */
function makePassOn(
  declared: ReadonlyArray<FuncType>,
  d: Constraints,
): (node: Call) => ReadonlyArray<TypeArg> | undefined {
  const everywhere = variablesOfAll(new Set(declared.map((t) => t.typeParams)));
  const known = new Map<ReadonlyArray<TypeVar>, boolean>();
  const isShared = (typeParams: ReadonlyArray<TypeVar>): boolean =>
    remember(known, typeParams, () => typeParams.every((v) => everywhere.has(v)));
  const argLists = new Map<ReadonlyArray<TypeVar>, ReadonlyArray<TypeArg>>();
  return (node) => {
    if (node.typeArgs.length > 0) return undefined;
    const { op } = node;
    const isMember = op._tag === 'GlobalVar' && d.openTypes.has(op.nameHint);
    const f = isMember ? d.group.get(op.nameHint) : d.ownCalls.get(node);
    const type = f && d.solver.resolve(d.typeOf(f));
    if (type?._tag !== 'FuncType' || (isMember && !isShared(type.typeParams))) return undefined;
    return hasOpenResult(type, 0)
      ? remember(
          argLists,
          type.typeParams,
          (): ReadonlyArray<TypeArg> => type.typeParams.map(varArg),
        )
      : undefined;
  };
}

function variablesOfAll(lists: ReadonlySet<ReadonlyArray<TypeVar>>): ReadonlySet<TypeVar> {
  const [first, ...others] = lists;
  let shared = new Set(first);
  for (const list of others) {
    if (shared.size === 0) break;
    shared = new Set(list.filter((v) => shared.has(v)));
  }
  return shared;
}

function settled(node: Constant, type: Type): Constant {
  const dtype = type._tag === 'TensorType' ? type.dtype : undefined;
  if (typeof dtype !== 'string' || !isDType(dtype)) {
    throw new InvariantError('a settled literal has a dtype of one lane');
  }
  return typedLiteral(node, dtype);
}

function rebuiltFunction(
  node: Func,
  type: Type,
  { parts, constraintsOf }: Writing,
  d: Constraints,
): Func {
  const found = type._tag === 'FuncType' ? type : undefined;
  const params = sameOr(node.params, (v) => madeOf(v, d) as Var);
  const body = parts.child(node.body);
  const keepsResult = node.retType !== undefined && isClosed(node.retType);
  const retType = keepsResult ? node.retType : (found?.result ?? node.retType);
  const typeParams = found?.typeParams ?? node.typeParams;
  const constraints = constraintsOf(node, found?.constraints ?? node.constraints);
  const isSame =
    params === node.params &&
    body === node.body &&
    retType === node.retType &&
    typeParams.length === node.typeParams.length &&
    constraints.length === node.constraints.length &&
    constraints.every((r, i) => r === node.constraints[i]);
  if (isSame) return node;
  return func(params, body, {
    retType,
    typeParams,
    attrs: node.attrs,
    constraints,
    span: node.span,
  });
}

/** The written relations, followed by those that inference has added. */
function statedConstraints(
  { constraints: written }: Func,
  all: ReadonlyArray<TypeRelation>,
  solver: Solver,
): ReadonlyArray<TypeRelation> {
  const stated = written.every(isClosed) ? written : all.slice(0, written.length);
  if (stated === written && all.length === written.length) return written;
  return distinctRelations([...stated, ...all.slice(written.length)], solver.canonical);
}
