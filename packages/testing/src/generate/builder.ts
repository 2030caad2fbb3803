/** Builds a program call by call, and knows what values each place of it can use. */
import { InvariantError } from '@baton/base';
import {
  type Attrs,
  call,
  constant,
  type Expr,
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
import { costColumn } from '@baton/ops';
import { type DType, isFloat, isInteger, type Tensor, tensor } from '@baton/tensor';
import { isLeft } from 'fp-ts/lib/Either.js';
import { askRelation } from './ask.ts';
import { between, type Interval, mixed, type Numerics, numericsColumn } from './numerics.ts';
import type { NumericKind } from './options.ts';
import type { Choices } from './random.ts';
import { settle } from './settle.ts';
import { sizeOf, someRank, someShape } from './shapes.ts';
import { type Facts, magnitude, type TensorValue, type TupleValue, type Value } from './value.ts';

/** The kinds of dtypes that an operand may be asked for. */
export type DTypeClass = 'float' | 'int' | 'bool' | 'number' | 'any';

/** What an operand must be. */
export interface Want {
  readonly shape?: ReadonlyArray<number>;
  /** The least and the greatest rank. */
  readonly rank?: readonly [min: number, max: number];
  readonly dtype?: DType;
  /** @defaultValue `float` */
  readonly kind?: DTypeClass;
  readonly fits?: (shape: ReadonlyArray<number>) => boolean;
  /** The shape of a new operand, if it takes one. */
  readonly fresh?: () => ReadonlyArray<number>;
}

/** A function that the program can call. */
export interface Callee {
  readonly expr: Expr;
  readonly params: ReadonlyArray<TensorValue>;
  readonly result: TensorValue;
}

/** Builds one program. What it makes is visible to what is made later in the same scope. */
export interface Builder {
  readonly ops: OpTable;
  readonly random: Choices;
  readonly numerics: NumericKind;
  /** The dtype of most tensors. */
  readonly float: DType;
  /** How many calls of operators there are so far. */
  readonly callCount: () => number;
  /** The values that can be used here, the latest last. */
  readonly visible: () => ReadonlyArray<Value>;
  readonly callees: Callee[];
  /** An operand: a visible value, or a new parameter or constant. */
  readonly operand: (want?: Want) => TensorValue;
  /** A new parameter of the function that is being built. */
  readonly param: (shape: ReadonlyArray<number>, dtype?: DType) => TensorValue;
  /** A constant with these numbers in order, repeated as often as it takes. */
  readonly constant: (
    numbers: ReadonlyArray<number>,
    shape: ReadonlyArray<number>,
    dtype?: DType,
  ) => TensorValue;
  /** A constant of small numbers. */
  readonly weights: (shape: ReadonlyArray<number>, dtype?: DType) => TensorValue;
  /** The value kept within an interval, by operators if it takes some. */
  readonly within: (value: TensorValue, interval: Interval) => TensorValue;
  /** A call. The relation of the operator must accept it. */
  readonly call: (name: string, args: ReadonlyArray<Value>, attrs?: Attrs) => Value;
  /** A call that gives a tensor. */
  readonly tensor: (name: string, args: ReadonlyArray<Value>, attrs?: Attrs) => TensorValue;
  /** A call that the relation may refuse; then, why. */
  readonly attempt: (name: string, args: ReadonlyArray<Value>, attrs?: Attrs) => Value | string;
  readonly tuple: (fields: ReadonlyArray<TensorValue>) => TupleValue;
  readonly project: (value: TupleValue, index: number) => TensorValue;
  /** A value of the node, with the facts of another. */
  readonly as: <V extends Value>(expr: Expr, like: V) => V;
  /** Makes a value visible. */
  readonly keep: (value: Value) => void;
  /** The value as a variable, bound in the innermost scope. */
  readonly bind: <V extends Value>(value: V) => V;
  /** A new variable for the value of any expression, bound in the innermost scope. */
  readonly bindExpr: (expr: Expr, type: Type) => Var;
  /** Marks what an expression that is not a call uses. */
  readonly use: (...values: ReadonlyArray<Value>) => void;
  /** The visible values that nothing uses yet. */
  readonly unused: () => ReadonlyArray<Value>;
  /** What `body` gives, with the bindings made there around it; what it makes is visible only there. */
  readonly scoped: (body: () => Value) => Value;
  /** As `scoped`, for a function of its own: nothing from outside is visible if it is `closed`. */
  readonly inFunction: (
    closed: boolean,
    body: () => Value,
  ) => { readonly params: ReadonlyArray<TensorValue>; readonly result: Value };
  /** The parameters made so far by the function that is being built. */
  readonly params: () => ReadonlyArray<TensorValue>;
}

/** What a builder starts from. */
export interface BuilderParts {
  readonly ops: OpTable;
  readonly random: Choices;
  readonly numerics: NumericKind;
  readonly float: DType;
}

/** The most parameters that a function gets where there are values enough. */
const ENOUGH_PARAMS = 4;

/** Names are few, so that inner variables shadow outer ones. */
const NAMES = ['a', 'b', 'c', 'd'];

/** What callers pass for floats: multiples of 1/8. */
export const INPUT_FACTS: Facts = between(-4, 4, 3);

/** A builder of one program. */
export function makeBuilder(parts: BuilderParts): Builder {
  const { ops, random } = parts;
  let visible: Value[] = [];
  let params: TensorValue[] = [];
  let bindings: Array<{ readonly variable: Var; readonly value: Expr }> = [];
  const used = new Set<Expr>();
  let calls = 0;

  const param = (shape: ReadonlyArray<number>, dtype: DType = parts.float): TensorValue => {
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
    const data = Array.from({ length: sizeOf(shape) }, (_, i) => numbers[i % numbers.length] ?? 0);
    return tensorValue(
      constant(tensor(data, shape, dtype)),
      tensorType(shape, dtype),
      factsOfNumbers(data),
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
    const shape = someShape(random, someRank(random, min, max));
    if (want.fits === undefined || want.fits(shape)) return shape;
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
    const made = resultValue(node, answer.type, (type) =>
      resultFacts(ops, op, args, decoded.right, type),
    );
    // What has an effect happens once, where it stands.
    return op.effect === 'stateful' ? bind(made) : made;
  };

  const callOp = (name: string, args: ReadonlyArray<Value>, attrs: Attrs = noAttrs): Value => {
    const made = attempt(name, args, attrs);
    if (typeof made !== 'string') return made;
    const given = `${JSON.stringify(attrs)} on ${args.map((arg) => describe(arg)).join(', ')}`;
    throw new InvariantError(`a generated call of ${name} is valid: ${made} (${given})`);
  };

  const tensorCall = (name: string, args: ReadonlyArray<Value>, attrs: Attrs = noAttrs) => {
    const made = callOp(name, args, attrs);
    if (made._tag === 'Tensor') return settle(builder, made);
    throw new InvariantError(`a call of ${name} that should give a tensor gives a tuple`);
  };

  const use = (...values: ReadonlyArray<Value>): void => {
    for (const value of values) used.add(value.expr);
  };

  const bindExpr = (expr: Expr, type: Type): Var => {
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
    visible = [...visible];
    bindings = [];
    const result = body();
    const expr = bindings.reduceRight((rest, b) => letIn(b.variable, b.value, rest), result.expr);
    use(result);
    ({ visible, bindings } = outer);
    builder.callees.length = calleeCount;
    return { ...result, expr };
  };

  const inFunction = (closed: boolean, body: () => Value) => {
    const outer = { visible, params };
    const callees = closed ? builder.callees.splice(0) : [];
    visible = closed ? [] : [...visible];
    params = [];
    const result = scoped(body);
    const own = params;
    ({ visible, params } = outer);
    builder.callees.push(...callees);
    return { params: own, result };
  };

  const builder: Builder = {
    ...parts,
    callCount: () => calls,
    visible: () => visible,
    callees: [],
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
      return { _tag: 'Tuple', expr: tuple(fields.map((field) => field.expr)), type, fields };
    },
    project: (value, index) => {
      const field = value.fields[index];
      if (field === undefined) throw new InvariantError(`a projection has a field: ${index}`);
      use(value);
      return tensorValue(tupleGetItem(value.expr, index), field.type, field.facts);
    },
    as: (expr, like) => ({ ...like, expr }),
    keep: (value) => {
      visible.push(value);
    },
    bind,
    bindExpr,
    use,
    unused: () => visible.filter((value) => !used.has(value.expr)),
    scoped,
    inFunction,
    params: () => params,
  };
  return builder;
}

/** The most recent of the candidates more often than the others. */
function recent(random: Choices, candidates: ReadonlyArray<TensorValue>): TensorValue {
  const back = Math.min(random.int(0, 3), random.int(0, candidates.length - 1));
  return candidates[Math.max(candidates.length - 1 - back, 0)] as TensorValue;
}

/** The value within the interval: as it is, or through `clip`, `abs` or a factor. */
function guard(b: Builder, value: TensorValue, [lo, hi]: Interval): TensorValue {
  if (value.facts.lo >= lo && value.facts.hi <= hi) return value;
  const bound = magnitude(value.facts);
  const { random } = b;
  if (lo > 0 && bound + lo <= hi && random.chance(0.7)) {
    const positive = value.facts.lo >= 0 ? value : b.tensor('abs', [value]);
    return b.tensor('add', [positive, b.constant([lo], [], value.dtype)]);
  }
  if (lo === 0 && bound <= hi && random.chance(0.7)) {
    return b.tensor(random.pick(['abs', 'nn.relu']), [value]);
  }
  const room = Math.min(-lo, hi);
  if (room > 0 && bound / room < 2 ** 10 && random.chance(0.6)) {
    const factor = 2 ** -Math.ceil(Math.log2(bound / room));
    return b.tensor('multiply', [value, b.constant([factor], [], value.dtype)]);
  }
  return b.tensor('clip', [value], { a_min: lo, a_max: hi });
}

function resultFacts(
  ops: OpTable,
  op: OpInfo,
  args: ReadonlyArray<Value>,
  attrs: Attrs,
  result: TensorType,
): Facts {
  const numerics: Numerics | undefined = ops.read(numericsColumn, op.name);
  const facts = args.map(factsOf);
  const outputs = Math.max(sizeOfType(result), 1);
  const argTypes = args.map((arg) => arg.type);
  const [data] = args;
  const inputs = data?._tag === 'Tensor' ? sizeOf(data.shape) : 1;
  const found = (numerics?.facts ?? mixed)(facts, {
    args,
    attrs,
    result,
    ratio: inputs / outputs,
    get products() {
      const cost = ops.read(costColumn, op.name)?.(argTypes, result, attrs);
      return (cost?.flops ?? 0) / 2 / outputs;
    },
  });
  if (result.dtype === 'bool') return between(0, 1, 0);
  const isKnown = !Number.isNaN(found.lo) && !Number.isNaN(found.hi);
  return ofDType(isKnown ? found : between(-HUGE, HUGE), result);
}

/** The bound of numbers of which nothing is known. */
const HUGE = 2 ** 100;

/** Integers have no digits behind the point, and those without sign are not below 0. */
function ofDType(facts: Facts, type: TensorType): Facts {
  const dtype = type.dtype as DType;
  if (isFloat(dtype)) return facts;
  const lo = Math.floor(facts.lo);
  const hi = Math.ceil(facts.hi);
  return dtype.startsWith('uint') && lo < 0 ? between(0, 2 ** 31, 0) : between(lo, hi, 0);
}

const factsOf = (value: Value): Facts =>
  value._tag === 'Tensor'
    ? value.facts
    : value.fields.reduce<Facts>(
        (all, field) => ({
          lo: Math.min(all.lo, field.facts.lo),
          hi: Math.max(all.hi, field.facts.hi),
          fraction: Math.max(all.fraction, field.facts.fraction),
        }),
        between(0, 0, 0),
      );

function resultValue(expr: Expr, type: Type, facts: (type: TensorType) => Facts): Value {
  if (type._tag === 'TensorType') return tensorValue(expr, type, facts(type));
  if (type._tag !== 'TupleType') throw new InvariantError('an operator gives tensors');
  const fields = type.fields.map((field) => {
    if (field._tag !== 'TensorType') throw new InvariantError('an operator gives flat tuples');
    return { type: field, facts: facts(field) };
  });
  return { _tag: 'Tuple', expr, type, fields };
}

/** A tensor whose type says everything. */
export function tensorValue(expr: Expr, type: TensorType, facts: Facts): TensorValue {
  const shape = '_tag' in type.shape ? [] : type.shape.filter((dim) => typeof dim === 'number');
  // Dimensions that only the values decide stay out of sight: nothing is built on them.
  return { _tag: 'Tensor', expr, type, shape, dtype: type.dtype as DType, facts };
}

const inputFacts = (dtype: DType): Facts => {
  if (isFloat(dtype)) return INPUT_FACTS;
  if (dtype === 'bool') return between(0, 1, 0);
  return dtype.startsWith('uint') ? between(0, 8, 0) : between(-8, 8, 0);
};

function factsOfNumbers(numbers: ReadonlyArray<number>): Facts {
  if (numbers.length === 0) return between(0, 0, 0);
  const digits = (x: number): number => {
    for (let k = 0; k <= 12; k++) if (Number.isInteger(x * 2 ** k)) return k;
    return Number.POSITIVE_INFINITY;
  };
  return between(Math.min(...numbers), Math.max(...numbers), Math.max(...numbers.map(digits)));
}

/** Whether the dtype is of the class. */
export function isOfClass(dtype: DType, kind: DTypeClass): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'bool':
      return dtype === 'bool';
    case 'float':
      return isFloat(dtype);
    case 'int':
      return isInteger(dtype);
    case 'number':
      return dtype !== 'bool';
  }
}

function someDType(random: Choices, float: DType, kind: DTypeClass): DType {
  switch (kind) {
    case 'bool':
      return 'bool';
    case 'int':
      return random.weighted([
        [4, 'int32'],
        [2, 'int64'],
        [1, 'int8'],
        [1, 'uint8'],
      ] as const);
    case 'float':
      return float;
    case 'number':
      return random.chance(0.8) ? float : 'int32';
    case 'any':
      return random.weighted([
        [6, float],
        [1, 'int32'],
        [1, 'bool'],
      ] as const);
  }
}

const sizeOfType = (type: TensorType): number =>
  '_tag' in type.shape
    ? 1
    : type.shape.reduce<number>((n, dim) => n * (typeof dim === 'number' ? dim : 1), 1);

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

/** The tensor that a constant holds. */
export const dataOf = (value: TensorValue): Tensor | undefined =>
  value.expr._tag === 'Constant' ? value.expr.data : undefined;
