/** What the type of a node relies on beyond its own parts. */
import type { Call, Expr } from '../expr/expr.ts';
import {
  type Assumption,
  assumedRelations,
  type Dependence,
  type EntryFacts,
  joinAssumptions,
  joinDependences,
  type TypeView,
} from '../module/type-table.ts';
import { freeTypeVarsOf } from '../types/free-type-vars.ts';
import type { Type, TypeRelation } from '../types/type.ts';
import { typedPart } from './walk.ts';

/** Everything that the entry of a node states besides its type; its parts have entries. */
export const factsOf = (
  node: Expr,
  view: TypeView,
  typeOf: (part: Expr) => Type | undefined,
  own: ReadonlyArray<TypeRelation> = [],
): EntryFacts => ({
  dependence: dependenceOf(node, view),
  assumption: assumptionOf(node, view, own),
  isContextual: isContextual(node, view, typeOf),
});

/** The signatures on which the type of a node relies. */
function dependenceOf(node: Expr, view: TypeView): Dependence | undefined {
  if (node._tag === 'GlobalVar') return view.signature(node.nameHint);
  let found: Dependence | undefined;
  for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
    found = joinDependences(found, view.dependence(part));
  }
  return found;
}

/**
 * The relations that a node assumes: its own and those of its parts. A function answers for those
 * that mention its type parameters.
 */
function assumptionOf(
  node: Expr,
  view: TypeView,
  own: ReadonlyArray<TypeRelation>,
): Assumption | undefined {
  let found: Assumption | undefined;
  for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
    found = joinAssumptions(found, view.assumption(part));
  }
  for (const relation of own) found = joinAssumptions(found, relation);
  if (found === undefined || node._tag !== 'Function' || node.typeParams.length === 0) return found;
  const params = new Set(node.typeParams);
  let left: Assumption | undefined;
  for (const relation of assumedRelations(found)) {
    const isAnswered = freeTypeVarsOf(relation.args).some((v) => params.has(v));
    if (!isAnswered) left = joinAssumptions(left, relation);
  }
  return left;
}

/** Whether the types of a node's parts leave its own type open. */
function isContextual(
  node: Expr,
  view: TypeView,
  typeOf: (part: Expr) => Type | undefined,
): boolean {
  switch (node._tag) {
    case 'Tuple':
      return node.fields.some(view.isContextual);
    case 'TupleGetItem':
      return view.isContextual(node.tuple);
    case 'RefCreate':
      return view.isContextual(node.value);
    case 'RefRead':
      return view.isContextual(node.ref);
    case 'Let':
      return view.isContextual(node.body);
    case 'If':
      return view.isContextual(node.trueBranch) && view.isContextual(node.falseBranch);
    case 'Match':
      return node.clauses.every((one) => view.isContextual(one.body));
    case 'Call':
      return node.op._tag === 'Op'
        ? node.args.some(view.isContextual)
        : view.isContextual(node.op) || hasOpenResult(node, typeOf(node.op), view);
    default:
      return false;
  }
}

/** Whether a type parameter in the result of the callee is not found from the arguments. */
function hasOpenResult(node: Call, callee: Type | undefined, view: TypeView): boolean {
  if (callee?._tag !== 'FuncType' || callee.typeParams.length === 0) return false;
  const determined = new Set(callee.typeParams.slice(0, node.typeArgs.length));
  const wanted = freeTypeVarsOf([callee.result]).filter((v) => callee.typeParams.includes(v));
  for (const [i, param] of callee.params.entries()) {
    const arg = node.args[i];
    if (arg === undefined || view.isContextual(arg)) continue;
    for (const v of freeTypeVarsOf([param])) determined.add(v);
  }
  for (const { args, inputCount } of callee.constraints) {
    if (!freeTypeVarsOf(args.slice(0, inputCount)).every((v) => determined.has(v))) continue;
    for (const v of freeTypeVarsOf(args.slice(inputCount))) determined.add(v);
  }
  return wanted.some((v) => !determined.has(v));
}
