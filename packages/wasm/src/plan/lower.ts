/**
 * Lowering: a region as kernels on buffers. Calls that only look at their argument in another way
 * become windows; elementwise chains become one expression as far as their group goes, behind a
 * product too; the parts of a concatenation are written where they belong. What has no other form
 * runs its reference kernel.
 */
import { isRight, type Result } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { type OpValue, outOf, type PreparedCall, reshapesColumn, runCall } from '@baton/ops';
import {
  dtypeInfo,
  isDense,
  isTensor,
  reshapeView,
  sameShape,
  shapeSize,
  sliceView,
  type Tensor,
} from '@baton/tensor';
import { noMemory, withoutElements } from './blank.ts';
import { load, MAX_NODES, mapWindows, nodesOf, type Product, productIn } from './element.ts';
import { asExponentials, asFold } from './folds.ts';
import { elementsOf, joinedAlong } from './forms.ts';
import type { Kernel, Mode } from './kernel.ts';
import {
  type Abilities,
  type Buffer,
  becomes,
  compute,
  constantWindow,
  dtypeAt,
  elementAt,
  isConstant,
  type Lowering,
  newResult,
  rowMajor,
  shapeAt,
  store,
  windowsIn,
} from './lowering.ts';
import { blankTensor, leavesOf, type Region, type RegionStep, type RegionValue } from './region.ts';
import { asSurrounded } from './surrounded.ts';
import { asTaken } from './taken.ts';

/** A region in steps on buffers. */
export interface Lowered {
  readonly buffers: ReadonlyArray<Buffer>;
  readonly kernels: ReadonlyArray<Kernel>;
  /** For each parameter a window, or a tuple of them. */
  readonly params: ReadonlyArray<OpValue>;
  readonly result: OpValue;
  /** The buffer of a window. */
  readonly bufferOf: (window: Tensor) => number;
}

/** A user that is no step. */
const RESULT = -1;

/** Lowers a region. **Complexity** linear in its steps and their operands. */
export function lower(region: Region, m: IRModule, abilities: Abilities): Lowered {
  const state = begin(region, m, abilities);
  region.steps.forEach((step, i) => {
    if (step.results.every((at) => state.users[at]?.length === 0)) return;
    lowerStep(step, state);
    for (const at of step.results) if (!mayWait(at, i, state)) store(at, state);
  });
  return {
    buffers: state.buffers,
    kernels: state.kernels,
    params: region.params.map((value) => windowsIn(value, state)),
    result: resultIn(region.result, state),
    bufferOf: ({ data }) => state.numbers.get(data) as number,
  };
}

/** The result, whose elements lie one behind the other as far as generated code can bring that about. */
function resultIn(value: RegionValue, state: Lowering): OpValue {
  if (typeof value !== 'number') return value.map((field) => resultIn(field, state));
  const mode = state.abilities.element(load(blankTensor(dtypeAt(value, state), [1])));
  return mode ? rowMajor(value, state) : windowsIn(value, state);
}

function begin(region: Region, m: IRModule, abilities: Abilities): Lowering {
  const users: number[][] = region.tensors.map(() => []);
  region.steps.forEach(({ args }, i) => {
    for (const at of new Set(args.flatMap(leavesOf))) users[at]?.push(i);
  });
  for (const at of leavesOf(region.result)) users[at]?.push(RESULT);
  const state: Lowering = {
    m,
    region,
    abilities,
    buffers: [],
    numbers: new Map(),
    kernels: [],
    states: [],
    users,
    forms: new Map(),
  };
  region.tensors.forEach(({ constant }, at) => {
    if (constant !== undefined) state.states[at] = constantWindow(constant, state);
  });
  for (const at of region.params.flatMap(leavesOf)) state.states[at] = newResult(at, state);
  return state;
}

function lowerStep(step: RegionStep, state: Lowering): void {
  const done =
    asConstant(step, state) ||
    asWindows(step, state) ||
    asElements(step, state) ||
    asReshaped(step, state) ||
    asProduct(step, state) ||
    asFold(step, state) ||
    asExponentials(step, state) ||
    asJoined(step, state) ||
    asSurrounded(step, state) ||
    asTaken(step, state);
  if (!done) asReference(step, state);
}

/**
 * Whether a pending value is left to its users: it has one, or they are of one group and it does not
 * end a product, which has one place for its sums.
 */
function mayWait(at: number, made: number, state: Lowering): boolean {
  const { users, states, region, abilities } = state;
  const value = states[at];
  const own = users[at] ?? [];
  if (value?._tag !== 'Pending' || own.includes(RESULT)) return false;
  const group = region.steps[made]?.group;
  const isInside = own.every((user) => region.steps[user]?.group === group);
  if (own.length === 1) return isInside || !abilities.isGrouped;
  return isInside && productIn(value.element) === undefined;
}

