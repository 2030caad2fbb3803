/** From plain JavaScript data to values, guided by types. */
import { fail, isLeft, type Result, remember, right } from '@baton/base';
import type { Constructor, IRModule, Type, TypeCall } from '@baton/ir';
import { hasBoundType } from './has-type.ts';
import { hostTensor } from './host-tensor.ts';
import {
  describe,
  type HostValue,
  isHostAdt,
  isHostRef,
  isTagged,
  mismatch,
  type Target,
} from './host-value.ts';
import {
  type Application,
  applications,
  type BoundType,
  boundType,
  noTypes,
  type TypeEnvironment,
} from './type-environment.ts';
import { adtValue, emptyTuple, type RefValue, refValue, tupleValue, type Value } from './value.ts';

/** Data under conversion: its parts, and the constructor of the result. */
interface Open {
  readonly _tag: 'Open';
  readonly given: HostValue;
  readonly bound: BoundType;
  readonly parts: ReadonlyArray<HostValue>;
  /** The types of the parts; the last one is the type of all further parts. */
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
  /** New cells and their contents, which may contain the cell. */
  readonly cells: Array<{
    readonly cell: RefValue;
    readonly data: HostValue;
    readonly bound: BoundType;
  }>;
}

/**
 * The value for a parameter. Tensors are checked against its type as far as numbers go; the
 * function checks names of dimensions. A value of an algebraic data type, a reference and a
 * function are used unchanged, if they are of the type. Shared data becomes a shared value.
 *
 * **Errors** `EXEC_ARGUMENT_TYPE`, `EXEC_ARGUMENT_RANGE`, `EXEC_DIMENSION`, and errors of making a
 * tensor.
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
      const known = remember(inputs, environment, () => new Map());
      return remember(known, ctor, () => ctor.inputs.map((type) => boundType(type, environment)));
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
    if (known === 'open')
      return fail(mismatch(context.target, bound.type, 'data that contains itself'));
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

/** The results of data, by the wanted type. */
function makeMemory(): Memory {
  type Outcomes = Map<HostValue, Value | 'open'>;
  const known = new Map<Type, Map<TypeEnvironment, Outcomes>>();
  const outcomes = ({ type, environment }: BoundType): Outcomes => {
    const ofType = remember(known, type, () => new Map<TypeEnvironment, Outcomes>());
    return remember(ofType, environment, () => new Map());
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
  const wrong = (): Result<never> => fail(mismatch(context.target, type, describe(given)));
  if (type._tag === 'TensorType') {
    return hostTensor(given, type, bound.environment, context.target);
  }
  if (type._tag === 'TupleType') {
    const fields = tupleFields(given);
    if (fields?.length !== type.fields.length) return wrong();
    const types = type.fields.map((field) => ({ type: field, environment: bound.environment }));
    return opened(given, bound, fields, types, tupleValue);
  }
  if (isTagged(given)) return hasBoundType(context.m, given, bound) ? right(given) : wrong();
  if (type._tag === 'TypeCall') return openAdt(given, bound, type, context) ?? wrong();
  if (type._tag !== 'RefType' || !isHostRef(given)) return wrong();
  const cell = refValue(emptyTuple);
  const content: BoundType = { type: type.value, environment: bound.environment };
  context.cells.push({ cell, data: given.ref, bound: content });
  return right(cell);
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

/** The constructors of a list type, such as `List[A]`. */
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

const tupleFields = (given: HostValue): ReadonlyArray<HostValue> | undefined => {
  if (Array.isArray(given)) return given;
  return isTagged(given) && given._tag === 'Tuple' ? given.fields : undefined;
};
