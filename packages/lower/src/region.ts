/**
 * Regions: functions of plain dataflow on tensors of known shapes, and stretches of other functions,
 * as lists of operator calls in the order of their evaluation.
 */
import { isRight, present, remember, type Span } from '@baton/base';
import {
  endsInCheck,
  fitsSizes,
  type Segment,
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
  type Let,
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
  callForm,
  definitionOf,
  FOLDING,
  foldableColumn,
  formColumn,
  formOf,
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
  laid,
  readNumber,
  type Shape,
  sameShape,
  shapeSize,
  splat,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import { type LoopShape, loopShape, nodesOfTurn } from './loop-shape.ts';
import { type LoopTurns, loopTurns, stackedTurns } from './loop-turns.ts';

/** A tensor of the region: a number for each, or a tuple of them. */
export type RegionValue = number | ReadonlyArray<RegionValue>;

/** A tensor that the region reads or makes. */
export interface RegionTensor {
  readonly dtype: DType;
  readonly shape: Shape;
  /** The elements of a constant. */
  readonly constant: Tensor | undefined;
  /** What is known in each turn of the loop around it: all turns along a first axis. */
  readonly turns?: Tensor | undefined;
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

/** Steps that run several times. */
export interface RegionLoop {
  /** The first step, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** At least one. */
  readonly turns: number;
  readonly carried: ReadonlyArray<CarriedTensor>;
  readonly rows: ReadonlyArray<LoopRows>;
}

/** A tensor that each turn takes from the one before. */
export interface CarriedTensor {
  readonly start: number;
  /** What a turn reads. */
  readonly param: number;
  /** What the next turn reads. */
  readonly next: number;
  /** The same after the last turn. */
  readonly end: number;
}

/** A result of which each turn writes a part, whose elements are contiguous. */
export interface LoopRows {
  /** The part, as a turn makes it. */
  readonly row: number;
  readonly result: number;
  /** What the result begins with, if it has elements that are not of the turns. */
  readonly start: number | undefined;
  /** The place in the result of the first element of the first part. */
  readonly first: number;
  /** The distance to the same element in the next turn. */
  readonly step: number;
}

/** What an evaluation counts: a call of an operator, or of a function. */
export interface CountedStep {
  readonly span: Span | undefined;
  /** The turns of a loop: the steps of all, and the calls that are made in each. */
  readonly repeated?: { readonly work: number; readonly calls: ReadonlyArray<PreparedCall> };
  /** The calls that wait while the function runs; absent for an operator, and for a last call. */
  readonly depth?: number;
  readonly call?: PreparedCall;
}

/** Plain dataflow: a function, or a stretch of one. */
export interface Region {
  readonly tensors: ReadonlyArray<RegionTensor>;
  readonly steps: ReadonlyArray<RegionStep>;
  /** In their order; they do not nest. */
  readonly loops: ReadonlyArray<RegionLoop>;
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
  { nodes, variables, inputs }: Segment,
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
  const loops = new Map<Var, LoopShape>();
  const pending: Expr[] = [func.body];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node) || node._tag === 'Var') continue;
    seen.add(node);
    const parts = partsOf(node, loops);
    if (parts === undefined) return false;
    pending.push(...parts);
    if (node._tag === 'Let') pending.push(...partsOfLoop(loops.get(node.variable)));
    if (node._tag !== 'Call') continue;
    if (node.op._tag === 'Function') pending.push(node.op.body);
    else if (node.op._tag === 'Op' && m.ops.get(node.op.name)?.effect !== 'total') return false;
  }
  return true;
}

/** What a loop evaluates. */
const partsOfLoop = (loop: LoopShape | undefined): ReadonlyArray<Expr> =>
  loop === undefined
    ? []
    : [
        ...[...loop.lets, ...loop.inner].map(({ value }) => value),
        loop.condition,
        ...loop.again.args,
        loop.result,
      ];

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
  /** The loops that lets name. */
  readonly loops: Map<Var, LoopShape>;
  /** The functions around this one, and the calls among them that wait for it. */
  readonly nesting: number;
  readonly waiting: number;
}

