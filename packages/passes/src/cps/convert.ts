/** One function in continuation-passing style. */
import { InvariantError, memoFold } from '@baton/base';
import {
  type Attrs,
  binders,
  type Call,
  call,
  type Expr,
  type Func,
  type FuncParts,
  freeVars,
  func,
  funcType,
  globalVar,
  type If,
  type IRModule,
  type Let,
  letIn,
  type Match,
  mapParts,
  postOrderExprs,
  type Type,
  type TypeVar,
  typeChildren,
  typeOf,
  typeVar,
  type Var,
  varArg,
  variable,
  withRelationParts,
  withTypeParts,
} from '@baton/ir';
import { type Count, isOpaque } from '@baton/pass-manager';
import type { Counter } from './counters.ts';

export interface Given {
  /** The module in A-normal form, with types. */
  readonly m: IRModule;
  /** The names of the converted functions, by those of the functions. */
  readonly names: ReadonlyMap<string, string>;
  readonly count: Count<Counter>;
}

/** A block: bindings, their result, and the continuation that takes it. */
interface Block {
  readonly lets: ReadonlyArray<Let>;
  readonly tail: Expr;
  readonly k: Var;
  /** The blocks in the values of lets, and the continuation that those of branches have. */
  readonly inside: Map<Let, { readonly k: Var; readonly blocks: ReadonlyArray<Block> }>;
  made: Expr | undefined;
}

export class Conversion {
  readonly #given: Given;
  readonly #answer: TypeVar = typeVar('R', 'Type');
  readonly #type: (type: Type) => Type;
  readonly #variables = new Map<Var, Var>();
  readonly #blocks: Block[] = [];
  #isStuck = false;

  constructor(given: Given) {
    this.#given = given;
    const stays = <A>(part: A): A => part;
    this.#type = memoFold<Type, Type>(typeChildren, (type, get) => {
      const made = withTypeParts(type, { type: get, shape: stays, dtype: stays, dim: stays });
      if (made._tag !== 'FuncType') return made;
      const params = [...made.params, this.#continuation(made.result)];
      return funcType(params, this.#answer, made.typeParams, made.constraints);
    });
  }

