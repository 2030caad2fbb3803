/** The builder of programs. */
import { InvariantError } from '@baton/base';
import {
  call,
  type Expr,
  ifElse,
  letIn,
  noAttrs,
  type OpTable,
  tensorType,
  tuple,
  tupleGetItem,
  tupleType,
  type Var,
  variable,
} from '@baton/ir';
import { hull } from '@baton/ops';
import { type DType, isFloat } from '@baton/tensor';
import type { Builder, Callee } from './builder.ts';
import { type Called, describeCall, tryCall } from './calls.ts';
import { inputFacts } from './facts.ts';
import type { NumericKind } from './numeric-kind.ts';
import { constantOfNumbers, someOperand, someWeights } from './operands.ts';
import type { Choices } from './random.ts';
import { guard, settle } from './settle.ts';
import { type TensorValue, tensorValue, type Value } from './value.ts';

/** The initial state of a builder. */
export interface BuilderParts {
  readonly ops: OpTable;
  readonly random: Choices;
  readonly numerics: NumericKind;
  readonly float: DType;
  /** The share of the shapes that have an axis of size 0. */
  readonly emptyAxes: number | undefined;
  /** The operators that programs may call. */
  readonly allowed: ReadonlySet<string>;
}

/** What a place of the program can use. Inner scopes start from copies of what they add to. */
interface Scope {
  readonly visible: Value[];
  /** The parameters of the function around. */
  readonly params: TensorValue[];
  readonly bindings: Array<{ readonly variable: Var; readonly value: Expr }>;
  readonly callees: Callee[];
  readonly locals: Var[];
  /** Whether everything is made of constants. */
  readonly isConstant: boolean;
}

/** Names are few, so that inner variables shadow outer ones. */
const NAMES = ['a', 'b', 'c', 'd'];

/** A builder of one program. */
export function makeBuilder(parts: BuilderParts): Builder {
  const { ops, random, float, emptyAxes } = parts;
  let scope: Scope = {
    visible: [],
    params: [],
    bindings: [],
    callees: [],
    locals: [],
    isConstant: false,
  };
  let calls = 0;
  const made = new Map<Expr, Called>();
  const used = new Set<Expr>();
  const effects = new Set<Expr>();

  /** What `body` gives in a scope that differs from this one. */
  const inScope = <A>(inner: Partial<Scope>, body: () => A): A => {
    const outer = scope;
    scope = { ...outer, ...inner };
    const result = body();
    scope = outer;
    return result;
  };

  const use = (...values: ReadonlyArray<Value>): void => {
    for (const value of values) used.add(value.expr);
  };

  /** A value that uses others: it has an effect if one of them has. */
  const from = <V extends Value>(value: V, ...operands: ReadonlyArray<Value>): V => {
    use(...operands);
    if (operands.some((operand) => effects.has(operand.expr))) effects.add(value.expr);
    return value;
  };

  const builder: Builder = {
    ...parts,
    callCount: () => calls,
    spend: (count) => {
      calls += count;
    },
    visible: () => scope.visible,
    get callees() {
      return scope.callees;
    },
    get locals() {
      return scope.locals;
    },
    params: () => scope.params,
    allows: (name) => parts.allowed.has(name),
    hasEffect: (value) => effects.has(value.expr),
    use,
    unused: () => scope.visible.filter((value) => !used.has(value.expr)),

    operand: (want = {}) => someOperand(builder, want, emptyAxes),
    constant: (numbers, shape, dtype = float) => constantOfNumbers(numbers, shape, dtype),
    weights: (shape, dtype = float) => someWeights(random, shape, dtype),
    param: (shape, dtype = float) => {
      if (scope.isConstant) return someWeights(random, shape, dtype);
      const type = tensorType(shape, dtype);
      const letter = isFloat(dtype) ? 'x' : dtype === 'bool' ? 'p' : 'i';
      const v = variable(`${letter}${scope.params.length}`, type);
      const value = tensorValue(v, type, inputFacts(dtype));
      scope.params.push(value);
      scope.visible.unshift(value);
      return value;
    },
    within: (value, interval) => guard(builder, value, interval),

    attempt: (name, args, attrs = noAttrs) => {
      const called = tryCall(ops, name, args, attrs);
      if (typeof called === 'string') return called;
      const { expr } = called.value;
      calls++;
      made.set(expr, called);
      if (called.isStateful) effects.add(expr);
      return from(called.value, ...args);
    },
    call: (name, args, attrs = noAttrs) => {
      const result = builder.attempt(name, args, attrs);
      if (typeof result !== 'string') return result;
      const given = describeCall(args, attrs);
      throw new InvariantError(`a generated call of ${name} is valid: ${result} (${given})`);
    },
    tensor: (name, args, attrs) => {
      const result = builder.call(name, args, attrs);
      if (result._tag === 'Tensor') return settle(builder, result);
      throw new InvariantError(`a call of ${name} that should give a tensor gives a tuple`);
    },
    again: <V extends Value>(
      value: V,
      attrs = noAttrs,
      change = (args: ReadonlyArray<Value>) => args,
    ): V | undefined => {
      const first = made.get(value.expr);
      if (first === undefined) return undefined;
      const { name, args } = first;
      const second = builder.attempt(name, change(args), { ...first.attrs, ...attrs });
      // The same operator gives the same kind of value.
      return typeof second === 'string' ? undefined : (second as V);
    },

    tuple: (fields) => {
      const type = tupleType(fields.map((field) => field.type));
      const expr = tuple(fields.map((field) => field.expr));
      return from({ _tag: 'Tuple', expr, type, fields }, ...fields);
    },
    project: (value, index) => {
      const field = value.fields[index];
      if (field === undefined) throw new InvariantError(`a projection has a field: ${index}`);
      return from(tensorValue(tupleGetItem(value.expr, index), field.type, field.facts), value);
    },
    choose: (cond, yes, no) => {
      const expr = ifElse(cond.expr, yes.expr, no.expr);
      return from({ ...yes, expr, facts: hull([yes.facts, no.facts]) }, cond, yes, no);
    },
    apply: ({ expr: callee, result, isEffectful }, args) => {
      const exprs = args.map((arg) => arg.expr);
      const expr = call(callee, exprs);
      if (isEffectful) effects.add(expr);
      return from({ ...result, expr }, ...args);
    },

    keep: (value) => {
      scope.visible.push(effects.has(value.expr) ? builder.bind(value) : value);
    },
    bind: (value) => {
      use(value);
      return { ...value, expr: builder.bindExpr(value.expr, value.type) };
    },
    bindExpr: (expr, type, isEffectful = false) => {
      if (isEffectful) effects.add(expr);
      const v = variable(random.pick(NAMES), type);
      scope.bindings.push({ variable: v, value: expr });
      return v;
    },
    fromConstants: (body) => inScope({ visible: [], isConstant: true }, body),
    scoped: (body) => {
      const { visible, callees, locals } = scope;
      const bindings: Scope['bindings'] = [];
      const inner = { visible: [...visible], callees: [...callees], locals: [...locals], bindings };
      const result = inScope(inner, body);
      const expr = bindings.reduceRight((rest, b) => letIn(b.variable, b.value, rest), result.expr);
      if (bindings.some(({ value }) => effects.has(value))) effects.add(expr);
      return from({ ...result, expr }, result);
    },
    inFunction: (closed, body) => {
      const params: TensorValue[] = [];
      const inner = closed
        ? { params, visible: [], callees: [], locals: [] }
        : { params, visible: [...scope.visible] };
      return { params, result: inScope(inner, () => builder.scoped(body)) };
    },
  };
  return builder;
}
