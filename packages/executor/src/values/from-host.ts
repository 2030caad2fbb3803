/** From plain JavaScript data to values, guided by types. */
import { type Diagnostic, fail, failure, type Result, type Span } from '@baton/base';
import {
  type Constructor,
  type Dim,
  type DTypeTerm,
  type IRModule,
  printType,
  type TensorType,
  type Type,
  type TypeCall,
} from '@baton/ir';
import { dense, describeTensor, isDType, makeTensor, scalar, type Tensor } from '@baton/tensor';
import { isLeft, right } from 'fp-ts/lib/Either.js';
import * as diagnostics from '../diagnostics.ts';
import { hasBoundType } from './has-type.ts';
import { printValue } from './print-value.ts';
import { boxed } from './scalar.ts';
import {
  type Application,
  applications,
  type BoundType,
  boundType,
  noTypes,
  type TypeEnvironment,
} from './type-environment.ts';
import { adtValue, emptyTuple, type RefValue, refValue, tupleValue, type Value } from './value.ts';

/** A value of an algebraic data type, as a host may write it. */
export interface HostAdt {
  readonly constructor: string;
  readonly fields?: ReadonlyArray<HostValue>;
}

/** A new reference, as a host may write it. */
export interface HostRef {
  readonly ref: HostValue;
}

/**
 * What a host may pass: values, or plain data. Where the type is
 * - a tensor: a number, bigint or boolean, or nested arrays of them;
 * - a tuple: an array of what its fields may be;
 * - an algebraic data type: `{ constructor: 'Cons', fields: [1, ..] }`; `fields` may be left out
 *   where there are none. A type with a constructor of an element and the rest, and one without
 *   inputs, such as `List[A]`, also takes an array of its elements;
 * - a reference: `{ ref: .. }`, which makes a new one;
 * - a function, or a type parameter: only a value.
 */
export type HostValue =
  | Value
  | number
  | bigint
  | boolean
  | HostAdt
  | HostRef
  | ReadonlyArray<HostValue>;

/** The parameter that a value is meant for. */
export interface Target {
  readonly name: string;
  readonly type: Type;
  readonly span: Span | undefined;
}

type Scalar = number | bigint | boolean;

/** How deep nested arrays may go: the largest rank of a tensor. */
const MAX_RANK = 16;

/** How much of a value a message shows. */
const SHOWN_CHARACTERS = 60;

/** Data that is being converted: its parts, and what to make of them. */
interface Open {
  readonly _tag: 'Open';
  readonly given: HostValue;
  readonly bound: BoundType;
  readonly parts: ReadonlyArray<HostValue>;
  /** The types of the parts; the last one is that of all parts from there on. */
  readonly types: ReadonlyArray<BoundType>;
  readonly done: Value[];
  readonly make: (parts: ReadonlyArray<Value>) => Value;
}

interface Context {
  readonly target: Target;
  readonly m: IRModule;
  readonly apply: Application;
  /** The types of a constructor's inputs: the same objects each time. */
  readonly inputTypes: (
    ctor: Constructor,
    environment: TypeEnvironment,
  ) => ReadonlyArray<BoundType>;
  /** Cells that were made, and what goes into them: they may be inside it. */
  readonly cells: Array<{
    readonly cell: RefValue;
    readonly data: HostValue;
    readonly bound: BoundType;
  }>;
}

/**
 * The value for a parameter. Tensors are checked against its type as far as numbers go; names of
 * dimensions are the function's to check. A value of an algebraic data type, a reference and a
 * function are taken as they are, if they are of the type. Data that is shared becomes a value that is shared.
 *
 * **Errors** `EXEC_ARGUMENT_TYPE`, `EXEC_DIMENSION`, and those of making a tensor.
 * **Complexity** linear in the data.
 */
export function fromHost(given: HostValue, target: Target, m: IRModule): Result<Value> {
  const context = makeContext(target, m);
  const memory = makeMemory();
  const result = convert(given, { type: target.type, environment: noTypes }, context, memory);
  for (let next = context.cells.pop(); next !== undefined; next = context.cells.pop()) {
    const content = convert(next.data, next.bound, context, memory);
    if (isLeft(content)) return content;
    next.cell.value = content.right;
  }
  return result;
}

function makeContext(target: Target, m: IRModule): Context {
  const inputs = new Map<TypeEnvironment, Map<Constructor, ReadonlyArray<BoundType>>>();
  return {
    target,
    m,
    apply: applications(m),
    inputTypes: (ctor, environment) => {
      const known = inputs.get(environment) ?? new Map<Constructor, ReadonlyArray<BoundType>>();
      inputs.set(environment, known);
      const types = known.get(ctor) ?? ctor.inputs.map((type) => boundType(type, environment));
      known.set(ctor, types);
      return types;
    },
    cells: [],
  };
}

