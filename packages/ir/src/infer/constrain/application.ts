/**
 * The arguments for a function's type parameters at one call:
 * [types §5](https://batonjs.github.io/baton/spec/types#5).
 *
 * A parameter that meets the type of an argument stands for that type at once; a hole is made only
 * if the arguments leave a parameter open, or types have to be unified first. So a call with known
 * arguments costs only one look at each.
 */

import type { Span } from '@baton/base';
import type { Call } from '../../expr/expr.ts';
import { type Dim, dimOf } from '../../types/dim.ts';
import { holeArg, replaceTypeVars } from '../../types/instantiate.ts';
import { type TypeParts, withRelationParts } from '../../types/parts.ts';
import {
  type FuncType,
  isClosed,
  isTypeArg,
  mentionsTypeVars,
  type Shape,
  type Type,
  type TypeArg,
  type TypeRelation,
  typeChildren,
} from '../../types/type.ts';
import { incompleteType, type TypeVar } from '../../types/variable.ts';
import type { Solver } from '../solve/solver.ts';
import { isGeneral, isSame, sameHead } from '../solve/unify.ts';

/** The most types visited for one argument; larger ones are unified, which remembers pairs. */
const MAX_MATCH = 64;

export interface Application {
  readonly callee: FuncType;
  /** The arguments of the type parameters, in their order; open ones are holes. */
  readonly typeArgs: ReadonlyArray<TypeArg>;
}

/** A call while its arguments are looked at. */
interface Applying {
  readonly typeParams: ReadonlyArray<TypeVar>;
  readonly found: (TypeArg | undefined)[];
  readonly span: Span | undefined;
  readonly solver: Solver;
}

/** Applies a function; `demand` receives each argument that must get the type of its parameter. */
export function applyFunction(
  given: FuncType,
  node: Call,
  args: ReadonlyArray<Type>,
  solver: Solver,
  demand: (wanted: Type, index: number) => void,
): Application {
  // A function that is not generalized yet in all its parts may have filled holes.
  const callee = isGeneral(given) ? (solver.resolve(given) as FuncType) : given;
  const { typeParams, params } = callee;
  if (typeParams.length === 0) {
    params.forEach(demand);
    return { callee, typeArgs: [] };
  }
  const found = typeParams.map(({ kind }, i) => {
    const written = node.typeArgs[i];
    return written && argOfKind(written, kind);
  });
  const applying: Applying = { typeParams, found, span: node.span, solver };
  for (let i = 0; i < params.length; i++) {
    const param = params[i] as Type;
    const isGeneric = mentionsTypeVars(param);
    if (isGeneric && match(param, args[i] as Type, 0, applying) <= MAX_MATCH) continue;
    const wanted = isGeneric ? replacement(typeParams, allFound(applying)).type(param) : param;
    demand(wanted, i);
  }
  return { callee, typeArgs: allFound(applying) };
}

/** The arguments found, and holes for the rest. */
function allFound({ typeParams, found, solver }: Applying): ReadonlyArray<TypeArg> {
  for (let i = 0; i < found.length; i++) {
    found[i] ??= holeArg(solver.fresh((typeParams[i] as TypeVar).kind));
  }
  return found as ReadonlyArray<TypeArg>;
}

const replacement = (typeParams: ReadonlyArray<TypeVar>, args: ReadonlyArray<TypeArg>): TypeParts =>
  replaceTypeVars(new Map(typeParams.map((v, i) => [v, args[i] as TypeArg])));

export function resultOf({ callee, typeArgs }: Application): Type {
  const { typeParams, result } = callee;
  if (typeParams.length === 0 || !mentionsTypeVars(result)) return result;
  const arg = result._tag === 'TypeVar' ? typeArgs[typeParams.indexOf(result)] : undefined;
  if (arg?.kind === 'Type') return arg.value;
  const last = lastInstances.get(callee);
  const isSameCall = last?.typeArgs.every(({ value }, i) => value === typeArgs[i]?.value);
  if (last !== undefined && isSameCall === true) return last.result;
  const made = replacement(typeParams, typeArgs).type(result);
  if (isClosed(made)) lastInstances.set(callee, { typeArgs, result: made });
  return made;
}

