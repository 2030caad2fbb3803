/**
 * The arguments for a function's type parameters at one call:
 * [types §5](https://batonjs.github.io/baton/spec/types#5).
 *
 * A parameter that meets the type of an argument stands for that type at once; a hole is made only
 * if the arguments leave a parameter open, or types have to be unified first. So a call with known
 * arguments costs only one look at each.
 */

import { remember, type Span } from '@baton/base';
import type { Call } from '../../expr/expr.ts';
import { type Dim, dimOf } from '../../types/dim.ts';
import { holeArg, replaceTypeVars } from '../../types/instantiate.ts';
import { withRelationParts } from '../../types/parts.ts';
import {
  type FuncType,
  isClosed,
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

/**
 * The most types that are visited for one argument. Larger ones are unified, which remembers
 * visited pairs: a type may share its parts.
 */
const MAX_MATCH = 64;

/** One call of a function. */
export interface Application {
  readonly callee: FuncType;
  /** The arguments of the type parameters; open ones are holes. */
  readonly typeArgs: ReadonlyMap<TypeVar, TypeArg>;
}

/**
 * Applies a function to arguments of these types, as many as it has parameters. `demand` receives
 * each argument that has to be made the type of its parameter.
 */
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
  const found = new Map<TypeVar, TypeArg>();
  for (let i = 0; i < node.typeArgs.length; i++) {
    const param = typeParams[i];
    const written = param && argOfKind(node.typeArgs[i] as TypeArg, param.kind);
    if (written !== undefined && param !== undefined) found.set(param, written);
  }
  const openRest = (): void => {
    if (found.size === typeParams.length) return;
    for (const v of typeParams) remember(found, v, () => holeArg(solver.fresh(v.kind)));
  };
  for (let i = 0; i < params.length; i++) {
    const param = params[i] as Type;
    const isGeneric = typeParams.length > 0 && mentionsTypeVars(param);
    if (isGeneric && match(param, args[i] as Type, node.span, typeParams, found, solver)) continue;
    if (isGeneric) openRest();
    demand(isGeneric ? replaceTypeVars(found).type(param) : param, i);
  }
  openRest();
  return { callee, typeArgs: found };
}

/** The result of a function at one call. */
export function resultOf({ callee, typeArgs }: Application): Type {
  const { typeParams, result } = callee;
  if (typeParams.length === 0 || !mentionsTypeVars(result)) return result;
  const arg = result._tag === 'TypeVar' ? typeArgs.get(result) : undefined;
  if (arg?.kind === 'Type') return arg.value;
  const last = lastInstances.get(callee);
  const values = typeParams.map((param) => typeArgs.get(param)?.value);
  if (last?.values.every((value, i) => value === values[i]) === true) return last.result;
  const made = replaceTypeVars(typeArgs).type(result);
  if (isClosed(made)) lastInstances.set(callee, { values, result: made });
  return made;
}

/** The constraints of a function at one call. */
export function constraintsOf({ callee, typeArgs }: Application): ReadonlyArray<TypeRelation> {
  if (callee.constraints.length === 0) return callee.constraints;
  const parts = replaceTypeVars(typeArgs);
  return callee.constraints.map((constraint) => withRelationParts(constraint, parts));
}

/**
 * Whether the parameter becomes the argument if its type variables stand for parts of it. If not,
 * unification decides; the parts found until then remain valid.
 */
function match(
  param: Type,
  arg: Type,
  span: Span | undefined,
  typeParams: ReadonlyArray<TypeVar>,
  found: Map<TypeVar, TypeArg>,
  solver: Solver,
): boolean {
  const wanted: Type[] = [param];
  const given: Type[] = [arg];
  let size = 0;
  for (let left = wanted.pop(); left !== undefined; left = wanted.pop()) {
    const right = solver.head(given.pop() as Type);
    if (left._tag === 'TypeVar' && left.kind === 'Type' && typeParams.includes(left)) {
      const known = found.get(left);
      if (known === undefined) found.set(left, { _tag: 'TypeArg', kind: 'Type', value: right });
      else if (known.kind !== 'Type' || !meet(known.value, right, span, solver)) return false;
    } else if (!mentionsTypeVars(left) || !isBuiltAlike(left, right)) {
      if (!isSame(left, right)) return false;
    } else {
      const [lefts, rights] = [typeChildren(left), typeChildren(right)];
      size += lefts.length;
      if (size > MAX_MATCH) return false;
      for (let i = lefts.length - 1; i >= 0; i--) {
        wanted.push(lefts[i] as Type);
        given.push(rights[i] as Type);
      }
    }
  }
  return true;
}

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
      [...a.args, ...b.args].every((arg) => arg.kind === 'Type')
    : sameHead(a, b) && !isGeneral(a) && !isGeneral(b);

interface Instance {
  readonly values: ReadonlyArray<TypeArg['value'] | undefined>;
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