function convert(
  given: HostValue,
  wanted: BoundType,
  context: Context,
  memory: Memory,
): Result<Value> {
  const stack: Open[] = [];
  const begin = (data: HostValue, stated: BoundType): Result<Value> | Open => {
    const bound = boundType(stated.type, stated.environment);
    const known = memory.read(data, bound);
    if (known === 'open') return fail(mismatch(context, bound.type, 'data that contains itself'));
    return known === undefined ? open(data, bound, context) : right(known);
  };
  let step = begin(given, wanted);
  for (;;) {
    if (step._tag === 'Open') {
      stack.push(step);
      memory.write(step.given, step.bound, 'open');
    } else if (isLeft(step) || stack.length === 0) return step;
    else stack[stack.length - 1]?.done.push(step.right);
    const top = stack[stack.length - 1];
    if (top === undefined) continue;
    const i = top.done.length;
    if (i < top.parts.length) {
      const type = top.types[Math.min(i, top.types.length - 1)] as BoundType;
      step = begin(top.parts[i] as HostValue, type);
    } else {
      stack.pop();
      const made = top.make(top.done);
      memory.write(top.given, top.bound, made);
      step = right(made);
    }
  }
}

interface Memory {
  readonly read: (data: HostValue, bound: BoundType) => Value | 'open' | undefined;
  readonly write: (data: HostValue, bound: BoundType, outcome: Value | 'open') => void;
}

/** What became of data, by the type that it was wanted for. */
function makeMemory(): Memory {
  type Outcomes = Map<HostValue, Value | 'open'>;
  const known = new Map<Type, Map<TypeEnvironment, Outcomes>>();
  const outcomes = ({ type, environment }: BoundType): Outcomes => {
    const ofType = known.get(type) ?? new Map<TypeEnvironment, Outcomes>();
    known.set(type, ofType);
    const found = ofType.get(environment) ?? new Map();
    ofType.set(environment, found);
    return found;
  };
  return {
    read: (data, bound) => (isCompound(data) ? outcomes(bound).get(data) : undefined),
    write: (data, bound, outcome) => {
      outcomes(bound).set(data, outcome);
    },
  };
}

const isCompound = (data: HostValue): boolean => typeof data === 'object' && data !== null;

/** A value at once, or the parts that have to be converted first. */
function open(given: HostValue, bound: BoundType, context: Context): Result<Value> | Open {
  const { type } = bound;
  const wrong = (): Result<never> => fail(mismatch(context, type, describe(given)));
  switch (type._tag) {
    case 'TensorType':
      return toTensor(given, type, bound.environment, context);
    case 'TupleType': {
      const fields = tupleFields(given);
      if (fields?.length !== type.fields.length) return wrong();
      const types = type.fields.map((field) => ({ type: field, environment: bound.environment }));
      return opened(given, bound, fields, types, tupleValue);
    }
    case 'TypeCall':
      if (isTagged(given)) return hasBoundType(context.m, given, bound) ? right(given) : wrong();
      return openAdt(given, bound, type, context) ?? wrong();
    case 'RefType': {
      if (isTagged(given)) return hasBoundType(context.m, given, bound) ? right(given) : wrong();
      if (!isHostRef(given)) return wrong();
      const cell = refValue(emptyTuple);
      const content: BoundType = { type: type.value, environment: bound.environment };
      context.cells.push({ cell, data: given.ref, bound: content });
      return right(cell);
    }
    default:
      return isTagged(given) && hasBoundType(context.m, given, bound) ? right(given) : wrong();
  }
}

const opened = (
  given: HostValue,
  bound: BoundType,
  parts: ReadonlyArray<HostValue>,
  types: ReadonlyArray<BoundType>,
  make: Open['make'],
): Open => ({ _tag: 'Open', given, bound, parts, types, done: [], make });

function openAdt(
  given: HostValue,
  bound: BoundType,
  type: TypeCall,
  { m, apply, inputTypes }: Context,
): Open | undefined {
  const environment = apply(type, bound.environment);
  const list = Array.isArray(given) ? listOf(type, m) : undefined;
  if (list !== undefined) {
    const types = inputTypes(list.cons, environment).slice(0, 1);
    const make = (items: ReadonlyArray<Value>): Value =>
      items.reduceRight((rest, item) => adtValue(list.cons, [item, rest]), adtValue(list.nil, []));
    return opened(given, bound, given as ReadonlyArray<HostValue>, types, make);
  }
  if (!isHostAdt(given)) return undefined;
  const ctor = m.constructors.get(given.constructor);
  const fields = given.fields ?? [];
  if (ctor?.belongTo.nameHint !== type.func.nameHint) return undefined;
  if (ctor.inputs.length !== fields.length) return undefined;
  const types = inputTypes(ctor, environment);
  return opened(given, bound, fields, types, (values) => adtValue(ctor, values));
}

/** The constructors of a type that is made like `List[A]`. */
function listOf(
  type: TypeCall,
  m: IRModule,
): { readonly cons: Constructor; readonly nil: Constructor } | undefined {
  const definition = m.typeDefinitions.get(type.func.nameHint);
  if (definition?.constructors.length !== 2) return undefined;
  const [a, b] = definition.constructors.map((c) => m.constructors.get(c.name));
  const cons = a?.inputs.length === 2 ? a : b;
  const nil = cons === a ? b : a;
  const rest = cons?.inputs[1];
  if (cons?.inputs.length !== 2 || nil?.inputs.length !== 0) return undefined;
  const isSame =
    rest?._tag === 'TypeCall' &&
    rest.func.nameHint === type.func.nameHint &&
    rest.args.every((arg, i) => arg.value === definition.typeVars[i]);
  return isSame ? { cons, nil } : undefined;
}

