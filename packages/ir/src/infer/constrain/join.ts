/** The type of a value that is one of two general functions, chosen at run time. */

import { varArg } from '../../types/instantiate.ts';
import { sameType } from '../../types/same-type.ts';
import { type FuncType, funcType, isClosed, type Type, type TypeArg } from '../../types/type.ts';
import type { TypeVar } from '../../types/variable.ts';
import { distinctRelations } from '../generalize/generalize.ts';
import { replaced } from './demand.ts';

/** The type of two functions that differ only in constraints: with both lists; else `undefined`. */
export function joinFunctions(
  a: Type,
  b: Type,
  canonical: (name: string) => string,
): FuncType | undefined {
  if (a._tag !== 'FuncType' || b._tag !== 'FuncType' || !isClosed(a) || !isClosed(b)) {
    return undefined;
  }
  if (a.constraints.length === 0 || b.constraints.length === 0) return undefined;
  if (a.typeParams.length !== b.typeParams.length) return undefined;
  const names = new Map<TypeVar, TypeArg>();
  for (const [i, param] of b.typeParams.entries()) {
    const paired = a.typeParams[i];
    if (paired === undefined || paired.kind !== param.kind) return undefined;
    names.set(param, varArg(paired));
  }
  const other = replaced(b, names, a.typeParams);
  const isAlike = sameType(funcType(a.params, a.result), funcType(other.params, other.result));
  if (!isAlike) return undefined;
  const constraints = distinctRelations([...a.constraints, ...other.constraints], canonical);
  return funcType(a.params, a.result, a.typeParams, constraints);
}
