/**
 * EtaExpand: constructors and global functions as values become function literals that call them.
 * [passes §16](https://batonjs.github.io/baton/spec/passes#16).
 */
import { aBoolean, fail, right } from '@baton/base';
import {
  type Call,
  type Constructor,
  call,
  copyFunction,
  type Expr,
  type Func,
  func,
  type GlobalVar,
  globalVar,
  type IRModule,
  mapChildren,
  mapFunctions,
  typeCall,
  varArg,
  variable,
} from '@baton/ir';
import { type Count, inferType, isOpaque, pass, rewriteFunc } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from './configurable.ts';
import { nothingToExpand } from './diagnostics.ts';

const COUNTERS = ['constructor expanded', 'function expanded'] as const;
type Counter = (typeof COUNTERS)[number];

/** The options of {@link etaExpand}: what it expands, at least one of the two. */
export interface EtaExpandOptions {
  /** Default: true. */
  readonly expandConstructor?: boolean;
  /** Default: true. */
  readonly expandGlobalVar?: boolean;
}

/**
 * Writes a constructor or a global function that is used as a value as a function literal that calls
 * it, so that other passes meet calls alone:
 *
 * ```
 * @map(@double, %xs)   =>   @map(fn (%x: int32) -> int32 { @double(%x) }, %xs)
 * ```
 *
 * What stands as a callee stays. A literal has the type parameters of its function or data type.
 *
 * **Complexity** linear in the function, and in the parameters of what it expands.
 */
export const etaExpand: ConfigurablePass<EtaExpandOptions> = configurable(
  { expandConstructor: aBoolean, expandGlobalVar: aBoolean },
  ({ expandConstructor = true, expandGlobalVar = true }) =>
    pass({
      name: 'EtaExpand',
      doc: 'Replaces constructors and global functions used as values by function literals.',
      subject: 'language',
      level: 1,
      requires: [inferType],
      counters: COUNTERS,
      isIdempotent: true,
      run: (m, { count }) => {
        if (!expandConstructor && !expandGlobalVar) return fail(nothingToExpand());
        const literalOf = (node: Expr): Func | undefined => {
          if (expandConstructor && node._tag === 'Constructor') return ofConstructor(m, node);
          return expandGlobalVar && node._tag === 'GlobalVar' ? ofGlobal(m, node) : undefined;
        };
        return right(mapFunctions(m, (f) => (isOpaque(f) ? f : expanded(f, m, literalOf, count))));
      },
    }),
);

/** Each use has a separate literal, since each may have other type arguments. */
function expanded(
  f: Func,
  m: IRModule,
  literalOf: (node: Expr) => Func | undefined,
  count: Count<Counter>,
): Func {
  const asValue = (node: Expr, get: (node: Expr) => Expr): Expr => {
    const literal = literalOf(node);
    if (literal === undefined) return get(node);
    count(node._tag === 'Constructor' ? 'constructor expanded' : 'function expanded');
    return literal;
  };
  return rewriteFunc(f, m, (node, get) => {
    if (node === f.body && isName(node)) return asValue(node, (same) => same);
    if (node._tag === 'Call' && isName(node.op)) return withArgs(node, (arg) => asValue(arg, get));
    return mapChildren(node, (child) => asValue(child, get));
  });
}

const isName = (node: Expr): boolean => node._tag === 'Constructor' || node._tag === 'GlobalVar';

/** A call with the same callee; itself if no argument changes. */
function withArgs(node: Call, next: (arg: Expr) => Expr): Call {
  const args = node.args.map(next);
  return args.every((arg, i) => arg === node.args[i]) ? node : call(node.op, args, node);
}

function ofConstructor(m: IRModule, named: Constructor): Func | undefined {
  const data = m.typeDefinitions.get(named.belongTo.nameHint);
  if (data === undefined) return undefined;
  const params = named.inputs.map((type, i) => variable(`x${i}`, type));
  return copyFunction(
    func(params, call(named, params), {
      typeParams: data.typeVars,
      retType: typeCall(data.header, data.typeVars.map(varArg)),
      span: named.span,
    }),
  );
}

function ofGlobal(m: IRModule, { nameHint, span }: GlobalVar): Func | undefined {
  const f = m.functions.get(nameHint);
  if (f === undefined) return undefined;
  const body = call(globalVar(nameHint), f.params);
  return copyFunction(func(f.params, body, { ...f, attrs: {}, span }));
}
