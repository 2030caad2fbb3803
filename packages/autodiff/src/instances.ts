/** Instances of polymorphic functions at types: gradients depend on shapes and dtypes. */
import { type Diagnostic, isLeft } from '@baton/base';
import {
  type Call,
  call,
  copyExpr,
  type Expr,
  type Func,
  freeTypeVars,
  func,
  globalTypeVar,
  globalVar,
  type IRModule,
  inferTypes,
  makeTypeNumbers,
  mapChildren,
  mapParts,
  postOrderExprs,
  replaceTypeVars,
  rewriteExpr,
  type TypeArg,
  type TypeVar,
  typeArgsOf,
  typeCall,
  type Var,
  variable,
  withFunctions,
} from '@baton/ir';
import { tooManyInstances } from './diagnostics.ts';

/** The most instances of one function: recursion at ever larger types has no end. */
const MAX_INSTANCES = 200;

/** A module that grows by instances of its polymorphic functions. */
export interface Instances {
  readonly module: () => IRModule;
  /** Adds a function, whose calls become calls of instances; `undefined` after an error. */
  readonly add: (name: string, f: Func) => Func | undefined;
  /** The name of the function that a name of an instance comes from. */
  readonly origin: (name: string) => string;
}

/** Instances of the functions of a typed module. Errors go to `report`. */
export function instancesIn(given: IRModule, report: (problem: Diagnostic) => void): Instances {
  let m = given;
  const names = new Map<number, string>();
  const numberOf = makeTypeNumbers();
  const origins = new Map<string, string>();
  const counts = new Map<string, number>();
  const origin = (name: string): string => origins.get(name) ?? name;

  const typedWith = (added: ReadonlyMap<string, Func>): boolean => {
    // A copy of the module for each of its own functions would cost their square.
    if ([...added].every(([name, f]) => m.functions.get(name) === f)) return true;
    const typed = inferTypes(withFunctions(m, new Map([...m.functions, ...added])));
    if (isLeft(typed)) for (const problem of typed.left) report(problem);
    else m = typed.right;
    return !isLeft(typed);
  };

  /** The name of an instance, which `made` gets if it is new. */
  const instance = (
    name: string,
    typeArgs: ReadonlyArray<TypeArg>,
    made: Map<string, Func>,
  ): string | undefined => {
    const f = m.functions.get(name);
    if (f === undefined || f.typeParams.length !== typeArgs.length) return undefined;
    const source = origin(name);
    const key = numberOf(typeCall(globalTypeVar(source), typeArgs));
    const known = names.get(key);
    if (known !== undefined) return known;
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    if (count === MAX_INSTANCES + 1) report(tooManyInstances(source, f.span));
    if (count > MAX_INSTANCES) return undefined;
    const own = `${source} ${names.size}`;
    names.set(key, own);
    origins.set(own, source);
    made.set(own, instantiated(f, typeArgs));
    return own;
  };

  const specialised = (f: Func, made: Map<string, Func>): Func =>
    mapChildren(f, (body) =>
      rewriteExpr(body, (node, get) => {
        if (node._tag !== 'Call' || node.op._tag !== 'GlobalVar') return undefined;
        if ((m.functions.get(node.op.nameHint)?.typeParams.length ?? 0) === 0) return undefined;
        const typeArgs = typeArgsOf(m, node);
        if (typeArgs === undefined || !typeArgs.every(isClosedArg)) return undefined;
        const name = instance(node.op.nameHint, typeArgs, made);
        if (name === undefined) return undefined;
        return call(globalVar(name, node.op.span), node.args.map(get), { span: node.span });
      }),
    ) as Func;

  return {
    module: () => m,
    origin,
    add: (name, f) => {
      let waiting = new Map([[name, f]]);
      while (waiting.size > 0) {
        if (!typedWith(waiting)) return undefined;
        const next = new Map<string, Func>();
        for (const own of waiting.keys()) {
          const found = m.functions.get(own) as Func;
          const local = withLocalInstances(m, found);
          if (local !== found) {
            next.set(own, local);
            continue;
          }
          const made = specialised(found, next);
          if (made !== found) next.set(own, made);
        }
        waiting = next;
      }
      return m.functions.get(name);
    },
  };
}

