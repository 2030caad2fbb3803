/**
 * Regions: functions of plain dataflow on tensors of known shapes, and stretches of other functions,
 * as lists of operator calls in the order of their evaluation.
 */
import { isRight, present, remember, type Span } from '@baton/base';
import {
  endsInCheck,
  fitsSizes,
  type Stretch,
  sizeVariables,
  statesSizes,
  tupleValue,
  type Value,
} from '@baton/executor';
import {
  type Call,
  children,
  type Expr,
  type Func,
  freeVars,
  type IRModule,
  noAttrs,
  type OpInfo,
  type Type,
  type TypeVar,
  tensorType,
  tupleType,
  typeEqual,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import {
  definitionOf,
  foldableColumn,
  formColumn,
  kindColumn,
  type OpValue,
  type PreparedCall,
  prepareTyped,
  runCall,
  staticFormColumn,
  staticParts,
  staticTensor,
} from '@baton/ops';
import { isPrimitive } from '@baton/pass-manager';
import {
  type DType,
  isTensor,
  type Shape,
  splat,
  type Tensor,
  type TensorData,
} from '@baton/tensor';

/** A tensor of the region: a number for each, or a tuple of them. */
export type RegionValue = number | ReadonlyArray<RegionValue>;

/** A tensor that the region reads or makes. */
export interface RegionTensor {
  readonly dtype: DType;
  readonly shape: Shape;
  /** The elements of a constant. */
  readonly constant: Tensor | undefined;
}

/** A call of an operator. */
export interface RegionStep {
  readonly call: PreparedCall;
  readonly args: ReadonlyArray<RegionValue>;
  /** The tensors of the result, in order; one, unless it is a tuple. */
  readonly results: ReadonlyArray<number>;
  readonly isTuple: boolean;
  /** The call of a `Primitive` function around it; calls outside of one have numbers of their own. */
  readonly group: number;
}

/** What an evaluation counts: a call of an operator, or of a `Primitive` function. */
export interface CountedStep {
  readonly span: Span | undefined;
  /** The calls that wait while the function runs; absent for an operator, and for a last call. */
  readonly depth?: number;
  readonly call?: PreparedCall;
}

/** Plain dataflow: a function, or a stretch of one. */
export interface Region {
  readonly tensors: ReadonlyArray<RegionTensor>;
  readonly steps: ReadonlyArray<RegionStep>;
  /** What the function counts, in the order of its evaluation. */
  readonly counted: ReadonlyArray<CountedStep>;
  /** A tensor, or a tuple of tensors, for each parameter. */
  readonly params: ReadonlyArray<RegionValue>;
  readonly result: RegionValue;
}

/** Options of {@link regionOf}. */
export interface RegionOptions {
  /** Whether normalizations stay whole, which round less than the operators in their formulas. */
  readonly isExact?: boolean;
}

/** What is known of an argument before its elements are read. */
export type Sized = Pick<Tensor, 'dtype' | 'shape'>;

/** What is known of a program whatever its sizes are, and what was found at the last of them. */
export interface ProgramMemo {
  /** Whether storage holds nothing that depends on sizes: the storage of constants. */
  readonly has: (storage: TensorData) => boolean;
  readonly add: (storage: TensorData) => void;
  /** The results of calls that are the same for all sizes. */
  readonly results: WeakMap<Call, OpValue>;
  /** The calls as they were prepared last. */
  readonly calls: WeakMap<Call, PreparedCall>;
  readonly formulas: WeakMap<PreparedCall, Formula | undefined>;
}

/**
 * The region of a function, or `undefined` if it is none: it has free variables, control flow, data,
 * functions other than `Primitive` ones that it calls, sizes unknown before the run, or an operator
 * that is not total.
 *
 * **Complexity** linear in the nodes up to the first that is no dataflow.
 */
export function regionOf(
  func: Func,
  m: IRModule,
  { isExact = false }: RegionOptions = {},
): Region | undefined {
  const reader = makeReader(m, !isExact);
  const params = func.params.map((param) => reader.parameter(param.typeAnnotation));
  if (params.includes(undefined)) return undefined;
  const last = endsInCheck(func, m) ? undefined : lastOf(func);
  const scope: Scope = { ...newScope(), last };
  for (const [i, param] of func.params.entries()) scope.values.set(param, params[i] as RegionValue);
  const result = evaluated(func.body, scope, reader);
  return completed(reader, params as RegionValue[], result);
}

/**
 * The region of a function for arguments of these sizes, of which types may leave some open. What follows
 * from the sizes alone is computed here. `undefined` if it is none, or if a size contradicts a type: the
 * interpreter says at which place.
 *
 * **Complexity** linear in the nodes up to the first that is no dataflow.
 */
export function sizedRegionOf(
  func: Func,
  args: ReadonlyArray<Sized | ReadonlyArray<Sized>>,
  m: IRModule,
  constants: ProgramMemo,
  { isExact = false }: RegionOptions = {},
): Region | undefined {
  const reader = makeReader(m, !isExact, constants);
  const params = args.map((arg) =>
    'dtype' in arg ? reader.input(arg) : arg.map((field) => reader.input(field)),
  );
  const sizes: Sizes = new Map();
  const scope: Scope = { ...newScope(), last: lastOf(func), sizes };
  const isFitting = func.params.every((param, i) => {
    const value = params[i] as RegionValue;
    scope.values.set(param, value);
    return reader.fits(value, param.typeAnnotation, sizes);
  });
  const result = isFitting ? evaluated(func.body, scope, reader) : undefined;
  if (result === undefined || !reader.fits(result, func.retType, sizes)) return undefined;
  return completed(reader, params, result);
}

/** The sizes of named dimensions. */
type Sizes = Map<TypeVar, number>;

/**
 * The region of a stretch of a function, whose inputs are the parameters; `undefined` if the type of a
 * call depends on elements.
 *
 * **Complexity** linear in the nodes.
 */
export function stretchRegionOf(
  { nodes, variables, inputs }: Stretch,
  m: IRModule,
  { isExact = false }: RegionOptions = {},
): Region | undefined {
  const reader = makeReader(m, !isExact);
  const scope = newScope();
  const params: RegionValue[] = [];
  for (const input of inputs) {
    const param = reader.parameter(typeOf(m, input));
    if (param === undefined) return undefined;
    params.push(param);
    scope.values.set(input, param);
  }
  let result: RegionValue | undefined;
  for (const node of nodes) {
    result = evaluated(node, scope, reader);
    if (result === undefined) return undefined;
    const variable = variables.get(node);
    if (variable !== undefined) scope.values.set(variable, result);
  }
  return completed(reader, params, result);
}

/** The region of what was read, if it has a result of tensors. */
const completed = (
  { parts }: Reader,
  params: ReadonlyArray<RegionValue>,
  result: RegionValue | undefined,
): Region | undefined =>
  result === undefined || !isFlat(result) ? undefined : { ...parts, params, result };

/**
 * Whether a node may belong to the region of a stretch: a call of a total operator, a tuple or a field
 * of one, whose tensors have known shapes. Calls of `Primitive` functions are regions of their own.
 */
export function isDataflow(node: Expr, m: IRModule): boolean {
  if (!isKnown(typeOf(m, node))) return false;
  const isTotal =
    node._tag === 'Call'
      ? node.op._tag === 'Op' && m.ops.get(node.op.name)?.effect === 'total'
      : node._tag === 'Tuple' || node._tag === 'TupleGetItem';
  return isTotal && partsOf(node)?.every((part) => isKnown(typeOf(m, part))) === true;
}

/**
 * Whether a function is a region as far as one sees without the sizes of its arguments.
 *
 * **Complexity** linear in the nodes.
 */
export function isOpenDataflow(func: Func, m: IRModule): boolean {
  const declared = new Set(func.typeParams);
  const types = func.params.map(({ typeAnnotation }) => typeAnnotation);
  const isClosed = types.every(
    (type) => type && isOfTensors(type) && sizeVariables(type).every((name) => declared.has(name)),
  );
  if (!isClosed || freeVars(func).length > 0) return false;
  const seen = new Set<Expr>();
  const pending: Expr[] = [func.body];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node) || node._tag === 'Var') continue;
    seen.add(node);
    const parts = partsOf(node);
    if (parts === undefined) return false;
    pending.push(...parts);
    if (node._tag !== 'Call') continue;
    if (node.op._tag === 'Function') pending.push(node.op.body);
    else if (node.op._tag === 'Op' && m.ops.get(node.op.name)?.effect !== 'total') return false;
  }
  return true;
}

