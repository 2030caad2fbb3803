/**
 * The evaluation of a function whose arguments are unknown. It writes the residual program, in order
 * of evaluation, and keeps its own stack.
 */
import { type Budget, InvariantError, mergeSpans, type Span } from '@baton/base';
import {
  type Call,
  type Clause,
  constant,
  copyExpr,
  type Expr,
  type Func,
  freeVars,
  type If,
  type IRModule,
  isStateful,
  type Match,
  mapParts,
  patternVars,
  type Type,
  type TypeVar,
  tuple,
  typeEqual,
  typeOf,
  typeVar,
  type Var,
  varArg,
  variable,
} from '@baton/ir';
import { type CallEvaluator, type OpValue, typeOfValue } from '@baton/ops';
import { type Count, isOpaque } from '@baton/pass-manager';
import { isTensor, readNumber } from '@baton/tensor';
import { computed } from '../constant-call.ts';
import { type Binding, Block } from './block.ts';
import type { Counter } from './counters.ts';
import { burnt, entered } from './fuel.ts';
import { clauseTaken, type Taken } from './patterns.ts';
import { Store } from './store.ts';
import { typeArgsFor } from './type-args.ts';
import {
  Activation,
  dataOf,
  type Fuel,
  type Known,
  type KnownClosure,
  type Value,
} from './value.ts';

export interface Given {
  /** The module in A-normal form, with types. */
  readonly m: IRModule;
  readonly evaluate: CallEvaluator['evaluateCall'];
  /** The steps that are left for bodies of called functions: without any, calls stay. */
  readonly budget: { left: number };
  /** The remaining budget for constants. */
  readonly room: Budget;
  /** Whether constants are bound, so that they are not visible at their uses. */
  readonly bindsConstants: boolean;
  /** Whether evaluations of the function are in order, each once. */
  readonly isInOrder: (f: Func) => boolean;
  readonly count: Count<Counter>;
}

/** The destination of a value. */
interface Destination {
  readonly block: Block;
  readonly type: Type | undefined;
  readonly hint: string;
  readonly span: Span | undefined;
}

type Receive = (value: Value) => void;

/** The evaluation of a block of the program, or of an inlined body within one. */
interface Frame {
  readonly activation: Activation;
  readonly block: Block;
  readonly fuel: Fuel | undefined;
  readonly done: Receive;
  /** The rest to evaluate. */
  at: Expr;
  result: Value | undefined;
}

/** A binder, or an opaque function, of the evaluated function. */
export type Own = Var | TypeVar | Func;

/** A function is evaluated by one machine. */
export class Machine {
  readonly #given: Given;
  readonly #m: IRModule;
  /** The binders and functions that the residual program can still reuse unchanged, once each. */
  readonly #unused: Set<Own>;
  readonly #globals = new Map<string, Value>();
  readonly #blocks: Block[] = [];
  readonly #frames: Frame[] = [];
  readonly #demands: (() => void)[] = [];
  #store = new Store();
  #time = 0;

  constructor(given: Given, own: Iterable<Own>) {
    this.#given = given;
    this.#m = given.m;
    this.#unused = new Set(own);
  }

