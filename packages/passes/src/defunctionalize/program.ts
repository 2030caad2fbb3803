/** The functions of a program, copied for the types at which it calls them, without function values. */
import {
  binders,
  type Call,
  call,
  clause,
  copyExpr,
  type Expr,
  type Func,
  type FuncType,
  freeVars,
  func,
  type GlobalVar,
  globalTypeVar,
  globalVar,
  type IRModule,
  isTotal,
  type Let,
  letIn,
  mapParts,
  postOrderExprs,
  reachableFunctions,
  replaceTypeVars,
  type Type,
  type TypeArg,
  type TypeArgs,
  typeArgsOf,
  typeCall,
  typeEqual,
  typeOf,
  type Var,
  variable,
  withArgParts,
} from '@baton/ir';
import { type Count, isOpaque } from '@baton/pass-manager';
import { mentionsFunction } from '../facts.ts';
import type { Counter } from './counters.ts';
import { type Encoding, Encodings, patternOf } from './encoding.ts';

/** The most copies of functions: generic recursion may call itself at ever larger types. */
const MAX_COPIES = 1_000;

interface Copy {
  readonly name: string;
  readonly typeArgs: TypeCall;
}

type TypeCall = ReturnType<typeof typeCall>;

interface Writing {
  readonly types: ReturnType<typeof replaceTypeVars>;
  readonly variables: ReadonlyMap<Var, Var>;
  /** The lets that bind function literals, which may call themselves by that name. */
  readonly names: ReadonlyMap<Expr, Var>;
  /** Whether the function is added next to the one that it is made from. */
  readonly isCopy: boolean;
  readonly get: (node: Expr) => Expr;
}

/** A program that is taken from its entry. */
export class Program {
  readonly encodings: Encodings;
  readonly functions = new Map<string, Func>();
  readonly #m: IRModule;
  readonly #count: Count<Counter>;
  readonly #copies = new Map<string, Copy[]>();
  readonly #pending: (() => void)[] = [];
  readonly #isPlain = new Map<string, boolean>();
  /** The opaque functions that occur in the program. */
  readonly #taken = new Set<Func>();
  /** Whether something has no form without function values. */
  #isStuck = false;

  constructor(m: IRModule, count: Count<Counter>) {
    this.#m = m;
    this.#count = count;
    this.encodings = new Encodings(m);
  }

