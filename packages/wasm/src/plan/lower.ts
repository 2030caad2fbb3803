/**
 * Lowering: a region as kernels on buffers. Calls that only look at their argument in another way
 * become windows; elementwise chains become one expression as far as their group goes; the parts of
 * a concatenation are written where they belong. What has no other form runs its reference kernel.
 */
import { invariant, isRight, type Result } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { type OpValue, outOf, type PreparedCall, runCall } from '@baton/ops';
import {
  dtypeInfo,
  isDense,
  isTensor,
  type Shape,
  shapeSize,
  sliceView,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import { noMemory, withoutElements } from './blank.ts';
import { type Element, load, MAX_NODES, mapWindows, nodesOf } from './element.ts';
import { elementsOf, joinedAlong } from './forms.ts';
import type { Kernel } from './kernel.ts';
import { blankTensor, leavesOf, type Region, type RegionStep, type RegionValue } from './region.ts';

/** Storage of the region. */
export interface Buffer {
  /** All of it as a tensor, on storage that stands for it. */
  readonly whole: Tensor;
  readonly bytes: number;
  /** Whether its elements are there before the first run. */
  readonly isConstant: boolean;
  /** The buffer of which it is a part, and the first byte in it. */
  within: { readonly buffer: number; readonly offset: number } | undefined;
}

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

/** What generated code can compute. */
export interface Abilities {
  readonly element: (element: Element) => boolean;
}

/** A value that is computed where it is used. */
interface Pending {
  readonly _tag: 'Pending';
  readonly shape: Shape;
  readonly element: Element;
}

type State = Tensor | Pending;

interface Lowering {
  readonly m: IRModule;
  readonly region: Region;
  readonly abilities: Abilities;
  readonly buffers: Buffer[];
  readonly numbers: Map<TensorData, number>;
  readonly kernels: Kernel[];
  readonly states: State[];
  /** By tensor: the groups of the steps that use it; the result is a group of its own. */
  readonly users: ReadonlyArray<ReadonlyArray<number>>;
}

/** A user that is no step. */
const RESULT = -1;

/** Lowers a region. **Complexity** linear in its steps and their operands. */
export function lower(region: Region, m: IRModule, abilities: Abilities): Lowered {
  const state = begin(region, m, abilities);
  region.steps.forEach((step, i) => {
    if (step.results.some((at) => (state.users[at] ?? []).length > 0)) lowerStep(step, state);
    if (region.steps[i + 1]?.group !== step.group) settle(step.group, i, state);
  });
  return {
    buffers: state.buffers,
    kernels: state.kernels,
    params: region.params.map((value) => windowsIn(value, state)),
    result: windowsIn(region.result, state),
    bufferOf: ({ data }) => state.numbers.get(data) as number,
  };
}

function begin(region: Region, m: IRModule, abilities: Abilities): Lowering {
  const users: number[][] = region.tensors.map(() => []);
  for (const { args, group } of region.steps) {
    for (const at of args.flatMap(leavesOf)) users[at]?.push(group);
  }
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
  };
  region.tensors.forEach(({ constant }, at) => {
    if (constant !== undefined) state.states[at] = constantWindow(constant, state);
  });
  for (const at of region.params.flatMap(leavesOf)) {
    const { dtype, shape } = region.tensors[at] as Region['tensors'][number];
    state.states[at] = newBuffer(blankTensor(dtype, shape), false, state);
  }
  return state;
}

function newBuffer(whole: Tensor, isConstant: boolean, { buffers, numbers }: Lowering): Tensor {
  const bytes = whole.data.length * dtypeInfo(whole.dtype).bytes;
  numbers.set(whole.data, buffers.push({ whole, bytes, isConstant, within: undefined }) - 1);
  return whole;
}

/** The window of a constant: constants on the same storage share a buffer. */
function constantWindow(constant: Tensor, state: Lowering): Tensor {
  if (!state.numbers.has(constant.data)) newBuffer(constant, true, state);
  return constant;
}

function lowerStep(step: RegionStep, state: Lowering): void {
  const done =
    asConstant(step, state) ||
    asWindows(step, state) ||
    asElements(step, state) ||
    asJoined(step, state);
  if (!done) asReference(step, state);
}