const isOfTensors = (type: Type): boolean =>
  type._tag === 'TupleType'
    ? type.fields.every((field) => field._tag === 'TensorType')
    : type._tag === 'TensorType';

/** The node with which a function ends. */
function lastOf({ body }: Func): Expr {
  let at = body;
  while (at._tag === 'Let') at = at.body;
  return at;
}

/** A tensor, or a tuple of tensors. */
const isFlat = (value: RegionValue): boolean =>
  typeof value === 'number' || value.every((field) => typeof field === 'number');

/** The values of nodes in one activation of a function. */
interface Scope {
  readonly values: Map<Expr, RegionValue>;
  /** The number of the `Primitive` call, inside of one. */
  readonly group: number | undefined;
  /** Inside a formula nothing is counted, and types are not in the module's table. */
  readonly isFormula: boolean;
  /** The node with which the function ends: a call there has no caller that waits. */
  readonly last?: Expr | undefined;
  /** With the sizes of arguments: those of the named dimensions. */
  readonly sizes?: Sizes | undefined;
}

const newScope = (group?: number): Scope => ({ values: new Map(), group, isFormula: false });

interface Reader {
  readonly parts: Pick<Region, 'tensors' | 'steps' | 'counted'>;
  readonly parameter: (type: Type | undefined) => RegionValue | undefined;
  readonly input: (sized: Sized) => number;
  readonly constant: (data: Tensor) => number;
  /** Whether a value has the sizes in a type, if there is one that states any. */
  readonly fits: (value: RegionValue, type: Type | undefined, sizes: Sizes) => boolean;
  readonly operator: (
    call: Call,
    args: ReadonlyArray<RegionValue>,
    scope: Scope,
  ) => RegionValue | undefined;
  /** Counts the call of a `Primitive` function, and numbers it. */
  readonly enter: (span: Span | undefined, isLast: boolean) => number;
  /** Whether a result has the sizes that the type of the call states. */
  readonly promises: (value: RegionValue, node: Call, scope: Scope) => boolean;
}

