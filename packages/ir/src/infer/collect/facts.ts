/** The facts on which the type of a node relies, beyond its own parts. */
import { analysis, remember } from '@baton/base';
import type { Expr } from '../../expr/expr.ts';
import {
  type Assumption,
  assumedRelations,
  type Dependence,
  type EntryFacts,
  hasNoFacts,
  join,
  NO_FACTS,
  type TypeView,
} from '../../module/type-table.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import type { FuncType, Type, TypeRelation } from '../../types/type.ts';
import type { TypeVar } from '../../types/variable.ts';
import { isAnnotated, typedPart, typedParts } from './part.ts';

/** The type that the table has of a node, or that a variable states. */
export const readPart = (node: Expr, view: TypeView): Type | undefined =>
  node._tag !== 'Var' ? view.read(node) : isAnnotated(node) ? node.typeAnnotation : undefined;

/**
 * Everything that the table states of a node besides its type; it knows the parts. `own` are the
 * relations that the node itself assumes.
 */
export function factsOf(
  node: Expr,
  view: TypeView,
  own: ReadonlyArray<TypeRelation> = NONE,
): EntryFacts {
  let dependence: Dependence | undefined =
    node._tag === 'GlobalVar' ? view.signature(node.nameHint) : undefined;
  let assumption: Assumption | undefined;
  let hasContextualPart = false;
  let latest = NO_FACTS;
  for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
    const facts = view.facts(part);
    if (hasNoFacts(facts)) continue;
    dependence = join(dependence, facts.dependence);
    assumption = join(assumption, facts.assumption);
    hasContextualPart ||= facts.isContextual;
    latest = facts;
  }
  for (const relation of own) assumption = join(assumption, relation);
  if (assumption !== undefined) assumption = unanswered(assumption, node);
  const contextual = hasContextualPart
    ? isContextual(node, view)
    : node._tag === 'Call' &&
      node.op._tag !== 'Op' &&
      hasOpenResult(readPart(node.op, view), node.typeArgs.length);
  if (dependence === undefined && assumption === undefined && !contextual) return NO_FACTS;
  // Most nodes have the facts of one of their parts.
  const isLatest =
    latest.dependence === dependence &&
    latest.assumption === assumption &&
    latest.isContextual === contextual;
  return isLatest ? latest : { dependence, assumption, isContextual: contextual };
}

const NONE: ReadonlyArray<TypeRelation> = [];

/** The rest of an assumption: a function answers for relations that mention its type parameters. */
function unanswered(assumption: Assumption, node: Expr): Assumption | undefined {
  if (node._tag !== 'Function' || node.typeParams.length === 0) return assumption;
  return assumedRelations(assumption)
    .filter(({ args }) => !freeTypeVarsOf(args).some((v) => node.typeParams.includes(v)))
    .reduce<Assumption | undefined>((left, relation) => join(left, relation), undefined);
}

/**
 * How the type of a node comes from those of its parts: it is made of all of them, or it is the type
 * of each after the first. Other kinds of nodes say themselves what their types are.
 */
const typeComesFrom: { readonly [T in Expr['_tag']]?: 'all' | 'later' } = {
  Tuple: 'all',
  TupleGetItem: 'all',
  Call: 'all',
  Let: 'later',
  If: 'later',
  Match: 'later',
  RefCreate: 'all',
  RefRead: 'all',
};

/** Whether a node's type is still open when the types of all its parts are known. */
function isContextual(node: Expr, view: TypeView): boolean {
  const isOpen = typedParts(node).map((part) => view.facts(part).isContextual);
  if (node._tag === 'Call' && node.op._tag !== 'Op') {
    const isOpenArg = (i: number): boolean => isOpen[i] === true;
    const callee = readPart(node.op, view);
    return isOpen.at(-1) === true || hasOpenResult(callee, node.typeArgs.length, isOpenArg);
  }
  const from = typeComesFrom[node._tag];
  if (from === 'all') return isOpen.includes(true);
  return from === 'later' && !isOpen.includes(false, 1);
}

/**
 * Whether a type parameter in the result of a callee is not found from the arguments. `typeArgs` of
 * them were written; `isOpenArg` says which arguments leave their own types open.
 */
export function hasOpenResult(
  callee: Type | undefined,
  typeArgs: number,
  isOpenArg?: (index: number) => boolean,
): boolean {
  if (callee?._tag !== 'FuncType' || callee.typeParams.length === 0) return false;
  if (isOpenArg === undefined && callee.params.includes(callee.result)) return false;
  return isOpenArg === undefined && typeArgs === 0
    ? remember(openResults, callee, () => leavesOpen(callee, 0, () => false))
    : leavesOpen(callee, typeArgs, isOpenArg ?? (() => false));
}

/** The answers of `hasOpenResult` for calls whose arguments are all known by themselves. */
const openResults = new WeakMap<FuncType, boolean>();

function leavesOpen(
  { typeParams, params, result, constraints }: FuncType,
  typeArgs: number,
  isOpenArg: (index: number) => boolean,
): boolean {
  if (typeArgs >= typeParams.length) return false;
  const declared = typeParams.length > FEW_PARAMS ? setOf(typeParams) : undefined;
  const isOwn = (v: TypeVar): boolean => declared?.has(v) ?? typeParams.includes(v);
  const wanted = freeTypeVarsOf([result]).filter(isOwn);
  if (wanted.length === 0) return false;
  const determined = new Set(typeParams.slice(0, typeArgs));
  for (const [i, param] of params.entries()) {
    if (isOpenArg(i)) continue;
    for (const v of freeTypeVarsOf([param])) determined.add(v);
  }
  const isOpen = (v: TypeVar): boolean => !determined.has(v);
  if (!wanted.some(isOpen)) return false;
  const flow = flowOf(constraints);
  if (wanted.some((v) => isOpen(v) && !flow.outputs.has(v))) return true;
  for (const { inputs, outputs } of flow.steps) {
    if (inputs.every((v) => determined.has(v))) for (const v of outputs) determined.add(v);
  }
  return wanted.some(isOpen);
}

/** Up to this number, type parameters are searched linearly. */
const FEW_PARAMS = 16;

const setOf = analysis((list: ReadonlyArray<TypeVar>): ReadonlySet<TypeVar> => new Set(list));

/** The type parameters in the inputs and in the outputs of each relation, and in any output. */
interface Flow {
  readonly steps: ReadonlyArray<{
    readonly inputs: ReadonlyArray<TypeVar>;
    readonly outputs: ReadonlyArray<TypeVar>;
  }>;
  readonly outputs: ReadonlySet<TypeVar>;
}

/** All functions of a group have one list of relations. */
const flowOf = analysis((constraints: ReadonlyArray<TypeRelation>): Flow => {
  const steps = constraints.map(({ args, inputCount }) => ({
    inputs: freeTypeVarsOf(args.slice(0, inputCount)),
    outputs: freeTypeVarsOf(args.slice(inputCount)),
  }));
  return { steps, outputs: new Set(steps.flatMap((step) => step.outputs)) };
});