const isClosedArg = (arg: TypeArg): boolean =>
  freeTypeVars(typeCall(globalTypeVar(''), [arg])).length === 0;

/** A function at these type arguments, which satisfy its constraints. */
export function instantiated(f: Func, typeArgs: ReadonlyArray<TypeArg>): Func {
  const types = new Map(f.typeParams.map((v, i) => [v, typeArgs[i] as TypeArg] as const));
  const plain = func(f.params, f.body, { ...f, typeParams: [], constraints: [] });
  return copyExpr(plain, { values: new Map(), types }) as Func;
}

/** The function with its polymorphic lets, if used at one type only, at that type. */
function withLocalInstances(m: IRModule, f: Func): Func {
  const order = postOrderExprs([f]);
  const lets = new Map<Var, Func>();
  for (const node of order) {
    if (node._tag !== 'Let' || node.value._tag !== 'Function') continue;
    if (node.value.typeParams.length > 0) lets.set(node.variable, node.value);
  }
  if (lets.size === 0) return f;
  const numberOf = makeTypeNumbers();
  const uses = new Map<Var, Map<number, ReadonlyArray<TypeArg>>>();
  for (const node of order) {
    const used = node._tag === 'Call' ? usedLet(node, lets) : undefined;
    if (used === undefined || node._tag !== 'Call') continue;
    const typeArgs = typeArgsOf(m, node) ?? [];
    const own = lets.get(used)?.typeParams ?? [];
    // A function's calls of itself are at its own parameters.
    const isOwn = typeArgs.some((arg) => freeIn(arg).some((v) => own.includes(v)));
    if (isOwn) continue;
    const found = uses.get(used) ?? new Map();
    uses.set(used, found.set(numberOf(typeCall(globalTypeVar(''), typeArgs)), typeArgs));
  }
  const types = new Map<TypeVar, TypeArg>();
  const chosen = new Map<Expr, Var>();
  for (const [v, literal] of lets) {
    const found = [...(uses.get(v)?.values() ?? [])];
    const [typeArgs] = found;
    if (found.length !== 1 || typeArgs?.length !== literal.typeParams.length) continue;
    if (!typeArgs.every(isClosedArg)) continue;
    literal.typeParams.forEach((param, i) => {
      types.set(param, typeArgs[i] as TypeArg);
    });
    chosen.set(literal, v);
  }
  return chosen.size === 0 ? f : withTypes(f, types, chosen);
}

const freeIn = (arg: TypeArg) => freeTypeVars(typeCall(globalTypeVar(''), [arg]));

const usedLet = (node: Call, lets: ReadonlyMap<Var, Func>): Var | undefined =>
  node.op._tag === 'Var' && lets.has(node.op) ? node.op : undefined;

/** The function with type parameters of the chosen literals replaced. */
function withTypes(
  f: Func,
  types: ReadonlyMap<TypeVar, TypeArg>,
  chosen: ReadonlyMap<Expr, Var>,
): Func {
  const typed = replaceTypeVars(types);
  const renamed = new Map<Expr, Var>();
  const names = new Set(chosen.values());
  const binder = (v: Var): Var => {
    const known = renamed.get(v);
    if (known !== undefined) return known;
    const type = names.has(v) ? undefined : v.typeAnnotation && typed.type(v.typeAnnotation);
    const made = type === v.typeAnnotation ? v : variable(v.nameHint, type, v.span);
    renamed.set(v, made);
    return made;
  };
  return rewriteExpr(f, (node, get) => {
    if (node._tag === 'Var') return binder(node);
    const made = mapParts(node, { child: get, binder, types: typed });
    if (!chosen.has(node) || made._tag !== 'Function') return made;
    return func(made.params, made.body, { ...made, typeParams: [], constraints: [] });
  }) as Func;
}
