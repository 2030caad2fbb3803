/** Generic literals as arguments, at the types of their calls. */
import {
  type Call,
  copyExpr,
  type Expr,
  type Func,
  func,
  type IRModule,
  mapChildren,
  mapFunctions,
  replaceTypeVars,
  type Type,
  type TypeArg,
  typeArgsOf,
  typeOf,
  withChildren,
} from '@baton/ir';
import { isOpaque, rewriteFunc } from '@baton/pass-manager';
import { typeArgsGiving } from '../type-args.ts';

/** The module, in which generic literals that are arguments of calls have one type each. */
export const instantiated = (m: IRModule): IRModule =>
  mapFunctions(m, (f) =>
    isOpaque(f)
      ? f
      : rewriteFunc(f, m, (node, get) =>
          node._tag === 'Call' ? withTypedArgs(m, node, get) : undefined,
        ),
  );

function withTypedArgs(m: IRModule, node: Call, get: (node: Expr) => Expr): Expr {
  if (!node.args.some(isGeneric)) return mapChildren(node, get);
  const wanted = paramTypes(m, node);
  const args = node.args.map((arg, i) => {
    const type = wanted?.[i];
    const args = isGeneric(arg) && type ? typeArgsGiving(m, arg, new Map(), type) : undefined;
    return args === undefined ? get(arg) : typed(arg as Func, get(arg) as Func, args);
  });
  return withChildren(node, [...args, get(node.op)]);
}

const isGeneric = (arg: Expr): arg is Func =>
  arg._tag === 'Function' && arg.typeParams.length > 0 && !isOpaque(arg);

function typed(was: Func, made: Func, args: ReadonlyArray<TypeArg>): Expr {
  const { retType, attrs, span } = made;
  const open = func(made.params, made.body, { attrs, span, ...(retType && { retType }) });
  const types = new Map(was.typeParams.map((v, i) => [v, args[i] as TypeArg] as const));
  return copyExpr(open, { values: new Map(), types });
}

function paramTypes(m: IRModule, node: Call): ReadonlyArray<Type> | undefined {
  const callee = typeOf(m, node.op);
  if (callee?._tag !== 'FuncType') return undefined;
  const found = typeArgsOf(m, node);
  if (found === undefined) return undefined;
  const own = callee.typeParams.map((v, i) => [v, found[i] as TypeArg] as const);
  return callee.params.map(replaceTypeVars(new Map(own)).type);
}
