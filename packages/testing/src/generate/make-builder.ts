/** The builder of programs. */
import { InvariantError, isLeft } from '@baton/base';
import {
  type Attrs,
  call,
  constant,
  type Expr,
  ifElse,
  letIn,
  noAttrs,
  type OpInfo,
  type OpTable,
  opRef,
  type TensorType,
  type Type,
  tensorType,
  tuple,
  tupleGetItem,
  tupleType,
  type Var,
  variable,
} from '@baton/ir';
import { type Facts, hull } from '@baton/ops';
import { type DType, isFloat, tensor } from '@baton/tensor';
import { askRelation } from './ask.ts';
import type { Builder, Want } from './builder.ts';
import { isOfClass, someDType } from './dtypes.ts';
import { factsOfNumbers, inputFacts, resultFacts } from './facts.ts';
import type { NumericKind } from './numeric-kind.ts';
import type { Choices } from './random.ts';
import { guard, settle } from './settle.ts';
import { sizeOf, someRank, someShape } from './shapes.ts';
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

/** The call behind a value. */
interface Made {
  readonly name: string;
  readonly args: ReadonlyArray<Value>;
  readonly attrs: Attrs;
}

/** Functions get up to this many parameters if other values are scarce. */
const ENOUGH_PARAMS = 4;

/** Names are few, so that inner variables shadow outer ones. */
const NAMES = ['a', 'b', 'c', 'd'];

