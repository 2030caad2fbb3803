/** What the type of a node relies on beyond its own parts. */
import { children } from '../../expr/children.ts';
import type { Call, Expr } from '../../expr/expr.ts';
import {
  type Assumption,
  assumedRelations,
  type Dependence,
  type EntryFacts,
  joinAssumptions,
  joinDependences,
  NO_FACTS,
  type TypeView,
} from '../../module/type-table.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import type { FuncType, Type, TypeRelation } from '../../types/type.ts';
import { somePart, typedPart } from '../collect/part.ts';

/** Everything that the entry of a node states besides its type; its parts have entries. */
export function factsOf(
  node: Expr,
  view: TypeView,
  typeOf: (part: Expr) => Type | undefined,
  own: ReadonlyArray<TypeRelation> = [],
): EntryFacts {
  let dependence: Dependence | undefined =
    node._tag === 'GlobalVar' ? view.signature(node.nameHint) : undefined;
  let assumption: Assumption | undefined;
  let hasContextualPart = false;
  let latest = NO_FACTS;
  if (view.hasFacts()) {
    for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
      const facts = view.facts(part);
      dependence = joinDependences(dependence, facts.dependence);
      assumption = joinAssumptions(assumption, facts.assumption);
      hasContextualPart ||= facts.isContextual;
      if (facts !== NO_FACTS) latest = facts;
    }
  }
  for (const relation of own) assumption = joinAssumptions(assumption, relation);
  if (assumption !== undefined) assumption = unanswered(assumption, node);
  const contextual = hasContextualPart
    ? isContextual(node, view, typeOf)
    : node._tag === 'Call' && node.op._tag !== 'Op' && hasOpenResult(node, typeOf(node.op));
  if (dependence === undefined && assumption === undefined && !contextual) return NO_FACTS;
  // Most nodes state what one of their parts does.
  const isLatest =
    latest.dependence === dependence &&
    latest.assumption === assumption &&
    latest.isContextual === contextual;
  return isLatest ? latest : { dependence, assumption, isContextual: contextual };
}

/** What is left of an assumption: a function answers for what mentions its type parameters. */
function unanswered(assumption: Assumption, node: Expr): Assumption | undefined {
  if (node._tag !== 'Function' || node.typeParams.length === 0) return assumption;
  const params = new Set(node.typeParams);
  let left: Assumption | undefined;
  for (const relation of assumedRelations(assumption)) {
    const isAnswered = freeTypeVarsOf(relation.args).some((v) => params.has(v));
    if (!isAnswered) left = joinAssumptions(left, relation);
  }
  return left;
}

/**
 * How the type of a node comes from those of its parts: it is made of all of them, or it is the type
 * of each after the first, or it says itself what it is.
 */
const typeComesFrom: { readonly [T in Expr['_tag']]: 'all' | 'later' | 'itself' } = {
  Var: 'itself',
  GlobalVar: 'itself',
  Constant: 'itself',
  Op: 'itself',
  Constructor: 'itself',
  Tuple: 'all',
  TupleGetItem: 'all',
  Function: 'itself',
  Call: 'all',
  Let: 'later',
  If: 'later',
  Match: 'later',
  RefCreate: 'all',
  RefRead: 'all',
  RefWrite: 'itself',
  TempExpr: 'itself',
};

/** Whether a node's type is still open when the types of all its parts are known. */
function isContextual(
  node: Expr,
  view: TypeView,
  typeOf: (part: Expr) => Type | undefined,
): boolean {
  const isOpen = (part: Expr): boolean => view.facts(part).isContextual;
  if (node._tag === 'Call' && node.op._tag !== 'Op') {
    return isOpen(node.op) || hasOpenResult(node, typeOf(node.op), isOpen);
  }
  const from = typeComesFrom[node._tag];
  if (from === 'all') return somePart(node, isOpen);
  return from === 'later' && children(node).slice(1).every(isOpen);
}

/** Whether a type parameter in the result of the callee is not found from the arguments. */
export function hasOpenResult(
  node: Call,
  callee: Type | undefined,
  isOpen?: (arg: Expr) => boolean,
): boolean {
  if (callee?._tag !== 'FuncType' || callee.typeParams.length === 0) return false;
  const isOrdinary = isOpen === undefined && node.typeArgs.length === 0;
  const known = isOrdinary ? openResults.get(callee) : undefined;
  if (known !== undefined) return known;
  const wanted = freeTypeVarsOf([callee.result]).filter((v) => callee.typeParams.includes(v));
  if (wanted.length === 0) return false;
  const determined = new Set(callee.typeParams.slice(0, node.typeArgs.length));
  for (const [i, param] of callee.params.entries()) {
    const arg = node.args[i];
    if (arg === undefined || isOpen?.(arg) === true) continue;
    for (const v of freeTypeVarsOf([param])) determined.add(v);
  }
  for (const { args, inputCount } of callee.constraints) {
    if (!freeTypeVarsOf(args.slice(0, inputCount)).every((v) => determined.has(v))) continue;
    for (const v of freeTypeVarsOf(args.slice(inputCount))) determined.add(v);
  }
  const isOpenResult = wanted.some((v) => !determined.has(v));
  if (isOrdinary) openResults.set(callee, isOpenResult);
  return isOpenResult;
}

/** What `hasOpenResult` says of calls whose arguments are all known by themselves. */
const openResults = new WeakMap<FuncType, boolean>();