/** A node whose parts are being evaluated. */
interface Visit {
  readonly node: Expr;
  readonly parts: ReadonlyArray<Expr>;
  next: number;
}

/** The value of an expression, whose nodes are evaluated from left to right, each once. */
function evaluated(root: Expr, scope: Scope, reader: Reader): RegionValue | undefined {
  const { values } = scope;
  const stack: Visit[] = [];
  const enter = (node: Expr): boolean => {
    const parts = values.has(node) ? [] : partsOf(node);
    if (parts !== undefined) stack.push({ node, parts, next: 0 });
    return parts !== undefined;
  };
  if (!enter(root)) return undefined;
  for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
    const { node, parts } = visit;
    const part = parts[visit.next++];
    if (part !== undefined) {
      if (node._tag === 'Let' && part === node.body) {
        const value = values.get(node.value) as RegionValue;
        const { typeAnnotation } = node.variable;
        if (scope.sizes && !reader.fits(value, typeAnnotation, scope.sizes)) return undefined;
        values.set(node.variable, value);
      }
      if (!enter(part)) return undefined;
      continue;
    }
    stack.pop();
    if (values.has(node)) continue;
    const isLast = node === scope.last && stack.every(isInBody);
    const value = valueAt(node, isLast, scope, reader);
    if (value === undefined) return undefined;
    values.set(node, value);
  }
  return values.get(root);
}

const isInBody = ({ node, next }: Visit): boolean => node._tag === 'Let' && next === 2;

/** The nodes that are evaluated before a node, in order; `undefined` if it is no dataflow. */
function partsOf(node: Expr): ReadonlyArray<Expr> | undefined {
  switch (node._tag) {
    case 'Constant':
      return [];
    case 'Tuple':
    case 'TupleGetItem':
    case 'Let':
      return children(node);
    case 'Call':
      return node.op._tag === 'Op' || isClosedKernel(node.op) ? node.args : undefined;
    default:
      return undefined;
  }
}

const isClosedKernel = (callee: Expr): callee is Func =>
  isPrimitive(callee) && freeVars(callee).length === 0;

