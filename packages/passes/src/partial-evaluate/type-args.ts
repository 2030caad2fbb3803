/** The type arguments of calls that are taken apart. */
import {
  type Call,
  type Func,
  type IRModule,
  type TypeArg,
  type TypeArgs,
  typeArgsOf,
  typeOf,
  withArgParts,
} from '@baton/ir';
import { typeArgsGiving } from '../type-args.ts';
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
      : typeArgsGiving(m, func, closure.typeArgs, caller.types.type(callee));
  return found && new Map(own.map((v, i) => [v, found[i] as TypeArg]));
}