export function constraintsOf({ callee, typeArgs }: Application): ReadonlyArray<TypeRelation> {
  if (callee.constraints.length === 0) return callee.constraints;
  const parts = replacement(callee.typeParams, typeArgs);
  return callee.constraints.map((constraint) => withRelationParts(constraint, parts));
}

/**
 * The number of types looked at, after `seen` others, to make the parameter the argument with types
 * for its variables. More than {@link MAX_MATCH} if that is not possible: unification decides then,
 * and the parts found until then remain valid.
 *
 * Recursion is over types within that bound.
 */
function match(param: Type, arg: Type, seen: number, applying: Applying): number {
  const { typeParams, found, span, solver } = applying;
  const given = solver.head(arg);
  const at = param._tag === 'TypeVar' && param.kind === 'Type' ? typeParams.indexOf(param) : -1;
  if (at >= 0) {
    const known = found[at];
    if (known === undefined) found[at] = { _tag: 'TypeArg', kind: 'Type', value: given };
    const isMet =
      known === undefined || (known.kind === 'Type' && meet(known.value, given, span, solver));
    return isMet ? seen : NEVER;
  }
  if (!mentionsTypeVars(param) || !isBuiltAlike(param, given)) {
    return isSame(param, given) ? seen : NEVER;
  }
  const wanted = typeChildren(param);
  const parts = typeChildren(given);
  let sum = seen + wanted.length;
  for (let i = 0; i < wanted.length && sum <= MAX_MATCH; i++) {
    sum = match(wanted[i] as Type, parts[i] as Type, sum, applying);
  }
  return sum;
}

/** The number of types that represents a difference. */
const NEVER = MAX_MATCH + 1;

/** Tensors are unified at once: literals differ in a hole. */
const meet = (a: Type, b: Type, span: Span | undefined, solver: Solver): boolean =>
  isSame(a, b) ||
  (a._tag === 'TensorType' && b._tag === 'TensorType' && solver.canUnify(a, b, span));

/** Whether two types are the same if the types below them are. */
const isBuiltAlike = (a: Type, b: Type): boolean =>
  a._tag === 'TypeCall'
    ? b._tag === 'TypeCall' &&
      a.func.nameHint === b.func.nameHint &&
      a.args.length === b.args.length &&
      a.args.every(isTypeArg) &&
      b.args.every(isTypeArg)
    : sameHead(a, b) && !isGeneral(a) && !isGeneral(b);

interface Instance {
  readonly typeArgs: ReadonlyArray<TypeArg>;
  readonly result: Type;
}

/** The closed result of a function at the latest type arguments: a list has many calls of `Cons`. */
const lastInstances = new WeakMap<FuncType, Instance>();

/**
 * The argument as one of this kind: before its parameter is known, a written argument is read as a
 * type, which `int8`, `()` and `(n, m)` are. `undefined` if it is of another kind.
 */
export function argOfKind(arg: TypeArg, kind: TypeArg['kind']): TypeArg | undefined {
  if (arg.kind === kind) return arg;
  if (arg.kind !== 'Type') return undefined;
  const { value } = arg;
  if (value._tag === 'IncompleteType') return holeArg(incompleteType(kind));
  if (kind === 'BaseType' && value._tag === 'TensorType' && isScalarShape(value.shape)) {
    return { _tag: 'TypeArg', kind, value: value.dtype };
  }
  if (kind !== 'Shape' || value._tag !== 'TupleType') return undefined;
  const dims = value.fields.flatMap(
    (field): ReadonlyArray<Dim> =>
      field._tag === 'TypeVar' && field.kind === 'ShapeVar' ? [dimOf(field)] : [],
  );
  return dims.length === value.fields.length ? { _tag: 'TypeArg', kind, value: dims } : undefined;
}

const isScalarShape = (shape: Shape): boolean => !('_tag' in shape) && shape.length === 0;