function valueAt(
  node: Expr,
  isLast: boolean,
  scope: Scope,
  reader: Reader,
): RegionValue | undefined {
  const get = (part: Expr): RegionValue => present(scope.values.get(part));
  switch (node._tag) {
    case 'Constant':
      return reader.constant(node.data);
    case 'Tuple':
      return node.fields.map(get);
    case 'TupleGetItem': {
      const fields = get(node.tuple);
      return typeof fields === 'number' ? undefined : fields[node.index];
    }
    case 'Let':
      return get(node.body);
    case 'Call':
      return called(node, isLast, node.args.map(get), scope, reader);
    default:
      return undefined;
  }
}

function called(
  node: Call,
  isLast: boolean,
  args: ReadonlyArray<RegionValue>,
  scope: Scope,
  reader: Reader,
): RegionValue | undefined {
  const { group } = scope;
  if (node.op._tag === 'Op') return reader.operator(node, args, scope);
  // Kernels do not nest.
  if (group !== undefined || node.op._tag !== 'Function') return undefined;
  const { params, body, retType } = node.op;
  if (params.length !== args.length) return undefined;
  const sizes = scope.sizes && new Map(scope.sizes);
  for (const name of node.op.typeParams) sizes?.delete(name);
  const inner: Scope = { ...newScope(reader.enter(node.span, isLast)), sizes };
  for (const [i, param] of params.entries()) {
    const arg = args[i] as RegionValue;
    if (sizes && !reader.fits(arg, param.typeAnnotation, sizes)) return undefined;
    inner.values.set(param, arg);
  }
  const result = evaluated(body, inner, reader);
  if (result === undefined || sizes === undefined) return result;
  return reader.fits(result, retType, sizes) && reader.promises(result, node, scope)
    ? result
    : undefined;
}

/** The tensors that a reader has met. */
function makeTensors() {
  const tensors: RegionTensor[] = [];
  const constants = new Map<Tensor, number>();
  /** Constants that depend on sizes. */
  const ofSizes = new Set<Tensor>();
  const add = (dtype: DType, shape: Shape, constant?: Tensor): number =>
    tensors.push({ dtype, shape, constant }) - 1;
  const constant = (data: Tensor): number =>
    remember(constants, data, () => add(data.dtype, data.shape, data));
  const addConstants = (value: OpValue, isForAll: boolean): RegionValue => {
    if (!isTensor(value)) return value.map((field) => addConstants(field, isForAll));
    if (!isForAll) ofSizes.add(value);
    return constant(value);
  };
  const typeOfValue = (value: RegionValue): Type => {
    if (typeof value !== 'number') return tupleType(value.map(typeOfValue));
    const { dtype, shape } = tensors[value] as RegionTensor;
    return tensorType(shape, dtype);
  };
  /** A tensor that stands for one of which no element is read. */
  const tensorAt = (at: number): Tensor => {
    const { dtype, shape, constant: known } = tensors[at] as RegionTensor;
    return known ?? splat(shape, dtype, 0);
  };
  const toOpValue = (value: RegionValue): OpValue =>
    typeof value === 'number' ? tensorAt(value) : value.map(toOpValue);
  const toValue = (value: RegionValue): Value =>
    typeof value === 'number' ? tensorAt(value) : tupleValue(value.map(toValue));
  return {
    tensors,
    add,
    addFields: (fields: ReadonlyArray<Type>): ReadonlyArray<number> | undefined => {
      const known = fields.map(staticTensor);
      if (known.includes(undefined)) return undefined;
      return known.map((type) => add(type?.dtype as DType, type?.shape as Shape));
    },
    constant,
    addConstants,
    constantOf: (value: RegionValue | undefined): Tensor | undefined =>
      typeof value === 'number' ? tensors[value]?.constant : undefined,
    isCommon: (data: Tensor): boolean => !ofSizes.has(data),
    typeOfValue,
    toOpValue,
    toValue,
  };
}

/**
 * Reads a function. With `common` its arguments have sizes that types need not state: the types of calls
 * are taken from the tensors then.
 */
