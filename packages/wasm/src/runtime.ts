/** Runs of compiled regions on a memory of their own. */

import { invariant, isLeft, remember } from '@baton/base';
import { type HostRoutine, type Meter, stop, tupleValue, type Value } from '@baton/executor';
import {
  type Buffer,
  type ReferenceKernel,
  type Window,
  type Windows,
  windowsIn,
} from '@baton/lower';
import { type OpValue, type PreparedCall, runCall } from '@baton/ops';
import {
  type DType,
  dense,
  heap,
  isDense,
  isTensor,
  type Memory,
  type StorageOf,
  storageOf,
  type Tensor,
  type TensorData,
  tensor,
} from '@baton/tensor';
import {
  bytesOf,
  type CodeChecks,
  type Compiled,
  isBrokenLoop,
  pagesOf,
  runsOf,
} from './compile.ts';
import { type Crew, forgetWith, instanceOf, type ThreadProgram } from './thread.ts';
import type { WasmInstance, WebAssemblyHost } from './web-assembly.ts';

/** A compiled region as a function that the interpreter calls. */
export function instantiate(
  compiled: Compiled,
  host: WebAssemblyHost | undefined,
  crew: Crew | undefined,
  checks: CodeChecks | undefined,
): HostRoutine {
  invariant(!isBrokenLoop(compiled.lowered), 'a loop that runs has code');
  const place: { now: Placed } = { now: placed(compiled, host, checks) };
  const leave = (): void => crew?.remove(place.now.program);
  const join = (): void => crew?.add(place.now.program);
  const routine: HostRoutine = {
    call: (args, meter, depth) => {
      count(compiled.region.counted, meter, depth);
      const result = place.now.run(args, meter, crew);
      if (result !== undefined) return result;
      // A thread that is late may still write: the memory is left to it.
      leave();
      place.now = placed(compiled, host, checks);
      const again = place.now.run(args, meter, undefined) as Value;
      join();
      return again;
    },
    dispose: leave,
  };
  join();
  if (crew) forgetWith(routine, crew, place);
  return routine;
}

/** A region on a memory. */
interface Placed {
  /** What threads need to take part in its runs. */
  readonly program: ThreadProgram | undefined;
  /** `undefined` if a thread did not finish its share of the run. */
  readonly run: (
    args: ReadonlyArray<Value>,
    meter: Meter,
    crew: Crew | undefined,
  ) => Value | undefined;
}

/** Gives a region memory of its own, with its constants in it. */
function placed(
  compiled: Compiled,
  host: WebAssemblyHost | undefined,
  checks: CodeChecks | undefined,
): Placed {
  const { tasks, lowered, threads } = compiled;
  const checked = checks && compiled.code && checks(compiled, compiled.code);
  const code = checked?.code ?? compiled.code;
  const initial = pagesOf(compiled.bytes);
  const memory =
    code &&
    host &&
    new host.Memory(threads > 1 ? { initial, maximum: initial, shared: true } : { initial });
  const buffer = memory?.buffer ?? new ArrayBuffer(compiled.bytes);
  const bound = binding(compiled, buffer);
  const imports = checked?.imports(buffer);
  for (const { write } of compiled.placed) write(buffer);
  const module = code && host && new host.Module(code);
  const exports =
    module && memory ? instanceOf(module, memory, host, imports).exports : ({} as Exports);
  const runs = runsOf(compiled);
  const program = module && memory && threads > 1 ? { module, memory, runs } : undefined;
  const steps = tasks.map((task): Step => {
    if (task._tag === 'Reference') return referenceRun(task, bound);
    const { name } = task;
    return (_, crew) => {
      if (program && crew) return crew.run(program, exports, name);
      exports[name]?.(0, 1);
      return true;
    };
  });
  const params = lowered.params.map((value) => windowsIn(value).map(bound));
  const result = boundValue(lowered.result, bound);
  const run: Placed['run'] = (args, meter, crew) => {
    for (const [i, windows] of params.entries()) fill(windows, args[i] as Value);
    return steps.every((step) => step(meter, crew)) ? resultValue(result) : undefined;
  };
  return { program, run };
}

type Exports = WasmInstance['exports'];

