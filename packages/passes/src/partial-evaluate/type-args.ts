/** The type arguments of calls that are taken apart. */
import { isLeft } from '@baton/base';
import {
  type Call,
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
  typeArgsOf,
  typeCall,
  typeOf,
  unifyTypes,
  withArgParts,
} from '@baton/ir';
import type { Activation } from './value.ts';

/**
 * The arguments for the type parameters of a function at one call, in the terms of the residual
 * program; `undefined` if the call leaves one open.
 *
 * A call whose callee has type parameters states them. Another one meets the function as a value of
 * one type, which determines them.
 */
export function typeArgsFor(
  m: IRModule,
  call: Call,
  func: Func,
  closure: Activation,
  caller: Activation,
): TypeArgs | undefined {
  const own = func.typeParams;
  if (own.length === 0) return new Map();
  const callee = typeOf(m, call.op);
  if (callee?._tag !== 'FuncType') return undefined;
  const found =
    callee.typeParams.length === own.length
      ? typeArgsOf(m, call)?.map((arg) => withArgParts(arg, caller.types))
      : solved(m, func, closure, caller.types.type(callee));
  return found && new Map(own.map((v, i) => [v, found[i] as TypeArg]));
}

/** The type arguments with which a function has a type. */
function solved(
  m: IRModule,
  func: Func,
  { typeArgs }: Activation,
  type: Type,
): ReadonlyArray<TypeArg> | undefined {
  const holes = func.typeParams.map((v) => holeArg(incompleteType(v.kind)));
  const own = func.typeParams.map((v, i) => [v, holes[i] as TypeArg] as const);
  const { type: open } = replaceTypeVars(new Map([...typeArgs, ...own]));
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
