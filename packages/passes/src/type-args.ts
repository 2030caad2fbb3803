/** The type arguments with which a function has a given type. */
import { isLeft } from '@baton/base';
import {
  type Func,
  funcType,
  globalTypeVar,
  holeArg,
  type IRModule,
  incompleteType,
  isClosed,
  replaceTypeVars,
  type Type,
  type TypeArg,
  type TypeArgs,
  tupleType,
  typeCall,
  typeOf,
  unifyTypes,
} from '@baton/ir';

/**
 * The arguments of a function's type parameters with which it has a type; `undefined` if there are
 * none, or the type leaves one open. `outer` are the arguments of the type parameters around it.
 *
 * **Complexity** linear in the types.
 */
export function typeArgsGiving(
  m: IRModule,
  func: Func,
  outer: TypeArgs,
  type: Type,
): ReadonlyArray<TypeArg> | undefined {
  const holes = func.typeParams.map((v) => holeArg(incompleteType(v.kind)));
  const own = func.typeParams.map((v, i) => [v, holes[i] as TypeArg] as const);
  const { type: open } = replaceTypeVars(new Map([...outer, ...own]));
  const params = func.params.map((param) => typeOf(m, param));
  const result = func.retType ?? typeOf(m, func.body);
  const known = params.filter((param) => param !== undefined);
  if (known.length < params.length || result === undefined) return undefined;
  const list = typeCall(globalTypeVar(''), holes);
  const wanted = tupleType([list, funcType(known.map(open), open(result))]);
  const met = unifyTypes(wanted, tupleType([list, type]));
  if (isLeft(met) || met.right._tag !== 'TupleType') return undefined;
  const [args] = met.right.fields;
  const isSolved = args?._tag === 'TypeCall' && isClosed(args);
  return isSolved ? args.args : undefined;
}