  /** Writes all functions that the entry needs; false if there is no way to. */
  write(entry: string): boolean {
    this.#copyOf(entry, []);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      if (this.#isStuck || this.encodings.hasGeneric) return false;
      next();
    }
    return !this.#isStuck && !this.encodings.hasGeneric;
  }

  #copyOf(name: string, args: ReadonlyArray<TypeArg>): string {
    const f = this.#m.functions.get(name);
    if (f === undefined || (this.#hasNoFunctions(name) && !args.some(hasFunction))) return name;
    if (isOpaque(f)) this.#isStuck = true;
    const typeArgs = typeCall(globalTypeVar(''), args);
    const copies = this.#copies.get(name) ?? [];
    this.#copies.set(name, copies);
    const known = copies.find((copy) => typeEqual(copy.typeArgs, typeArgs));
    if (known !== undefined) return known.name;
    const signature = [...f.params.map((v) => typeOf(this.#m, v)), typeOf(this.#m, f.body)];
    const isSame = f.typeParams.length === 0 && !signature.some((t) => t && mentionsFunction(t));
    const made = isSame ? name : this.#freshName(name);
    copies.push({ name: made, typeArgs });
    if (copies.length > MAX_COPIES) this.#isStuck = true;
    if (!isSame) this.#count('copy of a function');
    const own = new Map(f.typeParams.map((v, i) => [v, args[i] as TypeArg] as const));
    this.#pending.push(() => this.functions.set(made, this.#written(f, own, !isSame)));
    // The name is taken from now on.
    this.functions.set(made, f);
    return made;
  }

  #freshName(name: string): string {
    for (let i = 1; ; i++) {
      const made = `${name}_${i}`;
      if (!this.#m.functions.has(made) && !this.functions.has(made)) return made;
    }
  }

  /** Whether nothing that the function reaches makes or calls function values. */
  #hasNoFunctions(name: string): boolean {
    const known = this.#isPlain.get(name);
    if (known !== undefined) return known;
    const reached = [...reachableFunctions(this.#m.functions, [name])];
    const found = reached.every((g) => {
      const f = this.#m.functions.get(g);
      return f === undefined || isOpaque(f) || isPlain(f);
    });
    this.#isPlain.set(name, found);
    return found;
  }

  #written(f: Func, own: TypeArgs, isCopy: boolean): Func {
    const types = replaceTypeVars(own);
    const order = postOrderExprs([f.body], isOpaque);
    const bound = [...f.params, ...order.flatMap(binders)];
    const variables = new Map(
      bound.map((v) => [v, variable(v.nameHint, this.#typeOf(v, types), v.span)] as const),
    );
    const names = new Map(
      order
        .filter((node): node is Let => node._tag === 'Let' && node.value._tag === 'Function')
        .map((node) => [node.value, node.variable] as const),
    );
    const results = new Map<Expr, Expr>();
    const get = (node: Expr): Expr => results.get(node) ?? this.#leaf(node, writing, results);
    const writing: Writing = { types, variables, names, isCopy, get };
    for (const node of order) results.set(node, this.#node(node, writing));
    const retType = this.#typeOf(f.body, types);
    return func(
      f.params.map((v) => variables.get(v) ?? v),
      get(f.body),
      { attrs: f.attrs, span: f.span, ...(retType && { retType }) },
    );
  }

  #node(node: Expr, writing: Writing): Expr {
    const { variables, get } = writing;
    switch (node._tag) {
      case 'Var':
        return variables.get(node) ?? node;
      case 'Function':
        return this.#asData(node, get(node.body), writing);
      case 'GlobalVar':
      case 'Op':
      case 'Constructor':
        // As a callee it has a form of its own; as a value it has none.
        return node;
      case 'Call':
        return this.#call(node, writing);
      default:
        return this.#mapped(node, writing, (child) => this.#value(child, writing));
    }
  }

  /** A callee that is not looked into. */
  #leaf(node: Expr, writing: Writing, results: Map<Expr, Expr>): Expr {
    if (node._tag !== 'Function') return node;
    const values = freeVars(node).map((v) => [v, writing.variables.get(v) ?? v] as const);
    const made = this.#opaque(node, new Map(values), writing);
    results.set(node, made);
    return made;
  }

  /** A function that is not looked into, with others for what it captures: itself once, if it can be. */
  #opaque(node: Func, values: ReadonlyMap<Var, Expr>, { isCopy }: Writing): Expr {
    if (!isCopy && values.size === 0 && !this.#taken.has(node)) {
      this.#taken.add(node);
      return node;
    }
    return copyExpr(node, { values, types: new Map() });
  }

  #value(node: Expr, writing: Writing): Expr {
    if (node._tag === 'Function' && isOpaque(node)) {
      return this.#asData(node, undefined, writing);
    }
    const isName = node._tag === 'GlobalVar' || node._tag === 'Op' || node._tag === 'Constructor';
    if (isName) this.#isStuck = true;
    return writing.get(node);
  }

  #mapped(node: Expr, { types, variables }: Writing, child: (node: Expr) => Expr): Expr {
    return mapParts(node, {
      child,
      binder: (v) => variables.get(v) ?? v,
      types: { ...types, type: (type) => this.encodings.type(types.type(type)) },
      isCopy: true,
    });
  }

  #call(node: Call, writing: Writing): Expr {
    const { op } = node;
    const args = node.args.map((arg) => this.#value(arg, writing));
    if (op._tag === 'Op' || op._tag === 'Constructor' || (op._tag === 'Function' && isOpaque(op))) {
      const parts = [...args, writing.get(op)];
      let at = 0;
      return this.#mapped(node, writing, () => parts[at++] as Expr);
    }
    if (op._tag === 'GlobalVar') return this.#globalCall(node, op, args, writing);
    const type = this.#functionType(op, writing);
    if (type === undefined) return node;
    this.#count('call through data');
    const { apply } = this.encodings.of(type);
    const callee = this.#value(op, writing);
    if (isTotal(this.#m, op)) return call(globalVar(apply), [callee, ...args], node);
    // A computed callee comes after the arguments.
    const early = args.map((arg) => variable('x', undefined, arg.span));
    const whole: Expr = call(globalVar(apply), [callee, ...early], { span: node.span });
    return args.reduceRight<Expr>(
      (body, arg, i) => letIn(early[i] as Var, arg, body, node.span),
      whole,
    );
  }

  #globalCall(node: Call, op: GlobalVar, args: ReadonlyArray<Expr>, { types }: Writing): Expr {
    const f = this.#m.functions.get(op.nameHint);
    const found = f?.typeParams.length === 0 ? [] : typeArgsOf(this.#m, node);
    if (found === undefined) {
      this.#isStuck = true;
      return node;
    }
    const typeArgs = found.map((arg) => withArgParts(arg, types));
    return call(globalVar(this.#copyOf(op.nameHint, typeArgs), op.span), args, { span: node.span });
  }

  /** The data that represents a function literal, whose body is written. */
  #asData(node: Func, body: Expr | undefined, writing: Writing): Expr {
    const type = this.#functionType(node, writing);
    if (type === undefined) return node;
    this.#count('function as data');
    const encoding = this.encodings.of(type);
    const { variables, types } = writing;
    const mentioned = freeVars(node);
    const self = mentioned.find((v) => v === writing.names.get(node));
    const free = mentioned.filter((v) => v !== self);
    const captured = free.map((v) => variables.get(v) ?? v);
    const fields = free.map((v) => variable(v.nameHint, this.#typeOf(v, types), v.span));
    const inputs = fields.flatMap(({ typeAnnotation }) => typeAnnotation ?? []);
    if (inputs.length < fields.length) this.#isStuck = true;
    const ctor = this.encodings.constructorOf(encoding, inputs);
    const here = (v: Var): Var => (body !== undefined ? (variables.get(v) ?? v) : v);
    const values = new Map(free.map((v, i) => [here(v), fields[i] as Expr] as const));
    if (self !== undefined) values.set(here(self), encoding.self);
    const taken =
      body !== undefined
        ? bodyIn(node, body, encoding, values, variables)
        : call(this.#opaque(node, values, writing), encoding.params);
    encoding.clauses.push({ ctor, taken: clause(patternOf(ctor, fields), taken) });
    return call(ctor, captured, { span: node.span });
  }

  #functionType(node: Expr, { types }: Writing): FuncType | undefined {
    const type = typeOf(this.#m, node);
    const found = type && types.type(type);
    if (found?._tag === 'FuncType' && found.typeParams.length === 0) return found;
    this.#isStuck = true;
    return undefined;
  }

  #typeOf(node: Expr, types: ReturnType<typeof replaceTypeVars>): Type | undefined {
    const type = typeOf(this.#m, node);
    return type && this.encodings.type(types.type(type));
  }
}

function bodyIn(
  node: Func,
  body: Expr,
  { params }: Encoding,
  values: Map<Var, Expr>,
  variables: ReadonlyMap<Var, Var>,
): Expr {
  node.params.forEach((v, i) => {
    values.set(variables.get(v) ?? v, params[i] as Var);
  });
  return copyExpr(body, { values, types: new Map() });
}

/** Whether a function neither makes nor calls function values. */
const isPlain = (f: Func): boolean =>
  postOrderExprs([f.body], isOpaque).every((node) => {
    if (node._tag === 'Function') return false;
    return node._tag !== 'Call' || isName(node.op) || isOpaque(node.op);
  });

const isName = ({ _tag }: Expr): boolean =>
  _tag === 'Op' || _tag === 'Constructor' || _tag === 'GlobalVar';

const hasFunction = (arg: TypeArg): boolean => arg.kind === 'Type' && mentionsFunction(arg.value);