/** The most functions in one another: deeper ones are interpreted, and this code recurses as deep. */
const MAX_NESTING = 8;

const newScope = (group?: number): Scope => ({
  values: new Map(),
  group,
  isFormula: false,
  nesting: 0,
  waiting: 0,
  loops: new Map(),
});

interface Reader {
  readonly m: IRModule;
  readonly parts: Pick<Region, 'tensors' | 'steps' | 'loops' | 'counted'>;
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
  readonly enter: (span: Span | undefined, waiting: number) => number;
  /** Whether a result has the sizes that the type of the call states. */
  readonly promises: (value: RegionValue, node: Call, scope: Scope) => boolean;
  /** The elements of a value that is a constant. */
  readonly constantOf: (value: RegionValue | undefined) => Tensor | undefined;
  /** A new tensor; one whose elements in each turn are known, with them. */
  readonly add: (dtype: DType, shape: Shape, turns?: Tensor) => number;
  /** A call of an operator on values of these types, of which nothing is read. */
  readonly prepared: (node: Call, types: ReadonlyArray<Type>) => PreparedCall | undefined;
  /** Reads the turns of a loop: what they count, and the steps from the first. `undefined` in another loop. */
  readonly inLoop: (read: () => RegionLoop | undefined, node: Call, turns: number) => boolean;
  /** Counts a call in all turns of the loop that is read; the largest of them is given. */
  readonly countAll: (call: PreparedCall, steps: number) => void;
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
    const parts = values.has(node) ? [] : partsOf(node, scope.loops);
    if (parts !== undefined) stack.push({ node, parts, next: 0 });
    return parts !== undefined;
  };
  if (!enter(root)) return undefined;
  for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
    const { node, parts } = visit;
    const part = parts[visit.next++];
    if (part !== undefined) {
      if (node._tag === 'Let' && part === node.body && values.has(node.value)) {
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

const isInBody = ({ node, parts, next }: Visit): boolean =>
  node._tag === 'Let' && next === parts.length;

/**
 * The nodes that are evaluated before a node, in order; `undefined` if it is no dataflow. Loops that
 * lets name are added to `loops`.
 */
function partsOf(node: Expr, loops?: Map<Var, LoopShape>): ReadonlyArray<Expr> | undefined {
  switch (node._tag) {
    case 'Constant':
      return [];
    case 'Tuple':
    case 'TupleGetItem':
      return children(node);
    case 'Let': {
      const { value, variable, body } = node;
      const loop = value._tag === 'Function' ? loopShape(value, variable) : undefined;
      if (loop === undefined || loops === undefined) return children(node);
      loops.set(variable, loop);
      return [body];
    }
    case 'Call':
      return isCallOfDataflow(node, loops) ? node.args : undefined;
    default:
      return undefined;
  }
}

/** Whether a call is of an operator, a loop, or a function that is written there and reads nothing else. */
const isCallOfDataflow = ({ op }: Call, loops: ReadonlyMap<Var, LoopShape> | undefined): boolean =>
  op._tag === 'Op' ||
  (op._tag === 'Function' && freeVars(op).length === 0) ||
  (op._tag === 'Var' && loops?.has(op) === true);

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
  const { group, loops } = scope;
  if (node.op._tag === 'Op') return reader.operator(node, args, scope);
  const loop = node.op._tag === 'Var' ? loops.get(node.op) : undefined;
  if (loop !== undefined) return looped(node, loop, args, isLast, scope, reader);
  if (node.op._tag !== 'Function' || scope.nesting >= MAX_NESTING) return undefined;
  const { params, body, retType } = node.op;
  if (params.length !== args.length) return undefined;
  const sizes = scope.sizes && new Map(scope.sizes);
  for (const name of node.op.typeParams) sizes?.delete(name);
  const waiting = scope.waiting + (isLast ? 0 : 1);
  const number = reader.enter(node.span, waiting);
  // A kernel takes in those that are written inside of it.
  const inner: Scope = {
    ...newScope(group ?? (isPrimitive(node.op) ? number : undefined)),
    ...{ sizes, waiting, nesting: scope.nesting + 1 },
    last: endsInCheck(node.op, reader.m) ? undefined : lastOf(node.op),
  };
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

/** The results of a loop whose turns can be counted before it runs. */
function looped(
  node: Call,
  loop: LoopShape,
  args: ReadonlyArray<RegionValue>,
  isLast: boolean,
  scope: Scope,
  reader: Reader,
): RegionValue | undefined {
  const { tensors } = reader.parts;
  const start = args.filter((arg) => typeof arg === 'number');
  const outer = (expr: Expr): Tensor | undefined =>
    expr._tag === 'Constant' ? expr.data : reader.constantOf(scope.values.get(expr));
  if (start.length < args.length) return undefined;
  const turns = loopTurns(loop, start.map(reader.constantOf), outer, reader.m);
  if (turns === undefined || start.some((at) => tensors[at]?.turns !== undefined)) return undefined;
  reader.enter(node.span, scope.waiting + (isLast ? 0 : 1));
  let ends: ReadonlyArray<number> = start;
  if (turns.count > 0) {
    const read = (): RegionLoop | undefined => {
      const found = turnOf(loop, start, turns, scope, reader);
      ends = found?.ends ?? [];
      return found?.loop;
    };
    if (!reader.inLoop(read, node, turns.count)) return undefined;
  }
  const after = innerScope(scope);
  for (const [i, param] of loop.params.entries()) after.values.set(param, ends[i] as number);
  for (const { value, variable } of loop.lets) {
    const known = evaluated(value, after, reader);
    if (known === undefined) return undefined;
    after.values.set(variable, known);
  }
  if (evaluated(loop.condition, after, reader) === undefined) return undefined;
  return evaluated(loop.result, after, reader);
}

/** A scope in which what is known around it is known too. */
const innerScope = ({ last: _, ...scope }: Scope): Scope => ({
  ...scope,
  values: new Map(scope.values),
  loops: new Map(scope.loops),
});

/** Reads a turn of a loop. The ends are the values of its parameters after the last turn. */
function turnOf(
  shape: LoopShape,
  start: ReadonlyArray<number>,
  { count, known }: LoopTurns,
  scope: Scope,
  reader: Reader,
): { readonly loop: RegionLoop; readonly ends: ReadonlyArray<number> } | undefined {
  const { params, lets, condition, inner, again } = shape;
  const { tensors, steps } = reader.parts;
  const within = innerScope(scope);
  const from = steps.length;
  const growing = growingIn(shape, reader.m);
  const carried = start.map((at, i) => {
    const { dtype, shape: dims } = tensors[at] as RegionTensor;
    const turns = known[i]?.turns;
    const param = reader.add(dtype, dims, turns);
    if (!growing.has(i)) within.values.set(params[i] as Var, param);
    return { start: at, param };
  });
  const rows: LoopRows[] = [];
  const grown = new Set<Expr>(growing.values());
  const areNamed = (list: ReadonlyArray<Let>): boolean =>
    list.every(({ value, variable }) => {
      if (grown.has(value)) return true;
      const own = evaluated(value, within, reader);
      if (own !== undefined) within.values.set(variable, own);
      return own !== undefined;
    });
  if (!areNamed(lets) || evaluated(condition, within, reader) === undefined) return undefined;
  if (!areNamed(inner)) return undefined;
  const ends: number[] = [];
  const all: CarriedTensor[] = [];
  for (const [i, { start: at, param }] of carried.entries()) {
    const { dtype, shape: dims } = tensors[at] as RegionTensor;
    const end = known[i]?.end;
    const written = growing.get(i);
    if (written !== undefined) {
      const found = rowsOf(written, at, count, within, reader);
      if (found === undefined) return undefined;
      rows.push(found);
      ends.push(found.result);
      continue;
    }
    const next = evaluated(again.args[i] as Expr, within, reader);
    const type = typeof next === 'number' ? tensors[next] : undefined;
    if (type?.dtype !== dtype || !sameShape(type.shape, dims)) return undefined;
    ends.push(end === undefined ? reader.add(dtype, dims) : reader.constant(end));
    if (end === undefined) {
      all.push({ start: at, param, next: next as number, end: ends[i] as number });
    }
  }
  reader.enter(again.span, scope.waiting);
  return { loop: { from, to: steps.length, turns: count, carried: all, rows }, ends };
}

/**
 * The parameters that each turn only writes a part of, by position: with the call that does. A call that
 * scatters one slice, or that appends rows.
 */
function growingIn(shape: LoopShape, { ops }: IRModule): ReadonlyMap<number, Call> {
  const uses = new Map<Expr, number>();
  const nodes = nodesOfTurn(shape);
  const values = new Map(
    [...shape.lets, ...shape.inner].map((it) => [it.variable as Expr, it.value]),
  );
  const used = [...nodes.flatMap(children), ...shape.again.args, shape.condition];
  for (const node of used) uses.set(node, (uses.get(node) ?? 0) + 1);
  const found = new Map<number, Call>();
  for (const [i, param] of shape.params.entries()) {
    const argument = shape.again.args[i] as Expr;
    const call = values.get(argument) ?? argument;
    if (call._tag !== 'Call' || call.op._tag !== 'Op' || uses.get(argument) !== 1) continue;
    if (uses.get(param) !== 1 || (call !== argument && uses.has(call))) continue;
    const [data] = call.args;
    const isScatter = formOf(ops, call.op.name, 'Scatter') !== undefined && data === param;
    const fields = data?._tag === 'Tuple' && uses.get(data) === 1 ? data.fields : [];
    const isAppend = formOf(ops, call.op.name, 'Concat') !== undefined && fields.length === 2;
    if (isScatter || (isAppend && fields[0] === param)) found.set(i, call);
  }
  return found;
}

/** The rows that a growing parameter takes; `undefined` if their places are not in steps. */
function rowsOf(
  call: Call,
  start: number,
  turns: number,
  scope: Scope,
  reader: Reader,
): LoopRows | undefined {
  return call.args.length === 1
    ? appendedRows(call, start, turns, scope, reader)
    : scatteredRows(call, start, turns, scope, reader);
}

const typeOfTensor = ({ shape, dtype }: RegionTensor): Type => tensorType(shape, dtype);

/** Slices of the first axis, each at a place that is known. */
function scatteredRows(
  node: Call,
  start: number,
  turns: number,
  scope: Scope,
  reader: Reader,
): LoopRows | undefined {
  const { tensors } = reader.parts;
  const [place, row] = node.args.slice(1).map((arg) => evaluated(arg, scope, reader));
  if (typeof place !== 'number' || typeof row !== 'number') return undefined;
  const types = [start, place, row].map((at) => typeOfTensor(tensors[at] as RegionTensor));
  const call = reader.prepared(node, types);
  const form = call && callForm(reader.m.ops, call);
  if (form?._tag !== 'Scatter' || form.mode !== 'update' || form.axis !== undefined)
    return undefined;
  const { shape, dtype } = tensors[start] as RegionTensor;
  const known = tensors[place]?.turns;
  const [size = 0, ...rest] = shape;
  // One column with one index.
  if (known === undefined || shapeSize(known.shape) !== turns || shape.length === 0)
    return undefined;
  const places = Array.from({ length: turns }, (_, turn) => {
    const index = readNumber(known, turn);
    return index < 0 ? index + size : index;
  });
  const [first = 0, second = first] = places;
  const step = second - first;
  const isInSteps = places.every((at, i) => at >= 0 && at < size && at === first + i * step);
  if (!isInSteps || call === undefined) return undefined;
  reader.countAll(call, turns * (1 + call.steps));
  const length = shapeSize(rest);
  const result = reader.add(dtype, shape);
  const isWhole = turns === size && (turns === 1 || Math.abs(step) === 1);
  return {
    ...{ row, result },
    start: isWhole ? undefined : start,
    ...{ first: first * length, step: step * length },
  };
}

/** Rows one after another. */
function appendedRows(
  node: Call,
  start: number,
  turns: number,
  scope: Scope,
  reader: Reader,
): LoopRows | undefined {
  const {
    m,
    parts: { tensors },
  } = reader;
  const [data] = node.args;
  const row = data?._tag === 'Tuple' ? evaluated(data.fields[1] as Expr, scope, reader) : undefined;
  if (typeof row !== 'number') return undefined;
  const { dtype, shape } = tensors[start] as RegionTensor;
  const added = tensors[row] as RegionTensor;
  const [before = 0, ...rest] = shape;
  const [more = 0, ...others] = added.shape;
  if (added.dtype !== dtype || shape.length === 0 || !sameShape(rest, others)) return undefined;
  let last: PreparedCall | undefined;
  let work = 0;
  for (let turn = 0; turn < turns; turn++) {
    const sofar = tensorType([before + turn * more, ...rest], dtype);
    last = reader.prepared(node, [tupleType([sofar, typeOfTensor(added)])]);
    const form = last && callForm(m.ops, last);
    if (last === undefined || form?._tag !== 'Concat' || form.axis !== 0 || form.isNew) {
      return undefined;
    }
    work += 1 + last.steps;
  }
  if (last === undefined) return undefined;
  reader.countAll(last, work);
  const length = shapeSize(rest);
  const result = reader.add(dtype, [before + turns * more, ...rest]);
  return {
    row,
    result,
    start: before === 0 ? undefined : start,
    first: before * length,
    step: more * length,
  };
}

/** The tensors that a reader has met. */
function makeTensors() {
  const tensors: RegionTensor[] = [];
  const constants = new Map<Tensor, number>();
  /** Constants that depend on sizes. */
  const ofSizes = new Set<Tensor>();
  const add = (dtype: DType, shape: Shape, constant?: Tensor, turns?: Tensor): number =>
    tensors.push({ dtype, shape, constant, turns }) - 1;
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
  const counter = makeCounter();
  const { loops, counted, count } = counter;
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
    m,
    parts: { tensors, steps, loops, counted },
    ...{ constantOf: all.constantOf, constant: all.constant },
    add: (dtype, shape, turns) => add(dtype, shape, undefined, turns),
    prepared: ({ op: callee, attrs = noAttrs, span }, types) => {
      const op = callee._tag === 'Op' ? m.ops.get(callee.name) : undefined;
      const call = op && prepareTyped(m.ops, { op, attrs, types, constant: () => undefined, span });
      return call && isRight(call) ? call.right : undefined;
    },
    ...{ inLoop: counter.inLoop, countAll: counter.countAll },
    parameter: (type) => {
      if (type === undefined) return undefined;
      const added = addFields(type._tag === 'TupleType' ? type.fields : [type]);
      return type._tag === 'TupleType' ? added : added?.[0];
    },
    input: ({ dtype, shape }) => add(dtype, shape),
    fits: (value, type, sizes) =>
      type === undefined || !statesSizes(type) || fitsSizes(all.toValue(value), type, sizes),
    promises: (value, node, { sizes = new Map() }) => reader.fits(value, typeOf(m, node), sizes),
    operator: (node, args, { group, isFormula }) => {
      const op = node.op._tag === 'Op' ? m.ops.get(node.op.name) : undefined;
      const isSure = isFormula || common !== undefined || isKnown(typeOf(m, node));
      if (op?.effect !== 'total' || !isSure || !args.every(isFlat)) return undefined;
      const given = prepared(node, op, args);
      if (given === undefined) return undefined;
      if (!isFormula) count({ span: node.span, call: given });
      const known = turnsOf(given, args, tensors);
      if (known !== undefined) return add(known.dtype, known.shape.slice(1), undefined, known);
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
    enter: (span, waiting) => {
      count(waiting === 0 ? { span } : { span, depth: waiting });
      return groups++;
    },
  };
  return reader;
}

/** What a function counts, and the loops of it. */
function makeCounter() {
  const counted: CountedStep[] = [];
  const loops: RegionLoop[] = [];
  /** What the turns of the loop count that is read. */
  let repeated: { work: number; all: number; readonly calls: PreparedCall[] } | undefined;
  const inLoop: Reader['inLoop'] = (read, { span }, turns) => {
    if (repeated !== undefined) return false;
    const own = { work: 0, all: 0, calls: [] };
    repeated = own;
    const loop = read();
    repeated = undefined;
    if (loop === undefined) return false;
    loops.push(loop);
    counted.push({ span, repeated: { work: turns * own.work + own.all, calls: own.calls } });
    return true;
  };
  return {
    counted,
    loops,
    inLoop,
    count: (step: CountedStep): void => {
      if (repeated === undefined) counted.push(step);
      else repeated.work += 1 + (step.call?.steps ?? 0);
      if (step.call) repeated?.calls.push(step.call);
    },
    countAll: (call: PreparedCall, work: number): void => {
      if (repeated === undefined) return;
      repeated.all += work;
      repeated.calls.push(call);
    },
  };
}

/** The result of a call in each turn, if its operands are known in each and small. */
function turnsOf(
  call: PreparedCall,
  args: ReadonlyArray<RegionValue>,
  tensors: ReadonlyArray<RegionTensor>,
): Tensor | undefined {
  const operands = args.map((arg) => (typeof arg === 'number' ? tensors[arg] : undefined));
  const { turns } = operands.find((it) => it?.turns !== undefined) ?? {};
  const result = staticTensor(call.result);
  if (turns === undefined || result === undefined || call.bytes > MOST_TURN_BYTES) return undefined;
  const rows: Tensor[] = [];
  for (let turn = 0; turn < (turns.shape[0] as number); turn++) {
    const values = operands.map((it) => it?.constant ?? (it?.turns && turnAt(it.turns, turn)));
    if (!values.every((value) => value !== undefined)) return undefined;
    const row = knownResult(call, values, MOST_TURN_BYTES);
    if (row === undefined || !isTensor(row)) return undefined;
    rows.push(row);
  }
  return stackedTurns(rows, result);
}

/** **Units** bytes. */
const MOST_TURN_BYTES = 256;

/** The elements in one turn. */
const turnAt = (turns: Tensor, turn: number): Tensor => {
  const [, ...shape] = turns.shape;
  const [step = 0, ...strides] = turns.strides;
  return laid(turns, shape, strides, turns.offset + turn * step);
};

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
    const known = knownResult(
      given,
      args.map(toOpValue),
      isCommon ? FOLDING.compiledShared.resultBytes : FOLDING.compiledSizes.resultBytes,
    );
    if (known && isCommon) {
      common.results.set(node, known);
      for (const leaf of isTensor(known) ? [known] : known.filter(isTensor)) common.add(leaf.data);
    }
    if (known) return { known, isCommon };
  }
  return { form: staticCall(given, args, tensors) };
}

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
  const isOfFloats = (['float32', 'float64'] as const).some((float) =>
    types.every((type) => type._tag === 'TensorType' && type.dtype === float),
  );
  const isNormalization = ops.read(kindColumn, name) === 'normalization';
  const isPart = isFormula && ops.read(formColumn, name) === undefined;
  const rounds = mayRound && isOfFloats && (isNormalization || isPart);
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
  nesting: 0,
  waiting: 0,
  loops: new Map(),
});

/** Whether inference knows all sizes of a result, so that nothing is left to be checked. */
const isKnown = (type: Type | undefined): boolean =>
  type?._tag === 'TupleType'
    ? type.fields.every((field) => staticTensor(field) !== undefined)
    : type !== undefined && staticTensor(type) !== undefined;

/** The tensors in a value, in order. */
export const leavesOf = (value: RegionValue): ReadonlyArray<number> =>
  typeof value === 'number' ? [value] : value.flatMap(leavesOf);