  /** Whether the function has no such form: a kernel in it calls itself. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** A function of the module, which takes the type of the answer as its last type argument. */
  global(f: Func, attrs: Attrs): Func {
    for (const v of postOrderExprs([f], isOpaque).flatMap(binders)) this.#bind(v);
    const k = this.#k(f.body);
    const root = this.#block(f.body, k);
    // Blocks come to the list while it is read.
    for (const block of this.#blocks) this.#open(block);
    for (const block of this.#blocks.toReversed()) block.made = this.#closed(block);
    const made = this.#func(f, k, root);
    return func(made.params, made.body, {
      ...made,
      attrs,
      typeParams: [...f.typeParams, this.#answer],
    });
  }

  #bind(v: Var): void {
    const type = this.#typeOf(v);
    this.#variables.set(v, type === v.typeAnnotation ? v : variable(v.nameHint, type, v.span));
  }

  #block(root: Expr, k: Var): Block {
    const lets: Let[] = [];
    let tail = root;
    for (; tail._tag === 'Let'; tail = tail.body) lets.push(tail);
    const block: Block = { lets, tail, k, inside: new Map(), made: undefined };
    this.#blocks.push(block);
    return block;
  }

  #open(block: Block): void {
    for (const node of block.lets) {
      const { value } = node;
      const isKernel: boolean = isOpaque(value);
      if (value._tag === 'Function' && !isKernel) {
        const k = this.#k(value.body);
        block.inside.set(node, { k, blocks: [this.#block(value.body, k)] });
      } else if (value._tag === 'If' || value._tag === 'Match') {
        const k = isTail(block, node)
          ? block.k
          : variable('join', this.#continuation(this.#typeOf(node.variable)));
        const blocks = branches(value).map((branch) => this.#block(branch, k));
        block.inside.set(node, { k, blocks });
      }
    }
  }

  /** The block, when the blocks inside it are made. */
  #closed(block: Block): Expr {
    const last = block.lets.at(-1);
    const hasCall = last !== undefined && isTail(block, last) && this.#takesContinuation(last);
    const lets = hasCall ? block.lets.slice(0, -1) : block.lets;
    const start = hasCall ? this.#finished(last, block) : call(block.k, [this.#atom(block.tail)]);
    return lets.reduceRight<Expr>((rest, node) => this.#bound(node, rest, block), start);
  }

  /** A let whose value is passed to the continuation of its block. */
  #finished(node: Let, block: Block): Expr {
    return node.value._tag === 'Call'
      ? this.#call(node.value, block.k)
      : this.#choice(node.value, block.inside.get(node)?.blocks ?? []);
  }

  #bound(node: Let, rest: Expr, block: Block): Expr {
    const { value } = node;
    const v = this.#variables.get(node.variable) ?? node.variable;
    const inside = block.inside.get(node);
    if (this.#takesContinuation(node)) {
      const after = func([v], rest, { retType: this.#answer });
      if (value._tag === 'Call') return this.#call(value, after);
      this.#given.count('join');
      const join = inside?.k ?? v;
      return letIn(join, after, this.#choice(value, inside?.blocks ?? []), node.span);
    }
    const [body] = inside?.blocks ?? [];
    if (value._tag !== 'Function' || inside === undefined || body === undefined) {
      if (value._tag === 'Function' && freeVars(value).includes(node.variable)) {
        this.#isStuck = true;
      }
      return letIn(v, this.#direct(value), rest, node.span);
    }
    return letIn(v, this.#func(value, inside.k, body), rest, node.span);
  }

  #takesContinuation({ value }: Let): boolean {
    if (value._tag === 'If' || value._tag === 'Match') return true;
    return value._tag === 'Call' && !this.#isDirect(value.op);
  }

  /** Whether a callee returns its result to the caller. */
  #isDirect(op: Expr): boolean {
    if (op._tag === 'GlobalVar') return !this.#given.names.has(op.nameHint);
    return op._tag === 'Op' || op._tag === 'Constructor' || isOpaque(op);
  }

  #call(node: Call, k: Expr): Expr {
    this.#given.count('call');
    const { op, typeArgs, span } = node;
    const args = [...node.args.map((arg) => this.#atom(arg)), k];
    if (op._tag !== 'GlobalVar') return call(this.#atom(op), args, { span });
    const name = this.#given.names.get(op.nameHint) ?? op.nameHint;
    const types = { ...SAME, type: this.#type };
    const mapped = mapParts(node, { child: (child) => child, types });
    const written = mapped._tag === 'Call' && typeArgs.length > 0 ? mapped.typeArgs : [];
    const all = written.length > 0 ? [...written, varArg(this.#answer)] : [];
    return call(globalVar(name, op.span), args, { span, typeArgs: all });
  }

  #choice(node: Expr, blocks: ReadonlyArray<Block>): Expr {
    if (node._tag !== 'If' && node._tag !== 'Match') {
      throw new InvariantError('a choice is a condition or a match');
    }
    const head = node._tag === 'If' ? node.cond : node.data;
    const parts = [this.#atom(head), ...blocks.map(({ made }) => made as Expr)];
    return this.#mapped(node, parts);
  }

  /** A value that needs no continuation. */
  #direct(value: Expr): Expr {
    if (value._tag === 'Function') return this.#wrapped(value);
    if (isAtomic(value)) return this.#atom(value);
    return this.#mapped(value, undefined);
  }

  /** A kernel as a value, which passes its result to a continuation. */
  #wrapped(kernel: Func): Expr {
    const params = kernel.params.map((v) => variable(v.nameHint, typeOf(this.#given.m, v)));
    const k = this.#k(kernel.body);
    return func([...params, k], call(k, [call(kernel, params)]), { retType: this.#answer });
  }

  #func(f: Func, k: Var, { made }: Block): Func {
    const params = f.params.map((v) => this.#variables.get(v) ?? v);
    const parts: Partial<FuncParts> = {
      typeParams: f.typeParams,
      constraints: f.constraints.map((c) => withRelationParts(c, { ...SAME, type: this.#type })),
      retType: this.#answer,
      span: f.span,
    };
    return func([...params, k], made as Expr, parts);
  }

  #mapped(node: Expr, parts: ReadonlyArray<Expr> | undefined): Expr {
    let at = 0;
    return mapParts(node, {
      child: (child) => parts?.[at++] ?? this.#atom(child),
      binder: (v) => this.#variables.get(v) ?? v,
      types: { ...SAME, type: this.#type },
      // Its type may be another one, such as a list of functions in their new form.
      isCopy: true,
    });
  }

  #atom(node: Expr): Expr {
    return node._tag === 'Var' ? (this.#variables.get(node) ?? node) : node;
  }

  /** The continuation of a function with a body. */
  #k(body: Expr): Var {
    return variable('k', this.#continuation(this.#typeOf(body)));
  }

  #continuation(type: Type | undefined): Type {
    if (type === undefined) throw new InvariantError('a typed program has types');
    return funcType([type], this.#answer);
  }

  #typeOf(node: Expr): Type | undefined {
    const type = typeOf(this.#given.m, node);
    return type && this.#type(type);
  }
}

const SAME = {
  shape: <A>(part: A): A => part,
  dtype: <A>(part: A): A => part,
  dim: <A>(part: A): A => part,
};

const isAtomic = ({ _tag }: Expr): boolean =>
  _tag === 'Var' || _tag === 'GlobalVar' || _tag === 'Constant' || _tag === 'Op';

const isTail = ({ lets, tail }: Block, node: Let): boolean =>
  node === lets.at(-1) && tail === node.variable;

const branches = (node: If | Match): ReadonlyArray<Expr> =>
  node._tag === 'If' ? [node.trueBranch, node.falseBranch] : node.clauses.map(({ body }) => body);