/** A call of constants alone is computed here, if its result is of moderate size. */
function asConstant(step: RegionStep, state: Lowering): boolean {
  const { call, args, results } = step;
  const parts = args.flatMap(leavesOf).map((at) => state.states[at]);
  if (!parts.every((part) => part !== undefined && isConstant(part, state))) return false;
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

const isConstant = (part: State, { buffers, numbers }: Lowering): boolean =>
  part._tag === 'Tensor' && buffers[numbers.get(part.data) ?? -1]?.isConstant === true;

/** A call whose result lies in the storage of an argument: nothing is computed. */
function asWindows(step: RegionStep, state: Lowering): boolean {
  const { call, args, results, isTuple } = step;
  const pending = args.flatMap(leavesOf).filter((at) => state.states[at]?._tag === 'Pending');
  const [only] = pending;
  if (only !== undefined) return args.length === 1 && !isTuple && asMoved(step, only, state);
  const views = viewed(
    call,
    args.map((arg) => windowsIn(arg, state)),
    state,
  );
  if (views === undefined) return false;
  results.forEach((at, i) => {
    state.states[at] = views[i] as Tensor;
  });
  return true;
}

/** The same call on each window that a pending value reads. */
function asMoved({ call, args, results: [result] }: RegionStep, only: number, state: Lowering) {
  const value = state.states[only];
  if (typeof args[0] !== 'number' || value?._tag !== 'Pending' || result === undefined)
    return false;
  const element = mapWindows(value.element, (window) => viewed(call, [window], state)?.[0]);
  const shape = state.region.tensors[result]?.shape;
  if (element === undefined || shape === undefined) return false;
  state.states[result] = { _tag: 'Pending', shape, element };
  return true;
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
  const shape = state.region.tensors[result]?.shape as Shape;
  const operands = args.map((at) => ({
    shape: state.region.tensors[at]?.shape as Shape,
    element: elementAt(at, state),
  }));
  const element = elementsOf(call, operands, shape, state.m.ops);
  if (element === undefined || !state.abilities.element(element)) return false;
  if (nodesOf(element).length > MAX_NODES) {
    const isStored = args.map((at) => store(at, state));
    if (isStored.includes(true)) return asElements(step, state);
  }
  state.states[result] = { _tag: 'Pending', shape, element };
  return true;
}

const elementAt = (at: number, { states }: Lowering): Element => {
  const value = states[at];
  invariant(value !== undefined, 'a tensor is made before it is used');
  return value._tag === 'Pending' ? value.element : load(value);
};

/** Writes a pending value to storage. Says whether it was pending. */
function store(at: number, state: Lowering): boolean {
  const value = state.states[at];
  if (value?._tag !== 'Pending') return false;
  const { dtype, shape } = state.region.tensors[at] as Region['tensors'][number];
  const out = newBuffer(blankTensor(dtype, shape), false, state);
  state.kernels.push({ _tag: 'Map', element: value.element, out });
  state.states[at] = out;
  return true;
}

/** Parts one behind the other: each is written where it belongs, at once if that is possible. */
function asJoined({ call, args: [parts], results: [result] }: RegionStep, state: Lowering) {
  if (result === undefined || parts === undefined || typeof parts === 'number') return false;
  const { dtype, shape } = state.region.tensors[result] as Region['tensors'][number];
  const axis = joinedAlong(call, shape.length, state.m.ops);
  if (axis === undefined || !state.abilities.element(load(blankTensor(dtype, [1])))) return false;
  const out = newBuffer(blankTensor(dtype, shape), false, state);
  const isOuter = shape.slice(0, axis).every((dim) => dim === 1);
  let start = 0;
  for (const part of parts.flatMap(leavesOf)) {
    const own = state.region.tensors[part]?.shape as Shape;
    const first = shape.map((_, i) => (i === axis ? start : 0));
    start += own[axis] as number;
    if (shapeSize(own) === 0) continue;
    const place = sliceView(out, first, own);
    if (isOuter && becomesPart(part, place, state)) continue;
    state.kernels.push({ _tag: 'Map', element: elementAt(part, state), out: place });
  }
  state.states[result] = out;
  return true;
}

/** Makes the buffer of a stored value a part of another, if it is its own and whole. */
function becomesPart(part: number, place: Tensor, state: Lowering): boolean {
  const value = state.states[part];
  if (value?._tag !== 'Tensor' || !isDense(value)) return false;
  const buffer = state.buffers[state.numbers.get(value.data) as number] as Buffer;
  const isInput = state.region.params
    .flatMap(leavesOf)
    .some((at) => state.states[at] === buffer.whole);
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
    const { dtype, shape } = state.region.tensors[at] as Region['tensors'][number];
    const out = newBuffer(blankTensor(dtype, shape), false, state);
    state.states[at] = out;
    return out;
  });
  state.kernels.push({ _tag: 'Reference', call, args: windows, results: made });
}

/** Stores the values of a group that others use. */
function settle(group: number, last: number, state: Lowering): void {
  const { steps } = state.region;
  let first = last;
  while (steps[first - 1]?.group === group) first -= 1;
  for (let i = first; i <= last; i++) {
    for (const at of steps[i]?.results ?? []) {
      if (state.users[at]?.some((user) => user !== group)) store(at, state);
    }
  }
}

function windowsIn(value: RegionValue, state: Lowering): OpValue {
  if (typeof value !== 'number') return value.map((field) => windowsIn(field, state));
  const window = state.states[value];
  invariant(window?._tag === 'Tensor', 'a tensor is stored before a kernel reads it');
  return window;
}
