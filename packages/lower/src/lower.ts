/**
 * Lowering: a region as kernels on buffers. What a step becomes follows from its form: views become
 * windows; elementwise chains of a group become one expression, also after a product;
 * the parts of a concatenation are written where they belong. A step without a form, or without code
 * for it, runs its reference kernel.
 */
import { isRight } from '@baton/base';
import type { OpTable } from '@baton/ir';
import { type CallForm, callForm, type OpValue, runCall } from '@baton/ops';
import { isTensor, type Tensor } from '@baton/tensor';
import { productIn } from './element.ts';
import type { Kernel, KernelLoop } from './kernel.ts';
import { concatenated } from './lower-concat.ts';
import { contracted } from './lower-contract.ts';
import { folded, softmax } from './lower-fold.ts';
import { gathered } from './lower-gather.ts';
import { interpolated } from './lower-interpolate.ts';
import { makeLoops } from './lower-loop.ts';
import { converted, mapped } from './lower-map.ts';
import { padded } from './lower-pad.ts';
import { takenFromPlaces } from './lower-places.ts';
import { scanned, scattered } from './lower-scan.ts';
import { stepped } from './lower-steps.ts';
import { looked } from './lower-view.ts';
import {
  type Abilities,
  begin,
  constantOf,
  constantWindow,
  dtypeAt,
  isConstant,
  isMovable,
  type Lowering,
  rowMajor,
  stored,
  storedValue,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import { leavesOf, type Region, type RegionStep, type RegionValue } from './region.ts';
import type { Buffer, Window, Windows } from './window.ts';

/** A region as kernels on buffers. */
export interface Lowered {
  readonly buffers: ReadonlyArray<Buffer>;
  /** In the order of a run. */
  readonly kernels: ReadonlyArray<Kernel>;
  /** In their order; they do not nest. */
  readonly loops: ReadonlyArray<KernelLoop>;
  /** For each parameter a window, or a tuple of them. */
  readonly params: ReadonlyArray<Windows>;
  readonly result: Windows;
}

/** The kernels in the order in which a run comes to them, by number, with the turn of a loop. */
export function runOrder({
  kernels,
  loops,
}: Pick<Lowered, 'kernels' | 'loops'>): ReadonlyArray<readonly [kernel: number, turn: number]> {
  const order: Array<readonly [number, number]> = [];
  for (let at = 0; at < kernels.length; ) {
    const loop = loops.find(({ from, to }) => from === at && to > at);
    const [end, turns] = [loop?.to ?? at + 1, loop?.turns ?? 1];
    for (let turn = 0; turn < turns; turn++) {
      for (let kernel = at; kernel < end; kernel++) order.push([kernel, turn]);
    }
    at = end;
  }
  return order;
}

/** Users that are no step: what must be stored, and a part of a result of a loop. */
const RESULT = -1;
const ROW = -2;

/** Lowers a region. **Complexity** linear in its steps and their operands. */
export function lower(region: Region, ops: OpTable, abilities: Abilities): Lowered {
  const state = begin(region, abilities);
  const forms = region.steps.map(({ call }) => callForm(ops, call));
  const users = usersIn(region, forms);
  const loops = makeLoops(region, users, state);
  region.steps.forEach((step, i) => {
    loops.before(i);
    if (step.results.every((at) => users[at]?.length === 0)) return;
    const values = lowered(step, forms[i] as CallForm, ops, state);
    step.results.forEach((at, n) => {
      state.values[at] = values[n] as Value;
    });
    for (const at of step.results) if (!mayWait(at, i, users, state)) stored(at, state);
  });
  loops.before(region.steps.length);
  const { buffers, kernels } = state;
  const params = region.params.map((value) => storedValue(value, state));
  return { result: resultIn(region.result, state), buffers, kernels, loops: state.loops, params };
}

/** By tensor of a region: the steps that use it; the result is a step of its own. */
function usersIn(
  { tensors, steps, loops, result }: Region,
  forms: ReadonlyArray<CallForm>,
): ReadonlyArray<ReadonlyArray<number>> {
  const users: number[][] = tensors.map(() => []);
  steps.forEach(({ args }, i) => {
    // Of an argument whose type alone matters no element is read.
    const read = forms[i]?._tag === 'Convert' ? args.slice(0, 1) : args;
    for (const at of new Set(read.flatMap(leavesOf))) users[at]?.push(i);
  });
  for (const { carried, rows } of loops) {
    for (const { start, next } of carried) {
      users[start]?.push(RESULT);
      users[next]?.push(RESULT);
    }
    for (const { start, row } of rows) {
      if (start !== undefined) users[start]?.push(ROW);
      users[row]?.push(ROW);
    }
  }
  for (const at of leavesOf(result)) users[at]?.push(RESULT);
  return users;
}

/** What the results of a step become. */
function lowered(
  step: RegionStep,
  form: CallForm,
  ops: OpTable,
  state: Lowering,
): ReadonlyArray<Value> {
  const known = evaluated(step, state);
  if (known !== undefined) return known;
  switch (form._tag) {
    case 'Map':
      return mapped(step, form, state);
    case 'Convert':
      return converted(step, state);
    case 'Reduce':
    case 'Window':
      return folded(step, form, state);
    case 'View':
      return looked(step, form, state);
    case 'Gather':
      return gathered(step, form, state);
    case 'Scan':
      return scanned(step, form, state);
    case 'Scatter':
      return scattered(step, form, state);
    case 'Pad':
      return padded(step, form, state);
    case 'Concat':
      return concatenated(step, form, state);
    case 'Contract':
      return contracted(step, form, state);
    case 'Interpolate':
      return interpolated(step, form, state);
    case 'Softmax':
      return softmax(step, form, state);
    case 'Steps':
      return stepped(step, form, state);
    case 'Opaque':
      return takenFromPlaces(step, ops, state) ?? referenced(step, state);
  }
}

const MAX_CONSTANT_BYTES = 2 ** 26;

/** The results of a call of constants alone, if they are of moderate size. */
function evaluated({ call, args }: RegionStep, state: Lowering): ReadonlyArray<Value> | undefined {
  const leaves = args.flatMap(leavesOf);
  if (!leaves.every((at) => isConstant(state.values[at], state))) return undefined;
  const operandOf = (value: RegionValue): OpValue =>
    typeof value === 'number'
      ? constantOf(state.values[value] as Window, state)
      : value.map(operandOf);
  const value = runCall(call, args.map(operandOf), MAX_CONSTANT_BYTES);
  if (!isRight(value)) return undefined;
  const tensors = isTensor(value.right) ? [value.right] : (value.right as ReadonlyArray<Tensor>);
  return tensors.map((tensor) => constantWindow(tensor, state));
}

/**
 * Whether a pending value is left to its users: it has one, or they are of one group and it does not
 * end a product, which has one place for its sums.
 */
function mayWait(
  at: number,
  made: number,
  users: ReadonlyArray<ReadonlyArray<number>>,
  { values, region, abilities }: Lowering,
): boolean {
  const value = values[at];
  const own = users[at] ?? [];
  if (value?._tag !== 'Pending' || own.includes(RESULT)) return false;
  const group = region.steps[made]?.group;
  const isInside = own.every((user) => region.steps[user]?.group === group);
  if (own.length === 1) return isInside || !abilities.isGrouped;
  return isInside && productIn(value.element) === undefined;
}

/** The result, whose elements are contiguous as far as generated code can bring that about. */
function resultIn(value: RegionValue, state: Lowering): Windows {
  if (typeof value !== 'number') return value.map((field) => resultIn(field, state));
  return isMovable(dtypeAt(value, state), state) ? rowMajor(value, state) : stored(value, state);
}
