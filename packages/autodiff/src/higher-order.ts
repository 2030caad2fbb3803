/**
 * Higher-order gradients: of functions with closures, branches, recursion, data types and
 * references, and of gradients. [passes §14](https://batonjs.github.io/baton/spec/passes#14).
 */
import { type Diagnostic, fail, type Result, right } from '@baton/base';
import {
  call,
  copyExpr,
  copyFunction,
  describeType,
  type Expr,
  type Func,
  freeVars,
  func,
  type GlobalVar,
  globalVar,
  type IRModule,
  irModule,
  letIn,
  refCreate,
  refRead,
  refWrite,
  type Type,
  type TypeArg,
  type TypeVar,
  tuple,
  tupleType,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import { callOp, fieldOf } from '@baton/ops';
import { badParameter, badResult } from './diagnostics.ts';
import { type Instances, instancesIn } from './instances.ts';
import { gradientOf, inOrder, isTensors, lifted, primal, reversed } from './reverse.ts';
import { BACK_TYPE, freshName, reverseTypes } from './reverse-types.ts';
import { firstTensor } from './tensors.ts';

/** A function whose gradient is wanted. */
export interface Target {
  readonly value: Func | GlobalVar;
  readonly func: Func;
  /** The arguments of its type parameters. */
  readonly types: ReadonlyMap<TypeVar, TypeArg>;
  readonly params: ReadonlyArray<Type>;
  /** The values of the variables around it. */
  readonly bound: ReadonlyMap<Var, Expr>;
}

/** The functions and data types that gradients of one module have added to it. */
export interface HigherOrder {
  /** The function that returns the value of the target and the gradients of its parameters. */
  readonly gradient: (target: Target) => Result<Func>;
  /** The module with what the gradients so far need. */
  readonly module: () => IRModule;
}

export const higherOrder = (m: IRModule): HigherOrder => new Session(m);

/** The name of the target among the instances: no text has it. */
const TARGET = 'target of gradient';

class Session implements HigherOrder {
  readonly #given: IRModule;
  readonly #instances: Instances;
  readonly #types: ReturnType<typeof reverseTypes>;
  readonly #taken: Set<string>;
  /** The names of reversed globals, and the functions. */
  readonly #names = new Map<string, string>();
  readonly #made = new Map<string, Func>();
  readonly #waiting: string[] = [];
  #problems: Diagnostic[] = [];
  #targets = 0;

  constructor(m: IRModule) {
    this.#given = m;
    this.#instances = instancesIn(m, (problem) => this.#problems.push(problem));
    this.#types = reverseTypes(m);
    this.#taken = new Set(m.functions.keys());
  }

  gradient(target: Target): Result<Func> {
    this.#problems = [];
    const captured = this.#captured(target);
    const closed = this.#instances.add(
      `${TARGET} ${this.#targets++}`,
      this.#closed(target, captured),
    );
    const made = closed && this.#wrapped(target, closed, captured);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      this.#reverseGlobal(next);
    }
    const [first, ...rest] = this.#problems;
    if (first !== undefined || made === undefined) return fail(first as Diagnostic, ...rest);
    return right(copyFunction(made));
  }

  module(): IRModule {
    const { definitions, constructors } = this.#types;
    if (this.#made.size === 0 && definitions.size === 0) return this.#given;
    return irModule({
      ...this.#given,
      functions: new Map([...this.#given.functions, ...this.#made]),
      typeDefinitions: new Map([...this.#given.typeDefinitions, ...definitions]),
      constructors: new Map([...this.#given.constructors, ...constructors]),
    });
  }

  #captured({ value, bound }: Target): Captured {
    const tensors: Array<readonly [Var, Type]> = [];
    const functions: Array<readonly [Var, Func]> = [];
    const others: Array<readonly [Var, Type]> = [];
    for (const v of inOrderOfNeed(value, bound)) {
      const type = typeOf(this.#given, v) ?? tupleType([]);
      const known = bound.get(v);
      if (known?._tag === 'Function') functions.push([v, known]);
      else if (isTensors(type)) tensors.push([v, type]);
      else others.push([v, type]);
    }
    return { tensors, functions, others };
  }

  /** The target as a function of the tensors that it captures, with its functions inside. */
  #closed({ value, func: f, types, params }: Target, captured: Captured): Func {
    const { tensors, functions } = captured;
    const own = params.map((type, i) => variable(f.params[i]?.nameHint ?? 'x', type));
    const target =
      value._tag === 'GlobalVar'
        ? func(own, call(value, own), { span: f.span })
        : func(value.params, value.body, { ...value, typeParams: [], constraints: [] });
    const body = functions.reduceRight<Expr>(
      (rest, [v, literal]) => letIn(v, literal, rest),
      target,
    );
    const made = func(
      tensors.map(([v, type]) => variable(v.nameHint, type)),
      body,
    );
    const values = new Map<Var, Expr>(tensors.map(([v], i) => [v, made.params[i] ?? v]));
    // Its variables are those of the original: a copy has its own.
    const copied = copyExpr(body, { values, types });
    return func(made.params, copied);
  }

  /** The forward run, the seed, the backward run, and what it found. */
  #wrapped(target: Target, closed: Func, captured: Captured): Func {
    const m = this.#instances.module();
    const { span } = target.func;
    const type = typeOf(m, closed.body);
    const resultType = type?._tag === 'FuncType' ? type.result : tupleType([]);
    const hints = target.func.params.map((v) => v.nameHint);
    target.params.forEach((each, i) => {
      if (each._tag === 'TensorType') return;
      this.#problems.push(badParameter(hints[i] ?? '', describeType(each), span));
    });
    for (const [v, found] of captured.others) {
      this.#problems.push(badParameter(v.nameHint, describeType(found), span));
    }
    const back = variable('back', BACK_TYPE);
    const params = target.params.map((each, i) => variable(hints[i] ?? 'x', each));
    const placeFor = (v: Var, of: Type): Var => variable(v.nameHint, this.#types.type(of), v.span);
    const places = params.map((v, i) => placeFor(v, target.params[i] as Type));
    const held = captured.tensors.map(([v, of]) => placeFor(v, of));
    const values = new Map<Var, Expr>(closed.params.map((v, i) => [v, held[i] ?? v]));
    const constants = new Set(closed.params);
    const function_ = reversed(closed.body, { back, values, constants }, this.#context());
    const result = variable('result', this.#types.type(resultType), span);
    const bindings: ReadonlyArray<readonly [Var, Expr]> = [
      [back, refCreate(func([], tuple([]), { retType: tupleType([]) }))],
      ...places.map((v, i) => {
        return [v, lifted(m, params[i] ?? v, target.params[i] as Type)] as const;
      }),
      ...captured.tensors.map(([v, of], i) => [held[i] ?? v, lifted(m, v, of)] as const),
      [result, call(function_, [...places, back], { span })],
    ];
    const gradients = places.map((v, i) => gradientOf(v, target.params[i] as Type));
    const answer = tuple([primal(result, resultType), tuple(gradients)]);
    const whole = bindings.reduceRight(
      (rest, [v, value]) => letIn(v, value, rest),
      inOrder([this.#seed(result, resultType, span), call(refRead(back), [])], answer),
    );
    return func(params, whole, {
      retType: tupleType([resultType, tupleType(target.params)]),
      span,
    });
  }

  /** Ones as the gradient of the first tensor of the result. */
  #seed(result: Var, type: Type, span: Func['span']): Expr {
    const first = isTensors(type) ? firstTensor(result, this.#types.type(type)) : undefined;
    if (first?._tag !== 'TupleGetItem') {
      this.#problems.push(badResult(describeType(type), span));
      return tuple([]);
    }
    const ones = callOp(this.#given.ops, 'ones_like', [first], {}, span);
    return refWrite(fieldOf(first.tuple, 1), ones);
  }

  #context() {
    return {
      m: this.#instances.module(),
      types: this.#types,
      global: (at: GlobalVar) => this.#global(at),
      report: (problem: Diagnostic) => {
        this.#problems.push(problem);
      },
    };
  }

  #global(at: GlobalVar): Expr {
    let made = this.#names.get(at.nameHint);
    if (made === undefined) {
      made = freshName(this.#instances.origin(at.nameHint), this.#taken);
      this.#names.set(at.nameHint, made);
      this.#waiting.push(at.nameHint);
    }
    return globalVar(made, at.span);
  }

  #reverseGlobal(name: string): void {
    const f = this.#instances.module().functions.get(name);
    const target = this.#names.get(name);
    // The uses of functions that do not exist are errors of inference.
    if (f === undefined || target === undefined) return;
    // What it calls has instances, too.
    const specific = this.#instances.add(name, f) ?? f;
    const outer = variable('back', BACK_TYPE);
    const own = { back: outer, values: new Map(), constants: new Set<Var>() };
    const made = reversed(specific, own, this.#context()) as Func;
    this.#made.set(target, copyFunction(made));
  }
}

/** The captures of a function: tensors, and functions in the order of their needs. */
interface Captured {
  readonly tensors: ReadonlyArray<readonly [Var, Type]>;
  readonly functions: ReadonlyArray<readonly [Var, Func]>;
  readonly others: ReadonlyArray<readonly [Var, Type]>;
}

/** The free variables of an expression, and of functions among them, each after those it needs. */
function inOrderOfNeed(value: Expr, bound: ReadonlyMap<Var, Expr>): ReadonlyArray<Var> {
  const needs = (v: Var): ReadonlyArray<Var> => {
    const known = bound.get(v);
    return known?._tag === 'Function' ? freeVars(known) : [];
  };
  const found: Var[] = [];
  const seen = new Set<Var>();
  const pending = freeVars(value).map((v) => ({ v, isReady: false }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { v, isReady } = next;
    if (isReady) found.push(v);
    if (isReady || seen.has(v)) continue;
    seen.add(v);
    pending.push({ v, isReady: true });
    for (const other of needs(v)) pending.push({ v: other, isReady: false });
  }
  return found;
}