/** A builder of one program. */
export function makeBuilder(parts: BuilderParts): Builder {
  const { ops, random } = parts;
  let visible: Value[] = [];
  let params: TensorValue[] = [];
  let bindings: Array<{ readonly variable: Var; readonly value: Expr }> = [];
  const used = new Set<Expr>();
  const made = new Map<Expr, Made>();
  const effects = new Set<Expr>();
  let calls = 0;
  let isConstant = false;

  const param = (shape: ReadonlyArray<number>, dtype: DType = parts.float): TensorValue => {
    if (isConstant) return weights(shape, dtype);
    const type = tensorType(shape, dtype);
    const v = variable(
      `${isFloat(dtype) ? 'x' : dtype === 'bool' ? 'p' : 'i'}${params.length}`,
      type,
    );
    const value = tensorValue(v, type, inputFacts(dtype));
    params.push(value);
    visible.unshift(value);
    return value;
  };

  const constantOfNumbers = (
    numbers: ReadonlyArray<number>,
    shape: ReadonlyArray<number>,
    dtype: DType = parts.float,
  ): TensorValue => {
    const size = sizeOf(shape);
    const data = Array.from({ length: size }, (_, i) => numbers[i % numbers.length] ?? 0);
    return tensorValue(
      constant(tensor(data, shape, dtype)),
      tensorType(shape, dtype),
      factsOfNumbers(numbers.slice(0, size)),
    );
  };

  const weights = (shape: ReadonlyArray<number>, dtype: DType = parts.float): TensorValue => {
    const limit = isFloat(dtype) ? 8 : 4;
    const unit = isFloat(dtype) ? 8 : 1;
    const lowest = dtype === 'bool' || dtype.startsWith('uint') ? 0 : -limit;
    const number = (): number => {
      const k = random.int(lowest, limit) / unit;
      return dtype === 'bool' ? (k > 1 ? 1 : 0) : k;
    };
    return constantOfNumbers(
      Array.from({ length: Math.min(sizeOf(shape), 37) }, number),
      shape,
      dtype,
    );
  };

  const operand = (want: Want = {}): TensorValue => {
    const kind = want.kind ?? 'float';
    const suits = (value: Value): value is TensorValue =>
      value._tag === 'Tensor' &&
      (want.dtype === undefined ? isOfClass(value.dtype, kind) : value.dtype === want.dtype) &&
      (want.shape === undefined || sameDims(value.shape, want.shape)) &&
      (want.rank === undefined ||
        (value.shape.length >= want.rank[0] && value.shape.length <= want.rank[1])) &&
      (want.fits === undefined || want.fits(value.shape));
    const candidates = visible.filter(suits);
    if (candidates.length > 0 && random.chance(0.9)) return recent(random, candidates);
    const dtype = want.dtype ?? someDType(random, parts.float, kind);
    const shape = want.shape ?? want.fresh?.() ?? freshShape(want);
    const isMany = params.length >= ENOUGH_PARAMS;
    const isSmall = sizeOf(shape) <= 16;
    const p = isSmall ? (isMany ? 0.9 : 0.4) : isMany ? 0.3 : 0.05;
    return random.chance(p) ? weights(shape, dtype) : param(shape, dtype);
  };

  const freshShape = (want: Want): ReadonlyArray<number> => {
    const [min, max] = want.rank ?? [0, 5];
    for (let tries = 0; tries < 32; tries++) {
      const shape = someShape(random, someRank(random, min, max), parts.emptyAxes);
      if (want.fits === undefined || want.fits(shape)) return shape;
    }
    throw new InvariantError('an operand that must fit says what fits');
  };

  const attempt = (name: string, args: ReadonlyArray<Value>, attrs: Attrs = noAttrs) => {
    const op = opOf(ops, name);
    const decoded = op.attrs.decode(attrs);
    if (isLeft(decoded)) return decoded.left.map((d) => d.message).join('; ');
    const answer = askRelation(op, args, decoded.right);
    if (answer._tag === 'Refused') return answer.reason;
    calls++;
    use(...args);
    const node = call(
      opRef(name),
      args.map((arg) => arg.expr),
      { attrs: decoded.right },
    );
    made.set(node, { name, args, attrs: decoded.right });
    if (op.effect === 'stateful') effects.add(node);
    mark(node, ...args);
    return resultValue(node, answer.type, (type) =>
      resultFacts(ops, op, args, decoded.right, type),
    );
  };

  const again = <V extends Value>(
    value: V,
    attrs: Attrs = noAttrs,
    change = (args: ReadonlyArray<Value>) => args,
  ): V | undefined => {
    const first = made.get(value.expr);
    if (first === undefined) return undefined;
    const second = attempt(first.name, change(first.args), { ...first.attrs, ...attrs });
    // The same operator gives the same kind of value.
    return typeof second === 'string' ? undefined : (second as V);
  };

  const fromConstants = <A>(body: () => A): A => {
    const outer = { visible, isConstant };
    visible = [];
    isConstant = true;
    const result = body();
    ({ visible, isConstant } = outer);
    return result;
  };

  const callOp = (name: string, args: ReadonlyArray<Value>, attrs: Attrs = noAttrs): Value => {
    const result = attempt(name, args, attrs);
    if (typeof result !== 'string') return result;
    const given = `${JSON.stringify(attrs)} on ${args.map((arg) => describe(arg)).join(', ')}`;
    throw new InvariantError(`a generated call of ${name} is valid: ${result} (${given})`);
  };

  const tensorCall = (name: string, args: ReadonlyArray<Value>, attrs: Attrs = noAttrs) => {
    const result = callOp(name, args, attrs);
    if (result._tag === 'Tensor') return settle(builder, result);
    throw new InvariantError(`a call of ${name} that should give a tensor gives a tuple`);
  };

  const use = (...values: ReadonlyArray<Value>): void => {
    for (const value of values) used.add(value.expr);
  };

  /** An expression with an effectful part has an effect. */
  const mark = (expr: Expr, ...parts: ReadonlyArray<Value>): void => {
    if (parts.some((part) => effects.has(part.expr))) effects.add(expr);
  };

  const bindExpr = (expr: Expr, type: Type, isEffectful = false): Var => {
    if (isEffectful) effects.add(expr);
    const v = variable(random.pick(NAMES), type);
    bindings.push({ variable: v, value: expr });
    return v;
  };

  const bind = <V extends Value>(value: V): V => {
    use(value);
    return { ...value, expr: bindExpr(value.expr, value.type) };
  };

  const scoped = (body: () => Value): Value => {
    const outer = { visible, bindings };
    const calleeCount = builder.callees.length;
    const localCount = builder.locals.length;
    visible = [...visible];
    bindings = [];
    const result = body();
    const expr = bindings.reduceRight((rest, b) => letIn(b.variable, b.value, rest), result.expr);
    use(result);
    mark(expr, result);
    if (bindings.some((binding) => effects.has(binding.value))) effects.add(expr);
    ({ visible, bindings } = outer);
    builder.callees.length = calleeCount;
    builder.locals.length = localCount;
    return { ...result, expr };
  };

  const inFunction = (closed: boolean, body: () => Value) => {
    const outer = { visible, params };
    const callees = closed ? builder.callees.splice(0) : [];
    const locals = closed ? builder.locals.splice(0) : [];
    visible = closed ? [] : [...visible];
    params = [];
    const result = scoped(body);
    const own = params;
    ({ visible, params } = outer);
    builder.callees.push(...callees);
    builder.locals.push(...locals);
    return { params: own, result };
  };

  const builder: Builder = {
    ...parts,
    callCount: () => calls,
    spend: (count) => {
      calls += count;
    },
    visible: () => visible,
    callees: [],
    locals: [],
    operand,
    param,
    constant: constantOfNumbers,
    weights,
    within: (value, interval) => guard(builder, value, interval),
    call: callOp,
    tensor: tensorCall,
    attempt,
    tuple: (fields) => {
      use(...fields);
      const type = tupleType(fields.map((field) => field.type));
      const expr = tuple(fields.map((field) => field.expr));
      mark(expr, ...fields);
      return { _tag: 'Tuple', expr, type, fields };
    },
    project: (value, index) => {
      const field = value.fields[index];
      if (field === undefined) throw new InvariantError(`a projection has a field: ${index}`);
      use(value);
      const expr = tupleGetItem(value.expr, index);
      mark(expr, value);
      return tensorValue(expr, field.type, field.facts);
    },
    choose: (cond, yes, no) => {
      use(cond, yes, no);
      const expr = ifElse(cond.expr, yes.expr, no.expr);
      mark(expr, cond, yes, no);
      return { ...yes, expr, facts: hull([yes.facts, no.facts]) };
    },
    apply: (callee, args) => {
      use(...args);
      const expr = call(
        callee.expr,
        args.map((arg) => arg.expr),
      );
      mark(expr, ...args);
      if (callee.isEffectful) effects.add(expr);
      return { ...callee.result, expr };
    },
    keep: (value) => {
      visible.push(effects.has(value.expr) ? bind(value) : value);
    },
    hasEffect: (value) => effects.has(value.expr),
    bind,
    bindExpr,
    allows: (name) => parts.allowed.has(name),
    again,
    fromConstants,
    use,
    unused: () => visible.filter((value) => !used.has(value.expr)),
    scoped,
    inFunction,
    params: () => params,
  };
  return builder;
}