/** A call of constants alone is computed here, if its result is of moderate size. */
function asConstant(step: RegionStep, state: Lowering): boolean {
  const { call, args, results } = step;
  const parts = args.flatMap(leavesOf).map((at) => state.states[at]);
  if (!parts.every((part) => isConstant(part, state))) return false;
  const value: Result<OpValue> = runCall(
    call,
    args.map((arg) => windowsIn(arg, state)),
    MAX_CONSTANT_BYTES,
  );
  if (!isRight(value)) return false;
  const tensors = isTensor(value.right) ? [value.right] : (value.right as ReadonlyArray<Tensor>);
  results.forEach((at, i) => {
    state.states[at] = constantWindow(tensors[i] as Tensor, state);
  });
  return true;
}

const MAX_CONSTANT_BYTES = 2 ** 26;

/** A call whose result lies in the storage of an argument: nothing is computed. */
function asWindows(step: RegionStep, state: Lowering): boolean {
  const { call, args, results, isTuple } = step;
  const [only] = args.flatMap(leavesOf).filter((at) => state.states[at]?._tag === 'Pending');
  if (only !== undefined) {
    if (args.length === 1 && !isTuple && asMoved(step, only, state)) return true;
    if (!looks(step, state)) return false;
    for (const at of args.flatMap(leavesOf)) store(at, state);
  }
  const windows = args.map((arg) => windowsIn(arg, state));
  const views = viewed(call, windows, state);
  if (views === undefined) return false;
  results.forEach((at, i) => {
    state.states[at] = views[i] as Tensor;
  });
  return true;
}

/** Whether a call only looks at its arguments, whatever they are. */
const looks = ({ call, args }: RegionStep, state: Lowering): boolean =>
  withoutElements(() => {
    const blank = (value: RegionValue): OpValue =>
      typeof value === 'number'
        ? blankTensor(dtypeAt(value, state), shapeAt(value, state))
        : value.map(blank);
    return call.kernel(args.map(blank), call.attrs, outOf(call.result, noMemory));
  }) !== undefined;

/**
 * The same call on each window that a pending value reads: `transpose(x < y)` reads the transposes of
 * `x` and `y`. The call must view a tensor of the value's own type, and keep it: `cast(x < y, float32)`
 * would return the windows of float32 as they are, and `reinterpret` views no number of the value.
 */
function asMoved({ call, args, results }: RegionStep, only: number, state: Lowering): boolean {
  const [result] = results;
  const value = state.states[only];
  if (typeof args[0] !== 'number' || value?._tag !== 'Pending' || result === undefined)
    return false;
  const dtype = dtypeAt(only, state);
  if (productIn(value.element) !== undefined || dtypeAt(result, state) !== dtype) return false;
  const element = mapWindows(value.element, (window) => {
    // Only shape, strides and offset are copied; they do not depend on the type.
    const typed = { ...window, dtype };
    const moved = viewed(call, [typed], state)?.[0];
    return moved === typed ? window : moved && { ...moved, dtype: window.dtype };
  });
  if (element === undefined) return false;
  return becomes(result, { _tag: 'Pending', shape: shapeAt(result, state), element }, state);
}

/** The results of a call that takes no storage and reads no element, on storage of the region. */
function viewed(
  { kernel, attrs, result }: PreparedCall,
  args: ReadonlyArray<OpValue>,
  { numbers }: Lowering,
): ReadonlyArray<Tensor> | undefined {
  const value = withoutElements(() => kernel(args, attrs, outOf(result, noMemory)));
  if (value === undefined) return undefined;
  const tensors = isTensor(value) ? [value] : value.filter(isTensor);
  return tensors.every(({ data }) => numbers.has(data)) ? tensors : undefined;
}

/** An elementwise call is computed where it is used. */
function asElements(step: RegionStep, state: Lowering): boolean {
  const { call, args, results } = step;
  const [result] = results;
  if (result === undefined || !args.every((arg) => typeof arg === 'number')) return false;
  const shape = shapeAt(result, state);
  // What is repeated is computed once.
  for (const at of args) if (shapeSize(shapeAt(at, state)) < shapeSize(shape)) store(at, state);
  const operands = args.map((at) => ({
    shape: shapeAt(at, state),
    element: elementAt(at, state),
  }));
  const element = elementsOf(call, operands, shape, state.m.ops);
  if (element === undefined) return false;
  const mode = state.abilities.element(element);
  const isApart = args.map((at) => isOfOtherMode(at, mode, state) && store(at, state));
  if (isApart.includes(true)) return asElements(step, state);
  if (mode === undefined) return false;
  const products = nodesOf(element).filter((node) => node._tag === 'Product');
  const isMoved = products.some((product) => !sameShape((product as Product).shape, shape));
  if (nodesOf(element).length > MAX_NODES || products.length > 1 || isMoved) {
    const kept = isMoved ? undefined : products[0];
    const isStored = args.map((at) => isOther(at, kept, state) && store(at, state));
    if (isStored.includes(true)) return asElements(step, state);
  }
  return becomes(result, { _tag: 'Pending', shape, element }, state);
}