/** A part of a run; `false` ends it. */
export type Step = (meter: Meter, crew: Crew | undefined) => boolean;

/** Counts the steps of a region as the interpreter does, and refuses results that are too large. */
export function count(counted: Compiled['region']['counted'], meter: Meter, depth: number): void {
  for (const step of counted) {
    if (step.repeated === undefined) meter.countStep(step.span);
    if (step.depth !== undefined) meter.checkDepth(depth + step.depth, step.span);
    if (step.repeated !== undefined) {
      meter.countWork(step.repeated.work, step.span);
      for (const call of step.repeated.calls) if (call.bytes > meter.maxBytes) refuse(call, meter);
    }
    if (step.call === undefined) continue;
    meter.countWork(step.call.steps, step.span);
    if (step.call.bytes > meter.maxBytes) refuse(step.call, meter);
  }
}

function refuse(call: PreparedCall, { maxBytes }: Meter): void {
  const refused = runCall(call, [], maxBytes);
  if (isLeft(refused)) stop(...refused.left);
}

/** Puts a window on memory. */
export type Bind = (window: Window) => Tensor;

/** Windows on memory. Those on constants stay on the storage of these. */
export function binding(
  { lowered, addressOf }: Pick<Compiled, 'lowered' | 'addressOf'>,
  memory: ArrayBuffer,
): Bind {
  const storage = new Map<number, TensorData>();
  return ({ buffer, dtype, shape, strides, offset }) => {
    const { constant, count, dtype: own } = lowered.buffers[buffer] as Buffer;
    const make = storageOf(own);
    const data =
      constant ?? remember(storage, buffer, () => new make(memory, addressOf(buffer), count));
    return { _tag: 'Tensor', dtype, shape, strides, offset, data };
  };
}

/** A value of windows on memory. */
export const boundValue = (value: Windows, bound: Bind): OpValue =>
  '_tag' in value ? bound(value) : value.map((field) => boundValue(field, bound));

/** The run of a reference kernel, which writes its results where they belong. */
export function referenceRun({ call, args, results }: ReferenceKernel, bound: Bind): Step {
  const operands = args.map((arg) => boundValue(arg, bound));
  const places = results.map(bound);
  return (meter) => {
    const left = [...places];
    const memory: Memory = {
      take: <D extends DType>(dtype: D, count: number): StorageOf[D] => {
        const i = left.findIndex((place) => place.dtype === dtype && place.data.length === count);
        const [place] = i < 0 ? [] : left.splice(i, 1);
        // The storage of a tensor is of its dtype.
        return place === undefined ? heap.take(dtype, count) : (place.data as StorageOf[D]);
      },
    };
    const value = runCall(call, operands, meter.maxBytes, memory);
    if (isLeft(value)) return stop(...value.left);
    const made = tensorsIn(value.right);
    const isPlaced = made.every((t, i) => t.data === places[i]?.data && isDense(t));
    // One result may lie in the place of another: all leave before any comes.
    const moved = isPlaced ? [] : made.map((t) => tensor(dense(t).data.slice(), t.shape, t.dtype));
    for (const [i, t] of moved.entries()) put(places[i] as Tensor, t);
    return true;
  };
}

const tensorsIn = (value: OpValue): ReadonlyArray<Tensor> =>
  isTensor(value) ? [value] : value.flatMap(tensorsIn);

/** Copies the elements of a tensor to a dense one. */
function put(place: Tensor, made: Tensor): void {
  bytesOf(place.data).set(bytesOf(dense(made).data));
}

/** Writes an argument to the windows of a parameter. */
export function fill(windows: ReadonlyArray<Tensor>, arg: Value): void {
  const given = arg._tag === 'Tuple' ? arg.fields : [arg];
  windows.forEach((window, i) => {
    const value = given[i];
    if (value?._tag === 'Tensor' && window.data.length > 0) put(window, value);
  });
}

/** The result in storage of its own: neither the memory of the code nor a constant of the program. */
export function resultValue(result: OpValue): Value {
  if (!isTensor(result)) return tupleValue(result.map(resultValue));
  const { data, shape, dtype } = result;
  return isDense(result) ? tensor(data.slice(), shape, dtype) : dense(result);
}