/** Picks recent candidates more often than others. */
function recent(random: Choices, candidates: ReadonlyArray<TensorValue>): TensorValue {
  const back = Math.min(random.int(0, 3), random.int(0, candidates.length - 1));
  return candidates[Math.max(candidates.length - 1 - back, 0)] as TensorValue;
}

function resultValue(expr: Expr, type: Type, facts: (type: TensorType) => Facts): Value {
  if (type._tag === 'TensorType') return tensorValue(expr, type, facts(type));
  if (type._tag !== 'TupleType') throw new InvariantError('an operator gives tensors');
  const fields = type.fields.map((field) => {
    if (field._tag !== 'TensorType') throw new InvariantError('an operator gives flat tuples');
    return { type: field, facts: facts(field) };
  });
  return { _tag: 'Tuple', expr, type, fields };
}

const sameDims = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): boolean =>
  a.length === b.length && a.every((dim, i) => dim === b[i]);

const describe = (value: Value): string =>
  value._tag === 'Tensor'
    ? `${value.dtype}[${value.shape.join(',')}]`
    : `(${value.fields.map((f) => `${f.type.dtype}[${String(f.type.shape)}]`).join(', ')})`;

function opOf(ops: OpTable, name: string): OpInfo {
  const op = ops.get(name);
  if (op === undefined) throw new InvariantError(`a generated call names an operator: ${name}`);
  return op;
}