function makeReader(m: IRModule, usesFormulas: boolean, common?: ProgramMemo): Reader {
  const steps: RegionStep[] = [];
  const counted: CountedStep[] = [];
  const all = makeTensors();
  const { tensors, add, addFields } = all;
  let groups = 0;

  const formulaFor = (call: PreparedCall, isFormula: boolean): Formula | undefined => {
    if (common?.formulas.has(call)) return common.formulas.get(call);
    const formula = formulaOfCall(m, call, usesFormulas, isFormula);
    common?.formulas.set(call, formula);
    return formula;
  };
  const prepared = (node: Call, op: OpInfo, args: ReadonlyArray<RegionValue>) => {
    const types = args.map(all.typeOfValue);
    const last = common?.calls.get(node);
    if (last && isOfTypes(last, types)) return last;
    const { attrs = noAttrs, span } = node;
    const constant = (index: number): Tensor | undefined => all.constantOf(args[index]);
    const call = prepareTyped(m.ops, { op, attrs, types, constant, span });
    if (!isRight(call)) return undefined;
    common?.calls.set(node, call.right);
    return call.right;
  };

  const reader: Reader = {
    parts: { tensors, steps, counted },
    parameter: (type) => {
      if (type === undefined) return undefined;
      const added = addFields(type._tag === 'TupleType' ? type.fields : [type]);
      return type._tag === 'TupleType' ? added : added?.[0];
    },
    input: ({ dtype, shape }) => add(dtype, shape),
    fits: (value, type, sizes) =>
      type === undefined || !statesSizes(type) || fitsSizes(all.toValue(value), type, sizes),
    promises: (value, node, { sizes = new Map() }) => reader.fits(value, typeOf(m, node), sizes),
    constant: all.constant,
    operator: (node, args, { group, isFormula }) => {
      const op = node.op._tag === 'Op' ? m.ops.get(node.op.name) : undefined;
      const isSure = isFormula || common !== undefined || isKnown(typeOf(m, node));
      if (op?.effect !== 'total' || !isSure || !args.every(isFlat)) return undefined;
      const given = prepared(node, op, args);
      if (given === undefined) return undefined;
      if (!isFormula) counted.push({ span: node.span, call: given });
      const sized = common && sizedCall(node, given, args, { m, common, isFormula, ...all });
      if (sized?.known !== undefined) {
        return all.addConstants(sized.known, sized.isCommon === true);
      }
      const form = sized ? sized.form : staticCall(given, args, { m, ...all });
      const { call, args: operands } = form ?? { call: given, args };
      const own = group ?? groups++;
      const formula = formulaFor(call, isFormula);
      const value = formula && evaluated(formula.body, scopeOf(formula, operands, own), reader);
      if (value !== undefined) return value;
      const isTuple = call.result._tag === 'TupleType';
      const results = addFields(
        call.result._tag === 'TupleType' ? call.result.fields : [call.result],
      );
      if (results === undefined) return undefined;
      steps.push({ call, args: operands, results, isTuple, group: own });
      return isTuple ? results : results[0];
    },
    enter: (span, isLast) => {
      counted.push(isLast ? { span } : { span, depth: 1 });
      return groups++;
    },
  };
  return reader;
}

/** Whether a call that was prepared for other arguments holds for arguments of these types. */
const isOfTypes = (call: PreparedCall, types: ReadonlyArray<Type>): boolean =>
  call.isForAll && call.types.every((type, i) => typeEqual(type, types[i] as Type));

/** What a reader knows of the tensors that it has read. */
interface KnownTensors {
  readonly m: IRModule;
  readonly common: ProgramMemo;
  /** Whether the calls belong to a formula, which is made for the sizes. */
  readonly isFormula: boolean;
  /** Whether a constant is the same for all sizes. */
  readonly isCommon: (constant: Tensor) => boolean;
  readonly constantOf: (value: RegionValue) => Tensor | undefined;
  readonly typeOfValue: (value: RegionValue) => Type;
  readonly toOpValue: (value: RegionValue) => OpValue;
}

/** A call at known sizes. */
interface SizedCall {
  /** Its result, if sizes and constants are enough for it. */
  readonly known?: OpValue;
  /** Whether it is the same for all sizes. */
  readonly isCommon?: boolean;
  /** Its form with the sizes as attributes, if there is one. */
  readonly form?: Pick<RegionStep, 'call' | 'args'> | undefined;
}