/** Whether a value waits that is computed in another way: a chain of one is not slowed by the other. */
function isOfOtherMode(at: number, mode: Mode | undefined, { states, abilities }: Lowering) {
  const value = states[at];
  return value?._tag === 'Pending' && abilities.element(value.element) !== mode;
}

/** Whether a value does not end in the product. */
const isOther = (at: number, product: unknown, state: Lowering): boolean =>
  product === undefined || productIn(elementAt(at, state)) !== product;

/** The elements in the same order, which are copied if they do not lie in it. */
function asReshaped({ call, args, results }: RegionStep, state: Lowering): boolean {
  const [arg] = args;
  const [result] = results;
  if (typeof arg !== 'number' || args.length !== 1 || result === undefined) return false;
  if (state.m.ops.read(reshapesColumn, call.name) === undefined) return false;
  if (!state.abilities.element(load(blankTensor(dtypeAt(arg, state), [1])))) return false;
  return becomes(
    result,
    reshapeView(rowMajor(arg, state), shapeAt(result, state), noMemory),
    state,
  );
}

/** A product by a kernel written by hand: pending, since it may do elementwise work as well. */
function asProduct({ call, args, results }: RegionStep, state: Lowering): boolean {
  const [result] = results;
  if (result === undefined || results.length > 1 || !args.every((at) => typeof at === 'number')) {
    return false;
  }
  const isFloats = [...args, result].every((at) => state.region.tensors[at]?.dtype === 'float32');
  if (!isFloats) return false;
  const shape = shapeAt(result, state);
  const isWeightConstant = isConstant(state.states[args[1] as number], state);
  const form = state.abilities.product({
    call,
    shapes: args.map((at) => shapeAt(at, state)),
    out: shape,
    isWeightConstant,
  });
  if (form === undefined) return false;
  // A constant weight is packed, or copied, when the region is compiled, from any view.
  const operands = args.map((at, i) =>
    i === 1 && isWeightConstant ? (state.states[at] as Tensor) : rowMajor(at, state),
  );
  const product: Product = { _tag: 'Product', call, operands, shape };
  state.forms.set(product, form);
  return becomes(result, { _tag: 'Pending', shape, element: product }, state);
}

/** Parts one behind the other: each is written where it belongs, at once if that is possible. */
function asJoined({ call, args, results }: RegionStep, state: Lowering): boolean {
  const [parts] = args;
  const [result] = results;
  if (result === undefined || parts === undefined || typeof parts === 'number') return false;
  const shape = shapeAt(result, state);
  const axis = joinedAlong(call, shape.length, state.m.ops);
  if (axis === undefined) return false;
  const out = newResult(result, state);
  if (!state.abilities.element(load(out))) return false;
  const isOuter = shape.slice(0, axis).every((dim) => dim === 1);
  let start = 0;
  for (const part of parts.flatMap(leavesOf)) {
    const own = shapeAt(part, state);
    const first = shape.map((_, i) => (i === axis ? start : 0));
    start += own[axis] as number;
    if (shapeSize(own) === 0) continue;
    const place = sliceView(out, first, own);
    if (isOuter && becomesPart(part, place, state)) continue;
    compute(elementAt(part, state), place, state);
  }
  return becomes(result, out, state);
}

/** Makes the buffer of a stored value a part of another, if it is its own and whole. */
function becomesPart(part: number, place: Tensor, state: Lowering): boolean {
  const value = state.states[part];
  if (value?._tag !== 'Tensor' || !isDense(value)) return false;
  const buffer = state.buffers[state.numbers.get(value.data) as number] as Buffer;
  const inputs = state.region.params.flatMap(leavesOf);
  const isInput = inputs.some((at) => state.states[at] === buffer.whole);
  if (buffer.isConstant || buffer.within !== undefined || isInput) return false;
  buffer.within = {
    buffer: state.numbers.get(place.data) as number,
    offset: place.offset * dtypeInfo(place.dtype).bytes,
  };
  return true;
}

function asReference({ call, args, results }: RegionStep, state: Lowering): void {
  for (const at of args.flatMap(leavesOf)) store(at, state);
  const windows = args.map((arg) => windowsIn(arg, state));
  const made = results.map((at) => {
    const out = newResult(at, state);
    state.states[at] = out;
    return out;
  });
  state.kernels.push({ _tag: 'Reference', call, args: windows, results: made });
}
