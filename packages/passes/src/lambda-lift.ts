/**
 * LambdaLift: functions inside functions become functions of the module.
 * [passes §15](https://batonjs.github.io/baton/spec/passes#15).
 */
import { remember, right } from '@baton/base';
import {
  call,
  copyExpr,
  type Expr,
  type Func,
  freeTypeVars,
  freeVars,
  func,
  globalVar,
  type IRModule,
  mapChildren,
  postOrderExprs,
  replaceTypeVars,
  structuralEqual,
  type Type,
  type TypeVar,
  typeOf,
  typeVar,
  type Var,
  varArg,
  variable,
  withFunctions,
} from '@baton/ir';
import { type Count, inferType, isOpaque, type Pass, pass, rewriteFunc } from '@baton/pass-manager';
import { literalsSharingEffects } from './shared-effects.ts';

const COUNTERS = ['function', 'closure', 'recursive function', 'same again'] as const;
type Counter = (typeof COUNTERS)[number];

/**
 * Moves each function literal out of its function. The values that it captures become parameters of
 * a function that makes it:
 *
 * ```
 * def @main(%x: int32) { let %f = fn (%y: int32) { %x + %y }; %f(%f(1)) }
 * =>
 * def @main(%x: int32) { let %f = @f(%x); %f(%f(1)) }
 * def @f(%x: int32, Closure=1) { fn (%y: int32) { %x + %y } }
 * ```
 *
 * A function that captures nothing is named directly; one that calls itself calls its name. Kernels
 * stay where they are, and so do functions that share an effect with their surroundings, since a copy
 * would have it again. Equal functions that capture nothing are one.
 *
 * **Complexity** linear in the nodes and in the captured values.
 */
export const lambdaLift: Pass = pass({
  name: 'LambdaLift',
  doc: 'Moves inner functions to the module.',
  subject: 'language',
  level: 1,
  requires: [inferType],
  counters: COUNTERS,
  isIdempotent: true,
  run: (m, { count }) => right(liftAll(m, count)),
});

function liftAll(m: IRModule, count: Count<Counter>): IRModule {
  const functions = new Map(m.functions);
  let changes = false;
  for (const [name, f] of m.functions) {
    if (isOpaque(f)) continue;
    const lift = new Lift(m, f, functions);
    const made = lift.body();
    if (made === f) continue;
    changes = true;
    functions.set(name, made);
    for (const [lifted, g] of lift.made) functions.set(lifted, g);
    for (const counter of lift.counted) count(counter);
  }
  return changes ? withFunctions(m, functions) : m;
}

/** The functions lifted out of one function of the module. */
class Lift {
  readonly made = new Map<string, Func>();
  readonly counted: Counter[] = [];
  readonly #m: IRModule;
  readonly #f: Func;
  readonly #others: ReadonlyMap<string, Func>;
  /** The variables to which function literals are bound. */
  readonly #names = new Map<Expr, Set<Var>>();
  /** The next number of a name, by hint. */
  readonly #numbers = new Map<string, number>();
  /** Lifted functions that capture nothing, by hash. */
  readonly #closed = new Map<number, string>();