function sizedCall(
  node: Call,
  given: PreparedCall,
  args: ReadonlyArray<RegionValue>,
  tensors: KnownTensors,
): SizedCall {
  const { m, common, constantOf, toOpValue } = tensors;
  const leaves = args.flatMap(leavesOf).map(constantOf);
  // A part of common storage may be one for these sizes only.
  const isCommon =
    !tensors.isFormula && leaves.every((leaf) => leaf !== undefined && tensors.isCommon(leaf));
  const earlier = isCommon ? common.results.get(node) : undefined;
  if (earlier !== undefined) return { known: earlier, isCommon };
  if (!leaves.includes(undefined) || m.ops.read(foldableColumn, given.name) === 'by type') {
    const known = knownResult(given, args.map(toOpValue), isCommon ? MOST_COMMON : MOST_KNOWN);
    if (known && isCommon) {
      common.results.set(node, known);
      for (const leaf of isTensor(known) ? [known] : known.filter(isTensor)) common.add(leaf.data);
    }
    if (known) return { known, isCommon };
  }
  return { form: staticCall(given, args, tensors) };
}

/** **Units** bytes. Larger results are computed where all constants are: when kernels are chosen. */
const MOST_KNOWN = 2 ** 16;
const MOST_COMMON = 2 ** 26;

/** The result of a call that reads constants, or no elements. */
function knownResult(
  call: PreparedCall,
  values: ReadonlyArray<OpValue>,
  mostBytes: number,
): OpValue | undefined {
  if (call.bytes > mostBytes) return undefined;
  const result = runCall(call, values, mostBytes);
  return isRight(result) ? result.right : undefined;
}

/** A call of an operator that has the known sizes as attributes, if there is one. */
function staticCall(
  { name, attrs, span, result }: PreparedCall,
  args: ReadonlyArray<RegionValue>,
  { m, constantOf, typeOfValue }: Pick<KnownTensors, 'm' | 'constantOf' | 'typeOfValue'>,
): Pick<RegionStep, 'call' | 'args'> | undefined {
  const form = m.ops.read(staticFormColumn, name);
  const [op, to] = [m.ops.get(name), form && m.ops.get(form.name)];
  if (form === undefined || op === undefined || to === undefined) return undefined;
  const parts = staticParts(op, form, to, attrs, (index) => constantOf(args[index] as RegionValue));
  if (parts === undefined || !isRight(parts)) return undefined;
  const kept = parts.right.args.map((index) => args[index] as RegionValue);
  const call = prepareTyped(m.ops, {
    op: to,
    attrs: parts.right.attrs,
    types: kept.map(typeOfValue),
    constant: (index) => constantOf(kept[index] as RegionValue),
    span,
  });
  if (!isRight(call) || !typeEqual(call.right.result, result)) return undefined;
  return { call: call.right, args: kept };
}

/** A call in other operators, and the variables for its operands. */
interface Formula {
  readonly body: Expr;
  readonly operands: ReadonlyArray<Var>;
}

/**
 * The formula of a call: its definition if that rounds as the call does. Where rounding more often does
 * not matter, it is the definition of a normalization, too, and of what such a formula calls and has no form.
 */
function formulaOfCall(
  { ops }: IRModule,
  { name, attrs, types, result, span }: PreparedCall,
  mayRound: boolean,
  isFormula: boolean,
): Formula | undefined {
  const operands = types.map((type, i) => variable(`x${i}`, type));
  const called = { name, attrs, args: operands, types, type: result, span };
  const isFloat32 = types.every((type) => type._tag === 'TensorType' && type.dtype === 'float32');
  const isNormalization = ops.read(kindColumn, name) === 'normalization';
  const isPart = isFormula && ops.read(formColumn, name) === undefined;
  const rounds = mayRound && isFloat32 && (isNormalization || isPart);
  const body = definitionOf(ops, called, { exactly: !rounds });
  return body && isRight(body) ? { body: body.right, operands } : undefined;
}

/** The scope of a formula, with values for its operands. */
const scopeOf = (
  { operands }: Formula,
  args: ReadonlyArray<RegionValue>,
  group: number,
): Scope => ({
  values: new Map(operands.map((operand, i) => [operand, args[i] as RegionValue])),
  group,
  isFormula: true,
});

/** Whether inference knows all sizes of a result, so that nothing is left to be checked. */
const isKnown = (type: Type | undefined): boolean =>
  type?._tag === 'TupleType'
    ? type.fields.every((field) => staticTensor(field) !== undefined)
    : type !== undefined && staticTensor(type) !== undefined;

/** The tensors in a value, in order. */
export const leavesOf = (value: RegionValue): ReadonlyArray<number> =>
  typeof value === 'number' ? [value] : value.flatMap(leavesOf);
