/**
 * Regions: functions of plain dataflow on tensors of known shapes, and stretches of other functions,
 * as lists of operator calls in the order of their evaluation.
 */
import { isRight, present, remember, type Span } from '@baton/base';
import { endsInCheck, type Stretch } from '@baton/executor';
import {
  type Call,
  children,
  type Expr,
  type Func,
  freeVars,
  type IRModule,
  noAttrs,
  type Type,
  tensorType,
  tupleType,
  typeOf,
  variable,
} from '@baton/ir';
import {
  definitionOf,
  formulaOf,
  kindColumn,
  type PreparedCall,
  prepareTyped,
  staticTensor,
} from '@baton/ops';
import { isPrimitive } from '@baton/pass-manager';
import type { DType, Shape, Tensor } from '@baton/tensor';

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
}

const newScope = (group?: number): Scope => ({ values: new Map(), group, isFormula: false });

interface Reader {
  readonly parts: Pick<Region, 'tensors' | 'steps' | 'counted'>;
  readonly parameter: (type: Type | undefined) => RegionValue | undefined;
  readonly constant: (data: Tensor) => number;
  readonly operator: (
    call: Call,
    args: ReadonlyArray<RegionValue>,
    scope: Scope,
  ) => RegionValue | undefined;
  /** Counts the call of a `Primitive` function, and numbers it. */
  readonly enter: (span: Span | undefined, isLast: boolean) => number;
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
        values.set(node.variable, values.get(node.value) as RegionValue);
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
  const inner = newScope(reader.enter(node.span, isLast));
  const { params, body } = node.op;
  if (params.length !== args.length) return undefined;
  for (const [i, param] of params.entries()) inner.values.set(param, args[i] as RegionValue);
  return evaluated(body, inner, reader);
}

function makeReader(m: IRModule, usesFormulas: boolean): Reader {
  const tensors: RegionTensor[] = [];
  const steps: RegionStep[] = [];
  const counted: CountedStep[] = [];
  const constants = new Map<Tensor, number>();
  let groups = 0;

  const add = (dtype: DType, shape: Shape, constant?: Tensor): number =>
    tensors.push({ dtype, shape, constant }) - 1;
  const addFields = (fields: ReadonlyArray<Type>): ReadonlyArray<number> | undefined => {
    const known = fields.map(staticTensor);
    if (known.includes(undefined)) return undefined;
    return known.map((type) => add(type?.dtype as DType, type?.shape as Shape));
  };
  const typeOfValue = (value: RegionValue): Type => {
    if (typeof value !== 'number') return tupleType(value.map(typeOfValue));
    const { dtype, shape } = tensors[value] as RegionTensor;
    return tensorType(shape, dtype);
  };

  const reader: Reader = {
    parts: { tensors, steps, counted },
    parameter: (type) => {
      if (type === undefined) return undefined;
      const added = addFields(type._tag === 'TupleType' ? type.fields : [type]);
      return type._tag === 'TupleType' ? added : added?.[0];
    },
    constant: (data) => remember(constants, data, () => add(data.dtype, data.shape, data)),
    operator: (node, args, { group, isFormula }) => {
      const { attrs = noAttrs, span } = node;
      const op = node.op._tag === 'Op' ? m.ops.get(node.op.name) : undefined;
      const isSure = isFormula || isKnown(typeOf(m, node));
      if (op?.effect !== 'total' || !isSure || !args.every(isFlat)) return undefined;
      const constant = (index: number): Tensor | undefined => {
        const arg = args[index];
        return typeof arg === 'number' ? tensors[arg]?.constant : undefined;
      };
      const types = args.map(typeOfValue);
      const prepared = prepareTyped(m.ops, { op, attrs, types, constant, span });
      if (!isRight(prepared)) return undefined;
      const call = prepared.right;
      if (!isFormula) counted.push({ span, call });
      const own = group ?? groups++;
      const formula = isFormula ? undefined : formulaFor(m, call, args, own, usesFormulas);
      const value = formula && evaluated(formula.body, formula.scope, reader);
      if (value !== undefined) return value;
      const isTuple = call.result._tag === 'TupleType';
      const results = addFields(
        call.result._tag === 'TupleType' ? call.result.fields : [call.result],
      );
      if (results === undefined) return undefined;
      steps.push({ call, args, results, isTuple, group: own });
      return isTuple ? results : results[0];
    },
    enter: (span, isLast) => {
      counted.push(isLast ? { span } : { span, depth: 1 });
      return groups++;
    },
  };
  return reader;
}

/**
 * The formula of a call in other operators, and its operands: the definition, or the formula of a
 * normalization, which rounds more often.
 */
function formulaFor(
  { ops }: IRModule,
  { name, attrs, types, result, span }: PreparedCall,
  args: ReadonlyArray<RegionValue>,
  group: number,
  mayRound: boolean,
): { readonly body: Expr; readonly scope: Scope } | undefined {
  const operands = types.map((type, i) => variable(`x${i}`, type));
  const called = { name, attrs, args: operands, types, type: result, span };
  const isFloat32 = types.every((type) => type._tag === 'TensorType' && type.dtype === 'float32');
  const isNormalization = ops.read(kindColumn, name) === 'normalization';
  const rounded = mayRound && isFloat32 && isNormalization ? formulaOf(ops, called) : undefined;
  const body =
    definitionOf(ops, called) ?? (rounded && isRight(rounded) ? rounded.right : undefined);
  if (body === undefined) return undefined;
  const values = new Map<Expr, RegionValue>();
  for (const [i, operand] of operands.entries()) values.set(operand, args[i] as RegionValue);
  return { body, scope: { values, group, isFormula: true } };
}

/** Whether inference knows all sizes of a result, so that nothing is left to be checked. */
const isKnown = (type: Type | undefined): boolean =>
  type?._tag === 'TupleType'
    ? type.fields.every((field) => staticTensor(field) !== undefined)
    : type !== undefined && staticTensor(type) !== undefined;

/** The tensors in a value, in order. */
export const leavesOf = (value: RegionValue): ReadonlyArray<number> =>
  typeof value === 'number' ? [value] : value.flatMap(leavesOf);