// Programs without types pass null, too: `args` is what a user writes.
const isTagged = (given: HostValue): given is Value =>
  typeof given === 'object' && given !== null && !Array.isArray(given) && '_tag' in given;

const isHostAdt = (given: HostValue): given is HostAdt =>
  typeof given === 'object' &&
  given !== null &&
  Object.hasOwn(given, 'constructor') &&
  typeof given.constructor === 'string';

const isHostRef = (given: HostValue): given is HostRef =>
  typeof given === 'object' && given !== null && Object.hasOwn(given, 'ref');

const tupleFields = (given: HostValue): ReadonlyArray<HostValue> | undefined => {
  if (Array.isArray(given)) return given;
  return isTagged(given) && given._tag === 'Tuple' ? given.fields : undefined;
};

const mismatch = ({ target }: Context, type: Type, found: string): Diagnostic =>
  diagnostics.argumentType(target.name, describeType(type), found, target.span);

/** The text of a type that shares its parts may be far longer than the type. */
function describeType(type: Type): string {
  if (type._tag === 'TupleType') return `a tuple of ${type.fields.length}`;
  if (type._tag === 'FuncType') return 'a function';
  if (type._tag === 'RefType') return 'a reference';
  return type._tag === 'TypeCall' ? `a value of ${type.func.nameHint}` : printType(type);
}

function describe(given: HostValue): string {
  if (Array.isArray(given)) return `a list of ${given.length}`;
  if (isHostAdt(given)) return `an object for ${given.constructor}`;
  if (!isTagged(given)) {
    return given !== null && typeof given === 'object' ? 'an object' : String(given);
  }
  if (given._tag === 'Tensor') return describeTensor(given);
  return given._tag === 'Closure' ? 'a function' : printValue(given, SHOWN_CHARACTERS);
}

function toTensor(
  given: HostValue,
  type: TensorType,
  environment: TypeEnvironment,
  context: Context,
): Result<Tensor> {
  const dtype = boundDType(type.dtype, environment);
  const wrong = (found: string): Result<never> => fail(mismatch(context, type, found));
  if (isTagged(given)) {
    if (given._tag !== 'Tensor') return wrong(describe(given));
    if (typeof dtype === 'string' && given.dtype !== dtype) return wrong(describe(given));
    return checkShape(dense(given), type, context);
  }
  if (typeof dtype !== 'string' || !isDType(dtype)) return wrong(describe(given));
  if (isScalar(given)) return checkShape(scalar(given, dtype), type, context);
  const flat = flatten(given);
  if (flat === undefined) {
    return wrong(
      Array.isArray(given)
        ? 'a list that is ragged or holds other things than numbers'
        : describe(given),
    );
  }
  const made = makeTensor(flat.elements, flat.shape, dtype);
  return isLeft(made) ? made : checkShape(made.right, type, context);
}

function boundDType(dtype: DTypeTerm, environment: TypeEnvironment): DTypeTerm {
  if (typeof dtype === 'string' || dtype._tag !== 'TypeVar') return dtype;
  const bound = environment.get(dtype);
  return bound?.arg.kind === 'BaseType' ? bound.arg.value : dtype;
}

/** The elements of nested arrays in row-major order, or `undefined` where they are ragged. */
function flatten(
  given: HostValue,
): { readonly elements: ReadonlyArray<Scalar>; readonly shape: ReadonlyArray<number> } | undefined {
  const shape: number[] = [];
  let level: ReadonlyArray<HostValue> = [given];
  while (level.length > 0 && Array.isArray(level[0])) {
    const length = level[0].length;
    if (shape.length === MAX_RANK) return undefined;
    const next: HostValue[] = [];
    for (const item of level) {
      if (!Array.isArray(item) || item.length !== length) return undefined;
      for (const element of item) next.push(element as HostValue);
    }
    shape.push(length);
    level = next;
  }
  return level.every(isScalar) ? { elements: level, shape } : undefined;
}

const isScalar = (given: HostValue): given is Scalar =>
  typeof given === 'number' || typeof given === 'bigint' || typeof given === 'boolean';

/** The rank, and the dimensions that are numbers. */
function checkShape(t: Tensor, type: TensorType, context: Context): Result<Tensor> {
  const { shape } = type;
  if ('_tag' in shape) return right(boxed(t));
  if (shape.length !== t.shape.length) return fail(mismatch(context, type, describeTensor(t)));
  const { name, span } = context.target;
  const problems = shape.flatMap((dim: Dim, axis) => {
    const found = t.shape[axis] as number;
    if (typeof dim !== 'number' || dim === found) return [];
    return [diagnostics.dimension(`parameter %${name}`, axis, String(dim), dim, found, span)];
  });
  return failure(problems) ?? right(boxed(t));
}