  body(f: Func): Expr {
    const activation = new Activation();
    const fuel = entered(undefined, f, this.#bindParams(f, f.params, activation));
    const block = this.#newBlock();
    this.#enter({ activation, block, fuel, at: f.body }, (value) => {
      const destination = { block, type: typeOf(this.#m, f.body), hint: 'v', span: f.body.span };
      block.finish(this.#use(this.#typed(value, destination)));
    });
    this.#run();
    // A block inside another one was made after that.
    for (const made of this.#blocks.toReversed()) void made.expr;
    return block.expr;
  }

  #run(): void {
    for (;;) {
      const frame = this.#frames.at(-1);
      if (frame === undefined) {
        const demand = this.#demands.pop();
        if (demand === undefined) return;
        demand();
      } else if (frame.result !== undefined) {
        this.#frames.pop();
        frame.done(frame.result);
      } else this.#step(frame);
    }
  }

  #step(frame: Frame): void {
    const { at, activation, block } = frame;
    if (activation.isCopy) this.#given.budget.left--;
    if (at._tag !== 'Let') {
      const destination = { block, type: this.#typeIn(activation, at), hint: 'v', span: at.span };
      this.#evaluate(at, frame, destination, (value) => {
        frame.result = value;
      });
      return;
    }
    frame.at = at.body;
    const { variable: v } = at;
    const type = this.#typeIn(activation, v) ?? this.#typeIn(activation, at.value);
    this.#evaluate(at.value, frame, { block, type, hint: v.nameHint, span: at.span }, (value) => {
      activation.values.set(v, value);
    });
  }

  #evaluate(node: Expr, frame: Frame, destination: Destination, receive: Receive): void {
    switch (node._tag) {
      case 'Call':
        this.#call(node, frame, destination, receive);
        return;
      case 'If':
        this.#branch(node, frame, destination, receive);
        return;
      case 'Match':
        this.#match(node, frame, destination, receive);
        return;
      case 'Let': {
        const { activation, block, fuel } = frame;
        this.#enter({ activation, block, fuel, at: node }, receive);
        return;
      }
      default:
        receive(this.#simple(node, frame, destination));
    }
  }

  /** The value of a node that evaluates no other. */
  #simple(node: Expr, frame: Frame, destination: Destination): Value {
    const read = (part: Expr): Value => this.#atom(part, frame);
    switch (node._tag) {
      case 'Tuple': {
        const fields = node.fields.map(read);
        return this.#whenNeeded(node, frame, destination, tupleOf(fields), fields);
      }
      case 'TupleGetItem': {
        const of = read(node.tuple);
        if (of.known?._tag !== 'tuple') return this.#residual(node, frame, destination, [of]);
        this.#given.count('projection');
        return this.#typed(of.known.fields[node.index] as Value, destination);
      }
      case 'Function':
        return isOpaque(node)
          ? this.#opaque(node, frame, destination)
          : this.#closure(node, frame, destination);
      case 'RefCreate': {
        const value = read(node.value);
        const ref: Known = { _tag: 'ref' };
        this.#store.write(ref, value);
        return { ...this.#residual(node, frame, destination, [value]), known: ref };
      }
      case 'RefRead': {
        const ref = read(node.ref);
        const value = ref.known?._tag === 'ref' ? this.#store.read(ref.known) : undefined;
        if (value === undefined) return this.#residual(node, frame, destination, [ref]);
        this.#given.count('read');
        return this.#typed(value, destination);
      }
      case 'RefWrite': {
        const [ref, value] = [read(node.ref), read(node.value)];
        // An unknown reference may be any of the known ones.
        if (ref.known?._tag === 'ref') this.#store.write(ref.known, value);
        else this.#store = new Store();
        const unit = this.#residual(node, frame, destination, [ref, value]);
        return { ...unit, known: tupleOf([]) };
      }
      default:
        return this.#typed(read(node), destination);
    }
  }

  #call(node: Call, frame: Frame, destination: Destination, receive: Receive): void {
    const args = node.args.map((arg) => this.#atom(arg, frame));
    if (node.op._tag === 'Op') {
      receive(this.#operatorCall(node, node.op.name, args, frame, destination));
      return;
    }
    if (node.op._tag === 'Constructor') {
      const known: Known = { _tag: 'data', ctor: node.op, fields: args };
      const op = this.#atom(node.op, frame);
      receive(this.#whenNeeded(node, frame, destination, known, [...args, op]));
      return;
    }
    const callee = this.#atom(node.op, frame);
    if (
      callee.known?._tag === 'closure' &&
      this.#inlined(node, callee.known, args, frame, (v) => receive(this.#typed(v, destination)))
    ) {
      return;
    }
    if (isStateful(this.#m, node)) this.#store = new Store();
    receive(this.#residual(node, frame, destination, [...args, callee]));
  }

  #operatorCall(
    node: Call,
    name: string,
    args: ReadonlyArray<Value>,
    frame: Frame,
    destination: Destination,
  ): Value {
    const { evaluate, count } = this.#given;
    const data = args.map(dataOf).filter((arg) => arg !== undefined);
    const type = this.#typeIn(frame.activation, node);
    const found =
      data.length === args.length
        ? computed(this.#m, { call: node, name, type, args: data }, evaluate, this.#given.room)
        : undefined;
    if (typeof found === 'object') {
      count('operator call');
      const span = args.reduce((all, { atom }) => mergeSpans(all, atom.span), node.span);
      return this.#typed(this.#known(found.value, span, frame.block), destination);
    }
    return this.#residual(node, frame, destination, [...args, this.#atom(node.op, frame)]);
  }

  /** Enters the body of a closure, if the call may be taken apart. */
  #inlined(
    node: Call,
    { func, activation }: KnownClosure,
    args: ReadonlyArray<Value>,
    frame: Frame,
    receive: Receive,
  ): boolean {
    const { budget, isInOrder, count } = this.#given;
    const mayEnter: boolean = !isOpaque(func) && isInOrder(func);
    if (!mayEnter || args.length !== func.params.length) return false;
    const typeArgs = typeArgsFor(this.#m, node, func, activation, frame.activation);
    if (typeArgs === undefined) return false;
    const fuel = burnt(frame.fuel, func, args);
    if (fuel === undefined) {
      count('kept: no progress');
      return false;
    }
    if (budget.left <= 0) {
      count('kept: size');
      return false;
    }
    count('function call');
    const inner = new Activation({ outer: activation, own: typeArgs, isCopy: true });
    func.params.forEach((param, i) => {
      const type = this.#typeIn(inner, param);
      const destination = { block: frame.block, type, hint: param.nameHint, span: param.span };
      inner.values.set(param, this.#typed(args[i] as Value, destination));
    });
    this.#enter({ activation: inner, block: frame.block, fuel, at: func.body }, receive);
    return true;
  }

  #branch(node: If, frame: Frame, destination: Destination, receive: Receive): void {
    const { activation, block, fuel } = frame;
    const cond = this.#atom(node.cond, frame);
    const data = cond.known?._tag === 'tensor' ? cond.known.data : undefined;
    if (data !== undefined && data.shape.length === 0) {
      this.#given.count('if');
      const at = readNumber(data, 0) !== 0 ? node.trueBranch : node.falseBranch;
      this.#enter({ activation, block, fuel, at }, (v) => receive(this.#typed(v, destination)));
      return;
    }
    this.#given.count('kept: alternatives');
    const branches = [node.trueBranch, node.falseBranch].map((at) => ({ at, enter: () => {} }));
    this.#alternatives(node, branches, frame, destination, (blocks) => {
      receive(this.#residual(node, frame, destination, [cond], blocks));
    });
  }

  #match(node: Match, frame: Frame, destination: Destination, receive: Receive): void {
    const { activation, block, fuel } = frame;
    const data = this.#atom(node.data, frame);
    const taken = clauseTaken(node.clauses, data);
    if (taken !== undefined) {
      this.#given.count('match');
      this.#bindTaken(taken, frame);
      const at = taken.clause.body;
      this.#enter({ activation, block, fuel, at }, (v) => receive(this.#typed(v, destination)));
      return;
    }
    this.#given.count('kept: alternatives');
    const renamed = new Map<Var, Var>();
    const branches = node.clauses.map((clause) => ({
      at: clause.body,
      enter: () => this.#bindUnknown(clause, activation, renamed),
    }));
    this.#alternatives(node, branches, frame, destination, (blocks) => {
      receive(this.#residual(node, frame, destination, [data], blocks, renamed));
    });
  }

  #bindTaken({ values }: Taken, { activation, block }: Frame): void {
    for (const [v, value] of values) {
      const type = this.#typeIn(activation, v);
      const destination = { block, type, hint: v.nameHint, span: v.span };
      activation.values.set(v, this.#typed(value, destination));
    }
  }

  #bindUnknown({ pattern }: Clause, activation: Activation, renamed: Map<Var, Var>): void {
    for (const v of patternVars(pattern)) {
      const made = this.#variable(v, activation);
      renamed.set(v, made);
      activation.values.set(v, this.#unknown(made));
    }
  }

  /** Evaluates alternatives one after the other, each in its own block with its references. */
  #alternatives(
    node: If | Match,
    branches: ReadonlyArray<{ readonly at: Expr; readonly enter: () => void }>,
    { activation, fuel }: Frame,
    destination: Destination,
    receive: (blocks: ReadonlyArray<Block>) => void,
  ): void {
    const before = this.#store;
    const blocks: Block[] = [];
    const next = (): void => {
      const branch = branches[blocks.length];
      if (branch === undefined) {
        this.#store = isStateful(this.#m, node) ? new Store() : before;
        receive(blocks);
        return;
      }
      this.#store = new Store(before);
      const block = this.#newBlock();
      blocks.push(block);
      branch.enter();
      this.#enter({ activation, block, fuel, at: branch.at }, (value) => {
        block.finish(this.#use(this.#typed(value, { ...destination, block })));
        next();
      });
    };
    next();
  }

  #enter(frame: Pick<Frame, 'activation' | 'block' | 'fuel' | 'at'>, done: Receive): void {
    this.#frames.push({ ...frame, done, result: undefined });
  }

  // --- values ---

  #atom(node: Expr, { activation, block }: Frame): Value {
    switch (node._tag) {
      case 'Var': {
        const value = activation.read(node);
        if (value === undefined) throw new InvariantError('a variable is bound before its use');
        return value;
      }
      case 'Constant':
        return this.#known(node.data, node.span, block, node);
      case 'GlobalVar': {
        const known = this.#globals.get(node.nameHint) ?? this.#global(node);
        this.#globals.set(node.nameHint, known);
        return { ...known, atom: node };
      }
      case 'Op':
      case 'Constructor':
        return { ...this.#unknown(node), type: undefined };
      default:
        throw new InvariantError('a program in A-normal form has variables as operands');
    }
  }

  #global(node: Extract<Expr, { _tag: 'GlobalVar' }>): Value {
    const func = this.#m.functions.get(node.nameHint);
    const known: Known | undefined = func && {
      _tag: 'closure',
      func,
      activation: new Activation(),
      fuel: undefined,
    };
    return { time: 0, type: typeOf(this.#m, node), known, atom: node, binding: undefined };
  }

  #unknown(atom: Expr): Value {
    const type = atom._tag === 'Var' ? atom.typeAnnotation : undefined;
    return { time: this.#time++, type, known: undefined, atom, binding: undefined };
  }

  #known(data: OpValue, span: Span | undefined, block: Block, made?: Expr): Value {
    const type = typeOfValue(data);
    const time = this.#time++;
    if (isTensor(data)) {
      const atom = made ?? constant(data, span);
      const known: Known = { _tag: 'tensor', data };
      if (!this.#given.bindsConstants) return { time, type, known, atom, binding: undefined };
      const v = variable('c', type, span);
      const binding = block.reserve(v, span, (reserved) => {
        reserved.value = () => atom;
      });
      return { time, type, known, atom: v, binding };
    }
    const fields = data.map((field) => this.#known(field, span, block));
    const v = variable('v', type, span);
    const binding = block.reserve(v, span, (reserved) => {
      const atoms = fields.map((field) => this.#use(field));
      reserved.value = () => tuple(atoms, span);
    });
    return { time, type, known: tupleOf(fields), atom: v, binding };
  }

  /** The value with the type of its destination. */
  #typed(value: Value, { block, type, hint, span }: Destination): Value {
    if (type === undefined || value.type === undefined) return value;
    if (type === value.type || typeEqual(type, value.type)) return value;
    const v = variable(hint, type, span);
    const binding = block.reserve(v, span, (reserved) => {
      const atom = this.#use(value);
      reserved.value = () => atom;
    });
    return { ...value, type, atom: v, binding };
  }

  #use({ atom, binding }: Value): Expr {
    const demand = binding?.demand;
    if (binding !== undefined && demand !== undefined) {
      binding.demand = undefined;
      this.#demands.push(demand);
    }
    return atom;
  }

  // --- the residual program ---

  /** The value of a node that stays, with blocks as its last children. */
  #residual(
    node: Expr,
    { activation }: Frame,
    { block, type, hint, span }: Destination,
    parts: ReadonlyArray<Value>,
    blocks: ReadonlyArray<Block> = [],
    renamed: ReadonlyMap<Var, Var> = new Map(),
  ): Value {
    const atoms = parts.map((part) => this.#use(part));
    const v = variable(hint, type, span);
    block.bind(v, span, () =>
      rebuilt(node, activation, [...atoms, ...blocks.map((b) => b.expr)], renamed),
    );
    return this.#unknown(v);
  }

  /** The value of a node that stays only if the residual program needs it. */
  #whenNeeded(
    node: Expr,
    { activation }: Frame,
    { block, type, hint, span }: Destination,
    known: Known,
    parts: ReadonlyArray<Value>,
  ): Value {
    const v = variable(hint, type, span);
    const binding = block.reserve(v, span, (reserved) => {
      const atoms = parts.map((part) => this.#use(part));
      reserved.value = () => rebuilt(node, activation, atoms);
    });
    return { time: this.#time++, type, known, atom: v, binding };
  }

  #closure(func: Func, { activation, fuel }: Frame, destination: Destination): Value {
    const { block, type, hint, span } = destination;
    const known: KnownClosure = { _tag: 'closure', func, activation, fuel };
    const v = variable(hint, type, span);
    const binding = block.reserve(v, span, (at) => this.#writeClosure(known, at));
    return { time: this.#time++, type, known, atom: v, binding };
  }

  /** Evaluates the body of a closure with unknown arguments, at an unknown time. */
  #writeClosure({ func, activation: outer, fuel: around }: KnownClosure, at: Binding): void {
    const typeParams = new Map(
      func.typeParams.map((v) => [v, this.#isFree(v) ? v : typeVar(v.nameHint, v.kind)] as const),
    );
    const own = new Map([...typeParams].map(([v, made]) => [v, varArg(made)] as const));
    const activation = new Activation({ outer, own });
    const params = func.params.map((param) => this.#variable(param, activation));
    const fuel = entered(around, func, this.#bindParams(func, params, activation));
    const renamed = new Map(func.params.map((param, i) => [param, params[i] as Var] as const));
    const block = this.#newBlock();
    at.value = () => rebuilt(func, activation, [block.expr], renamed, typeParams);
    this.#store = new Store();
    this.#enter({ activation, block, fuel, at: func.body }, (value) => {
      const type = this.#typeIn(activation, func.body);
      const destination = { block, type, hint: 'v', span: func.body.span };
      block.finish(this.#use(this.#typed(value, destination)));
    });
  }

  #bindParams(func: Func, params: ReadonlyArray<Var>, activation: Activation): Value[] {
    return func.params.map((param, i) => {
      const value = this.#unknown(params[i] ?? param);
      activation.values.set(param, value);
      return value;
    });
  }

  /** A function that passes do not enter: it stays, with other variables for those it captures. */
  #opaque(func: Func, frame: Frame, { block, type, hint, span }: Destination): Value {
    const { activation } = frame;
    const known: Known = { _tag: 'closure', func, activation, fuel: undefined };
    // A recursive one captures its own variable, which has no value yet.
    const captured = freeVars(func).map((own) => {
      const value = activation.read(own);
      return [own, value && this.#named(own, value, frame)] as const;
    });
    const v = variable(hint, type, span);
    const binding = block.reserve(v, span, (reserved) => {
      const values = new Map(
        captured.map(([own, value]) => [own, this.#use(value ?? this.#atom(own, frame))] as const),
      );
      const types = activation.typeArgs;
      const isSame = types.size === 0 && [...values].every(([own, atom]) => own === atom);
      const made = isSame && this.#isFree(func) ? func : copyExpr(func, { values, types });
      reserved.value = () => made;
    });
    return { time: this.#time++, type, known, atom: v, binding };
  }

  /** The value of a variable under a name: a function that stays shows no constants. */
  #named(own: Var, value: Value, { activation, block }: Frame): Value {
    if (value.atom._tag === 'Var') return value;
    const v = this.#variable(own, activation);
    const binding = block.reserve(v, own.span, (reserved) => {
      const atom = this.#use(value);
      reserved.value = () => atom;
    });
    return { ...value, atom: v, binding };
  }

  #newBlock(): Block {
    const block = new Block();
    this.#blocks.push(block);
    return block;
  }

  #typeIn({ types }: Activation, node: Expr): Type | undefined {
    const type = typeOf(this.#m, node);
    return type && types.type(type);
  }

  /** A binder of the residual program: the same one, if it is not used yet. */
  #variable(v: Var, activation: Activation): Var {
    const type = this.#typeIn(activation, v);
    if (type === v.typeAnnotation && this.#isFree(v)) return v;
    return variable(v.nameHint, type, v.span);
  }

  /** Whether the residual program may bind it, which this uses up. */
  #isFree(own: Own): boolean {
    return this.#unused.delete(own);
  }
}

const tupleOf = (fields: ReadonlyArray<Value>): Known => {
  const data = fields.map(dataOf).filter((field) => field !== undefined);
  return { _tag: 'tuple', fields, data: data.length === fields.length ? data : undefined };
};

/** A node with other children, in an activation. */
function rebuilt(
  node: Expr,
  { types }: Activation,
  parts: ReadonlyArray<Expr>,
  renamed: ReadonlyMap<Var, Var> = new Map(),
  typeParams: ReadonlyMap<TypeVar, TypeVar> = new Map(),
): Expr {
  let at = 0;
  return mapParts(node, {
    child: () => parts[at++] as Expr,
    binder: (v) => renamed.get(v) ?? v,
    typeBinder: (v) => typeParams.get(v) ?? v,
    types,
    // Copies of a node may have types of their own.
    isCopy: true,
  });
}