  constructor(m: IRModule, f: Func, others: ReadonlyMap<string, Func>) {
    this.#m = m;
    this.#f = f;
    this.#others = others;
    for (const node of postOrderExprs([f])) {
      if (node._tag !== 'Let') continue;
      remember(this.#names, node.value, () => new Set<Var>()).add(node.variable);
    }
  }

  /** The function without literals; the same object if it has none. */
  body(): Func {
    const maker = this.#f.attrs.Closure === undefined ? undefined : this.#f.body;
    const sharing = literalsSharingEffects(this.#f, this.#m);
    return rewriteFunc(this.#f, this.#m, (node, get) => {
      if (node._tag !== 'Function' || node === maker || isOpaque(node)) return undefined;
      if (sharing.has(node)) return undefined;
      return this.#lifted(node, mapChildren(node, get) as Func);
    });
  }

  /** The replacement of a literal whose own literals are lifted. */
  #lifted(node: Func, literal: Func): Expr {
    const names = this.#names.get(node) ?? new Set();
    const free = freeVars(literal);
    const self = free.find((v) => names.has(v));
    const captured = free.filter((v) => v !== self);
    const isClosed = captured.length === 0 && freeTypeVars(literal).length === 0;
    const known = isClosed ? this.#closed.get(literal.hash) : undefined;
    const before = known === undefined ? undefined : this.made.get(known);
    if (known !== undefined && before !== undefined && structuralEqual(before, literal)) {
      this.counted.push('same again');
      return globalVar(known, literal.span);
    }
    const global = this.#freshName(self ?? [...names][0]);
    if (isClosed && self === undefined) this.#closed.set(literal.hash, global);
    this.counted.push(
      self === undefined ? (captured.length === 0 ? 'function' : 'closure') : 'recursive function',
    );
    const types = captured.map((v) => typeOf(this.#m, v));
    const typeVars = typeVarsOf(literal, types);
    this.made.set(
      global,
      this.#globalOf(global, node, literal, self, { captured, types, typeVars }),
    );
    const reference = globalVar(global, literal.span);
    if (captured.length === 0) return reference;
    // A size that occurs only in products does not follow from what is captured.
    const typeArgs = [...typeVars.keys()].map(varArg);
    return call(reference, captured, { typeArgs, span: literal.span });
  }

  #globalOf(
    global: string,
    node: Func,
    literal: Func,
    self: Var | undefined,
    { captured, types, typeVars }: Surroundings,
  ): Func {
    const args = new Map([...typeVars].map(([v, made]) => [v, varArg(made)] as const));
    const typed = replaceTypeVars(args);
    const typeAt = (type: Type | undefined): Type | undefined => type && typed.type(type);
    const params = captured.map((v, i) => variable(v.nameHint, typeAt(types[i]), v.span));
    const own = [...typeVars.values()];
    const reference = globalVar(global);
    const values = new Map<Var, Expr>(captured.map((v, i) => [v, params[i] ?? v]));
    if (self !== undefined) {
      const typeArgs = own.map(varArg);
      values.set(self, params.length === 0 ? reference : call(reference, params, { typeArgs }));
    }
    const inner = copyExpr(literal, { values, types: args }) as Func;
    if (params.length === 0) {
      return func(inner.params, inner.body, {
        ...inner,
        typeParams: [...own, ...inner.typeParams],
      });
    }
    const retType = typeAt(typeOf(this.#m, node));
    return func(params, inner, {
      typeParams: own,
      attrs: { Closure: 1 },
      span: literal.span,
      ...(retType && { retType }),
    });
  }

  #freshName(name: Var | undefined): string {
    const hint = name?.nameHint ?? 'lifted';
    for (;;) {
      const number = this.#numbers.get(hint) ?? 0;
      this.#numbers.set(hint, number + 1);
      const made = number === 0 ? hint : `${hint}_${number}`;
      if (!this.#others.has(made) && !this.made.has(made)) return made;
    }
  }
}

/** The captures of a literal. */
interface Surroundings {
  readonly captured: ReadonlyArray<Var>;
  readonly types: ReadonlyArray<Type | undefined>;
  /** The type parameters that it mentions, with new ones. */
  readonly typeVars: ReadonlyMap<TypeVar, TypeVar>;
}

/** The type parameters of the function around a literal that it mentions, with new ones. */
function typeVarsOf(
  literal: Func,
  types: ReadonlyArray<Type | undefined>,
): ReadonlyMap<TypeVar, TypeVar> {
  const free = [literal, ...types].flatMap((of) => (of === undefined ? [] : freeTypeVars(of)));
  return new Map([...new Set(free)].map((v) => [v, typeVar(v.nameHint, v.kind)]));
}
