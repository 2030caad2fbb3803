/** Fits values to demanded types; a demanded polymorphic function is fitted for all its types. */

import { describeType } from '../../describe/describe.ts';
import * as diagnose from '../../diagnostics.ts';
import { holeArg, replaceTypeVars, varArg } from '../../types/instantiate.ts';
import { withRelationParts } from '../../types/parts.ts';
import { type FuncType, funcType, type Type, type TypeArg } from '../../types/type.ts';
import { type TypeVar, typeVar } from '../../types/variable.ts';
import { spanOf, type Where } from '../solve/relations.ts';
import type { Solver } from '../solve/solver.ts';
import { isGeneral, isSame } from '../solve/unify.ts';

/** Like `unify`, but type parameters of the demand are rigid, and its relations are assumptions. */
export function demandType(
  expected: Type,
  found: Type,
  what: string,
  span: Where,
  solver: Solver,
): Type | undefined {
  const wanted = solver.head(expected);
  const given = solver.head(found);
  if (!isGeneral(wanted) || given._tag !== 'FuncType' || isSame(wanted, given)) {
    return solver.unify(expected, found, what, span);
  }
  // Relations about literals determine their dtypes: they are met one by one.
  const isAlike =
    wanted.typeParams.length === given.typeParams.length &&
    wanted.constraints.length === given.constraints.length;
  if (isAlike && speaksOfLiterals(given, solver)) return solver.unify(expected, found, what, span);
  if (isGeneral(given) && !solver.mayCopy(given, what, span)) return undefined;
  const instance = isGeneral(given) ? instanceOf(given, solver) : given;
  const shape = funcType(wanted.params, wanted.result);
  solver.hasMetRigid = true;
  const met = solver.tryUnify(shape, funcType(instance.params, instance.result), (notes) => {
    const [a, b] = [solver.resolve(wanted), solver.resolve(given)];
    return diagnose.typeMismatch(describeType(a), describeType(b), what, notes, spanOf(span));
  });
  if (met === undefined) return undefined;
  solver.assumingMeanwhile(wanted.constraints, () => {
    for (const constraint of instance.constraints) solver.post(constraint, span);
  });
  return wanted;
}

/** The type with new type parameters, for a function that is made to declare them. */
export function withOwnParams(type: FuncType): FuncType {
  const own = type.typeParams.map((v) => typeVar(v.nameHint, v.kind));
  const names = type.typeParams.map((v, i): [TypeVar, TypeArg] => [v, varArg(own[i] as TypeVar)]);
  return replaced(type, new Map(names), own);
}

const instanceOf = (type: FuncType, solver: Solver): FuncType => {
  const resolved = solver.resolve(type) as FuncType;
  const holes = resolved.typeParams.map((v): [TypeVar, TypeArg] => [
    v,
    holeArg(solver.fresh(v.kind)),
  ]);
  return replaced(resolved, new Map(holes), []);
};

/** A function with other type parameters, and the arguments for its old ones. */
export function replaced(
  { params, result, constraints }: FuncType,
  args: ReadonlyMap<TypeVar, TypeArg>,
  typeParams: ReadonlyArray<TypeVar>,
): FuncType {
  const parts = replaceTypeVars(args);
  return funcType(
    params.map(parts.type),
    parts.type(result),
    typeParams,
    constraints.map((c) => withRelationParts(c, parts)),
  );
}

/** Whether the relations of a function are about numbers of unknown dtype. */
export const speaksOfLiterals = ({ constraints }: FuncType, { holes }: Solver): boolean =>
  constraints.length > 0 &&
  [...holes.openHoles(constraints.flatMap((c) => c.args))].some((h) => h.literal !== undefined);
