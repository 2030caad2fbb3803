/** Compilation: the kernels of a region as one WebAssembly module, and addresses for its buffers. */
import type { IRModule } from '@baton/ir';
import { dtypeInfo, type Tensor } from '@baton/tensor';
import { call, type FunctionRef, i32, type ModuleBuilder, makeModule } from './emit/index.ts';
import { mapFunction, mapKey } from './generate/map.ts';
import { isExactElement, isVectorElement } from './generate/vector.ts';
import type { SimdLevel } from './level.ts';
import {
  type Kernel,
  overwritesOf,
  type ReferenceKernel,
  readsOf,
  writesOf,
} from './plan/kernel.ts';
import { type Abilities, type Lowered, lower } from './plan/lower.ts';
import { ALIGNMENT, type MemoryPlan, planMemory } from './plan/memory.ts';
import { leavesIn, type Region } from './plan/region.ts';

/** A part of a run: an exported function of the module, or the call of a reference kernel. */
export type Task = { readonly _tag: 'Run'; readonly name: string } | ReferenceKernel;

/** Elements that lie in memory before the first run. */
export interface Placed {
  readonly address: number;
  readonly constant: Tensor;
}

/** A region, ready to be instantiated. */
export interface Compiled {
  readonly region: Region;
  readonly lowered: Lowered;
  readonly plan: MemoryPlan;
  /** The module; `undefined` if every task is a reference kernel. */
  readonly code: Uint8Array<ArrayBuffer> | undefined;
  readonly tasks: ReadonlyArray<Task>;
  readonly placed: ReadonlyArray<Placed>;
  /** The bytes of memory, constants and arena. */
  readonly bytes: number;
  /** The address of a buffer in memory. */
  readonly addressOf: (buffer: number) => number;
}

const NOTHING: Abilities = { element: () => false };
const VECTORS: Abilities = { element: isVectorElement };
const EXACT: Abilities = {
  element: (element) => isVectorElement(element) && isExactElement(element),
};

/** What code is made for. */
export interface Target {
  /** The vector instructions; without any, every call runs its reference kernel. */
  readonly level: SimdLevel | undefined;
  /** Whether every bit is as the reference kernels have it. */
  readonly isExact: boolean;
}

/** Compiles a region. */
export function compileRegion(region: Region, m: IRModule, { level, isExact }: Target): Compiled {
  const isVector = level === 'simd' || level === 'relaxed';
  const lowered = lower(region, m, isVector ? (isExact ? EXACT : VECTORS) : NOTHING);
  const plan = planOf(lowered);
  const constants = placedConstants(lowered);
  const start = [...constants.values()].reduce(
    (end, { end: own }) => Math.max(end, own),
    ALIGNMENT,
  );
  const addressOf = (buffer: number): number =>
    constants.get(buffer)?.address ?? start + (plan.offsets[buffer] as number);
  const { code, tasks } = written(lowered, addressOf);
  return {
    region,
    lowered,
    plan,
    code,
    tasks,
    placed: [...constants.values()],
    bytes: start + plan.bytes,
    addressOf,
  };
}

function planOf({ buffers, kernels, params, result, bufferOf }: Lowered): MemoryPlan {
  const own = (windows: ReadonlyArray<Tensor>): number[] =>
    windows.map(bufferOf).filter((buffer) => buffers[buffer]?.isConstant === false);
  return planMemory(
    buffers.map(({ bytes, isConstant, within }) => ({
      bytes: isConstant ? 0 : bytes,
      ...(within === undefined ? {} : { within }),
    })),
    kernels.map((kernel) => ({
      reads: own(readsOf(kernel)),
      writes: own(writesOf(kernel)),
      overwrites: own(overwritesOf(kernel)),
    })),
    { inputs: own(params.flatMap(leavesIn)), outputs: own(leavesIn(result)) },
  );
}

/** Places for the constants that generated code reads. */
function placedConstants({ buffers, kernels, bufferOf }: Lowered) {
  const constants = new Map<number, Placed & { readonly end: number }>();
  let end = ALIGNMENT;
  for (const kernel of kernels) {
    if (kernel._tag === 'Reference') continue;
    for (const buffer of readsOf(kernel).map(bufferOf)) {
      const { whole, bytes, isConstant } = buffers[buffer] as Lowered['buffers'][number];
      if (!isConstant || constants.has(buffer)) continue;
      const address = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
      end = address + bytes;
      constants.set(buffer, {
        address,
        constant: whole,
        end: Math.ceil(end / ALIGNMENT) * ALIGNMENT,
      });
    }
  }
  return constants;
}

/** The name of the memory that a module imports. */
export const MEMORY = ['env', 'memory'] as const;

/** Neighbouring kernels of one kind of task become one exported function. */
function written(
  { kernels, bufferOf }: Lowered,
  addressOf: (buffer: number) => number,
): Pick<Compiled, 'code' | 'tasks'> {
  const module = makeModule();
  module.importMemory(...MEMORY, { minimum: 1 });
  const at = (window: Tensor): number =>
    addressOf(bufferOf(window)) + window.offset * dtypeInfo(window.dtype).bytes;
  const tasks: Task[] = [];
  let pending: Kernel[] = [];
  const flush = (): void => {
    if (pending.length === 0) return;
    const calls = pending.map((kernel) => ({
      ref: functionOf(kernel, module),
      addresses: [...readsOf(kernel), ...writesOf(kernel)].map(at),
    }));
    const name = `run${tasks.length}`;
    const run = module.procedure([], (f) => {
      for (const { ref, addresses } of calls) f.do(call(ref, ...addresses.map(i32.const)));
    });
    module.exportFunction(name, run);
    tasks.push({ _tag: 'Run', name });
    pending = [];
  };
  for (const kernel of kernels) {
    if (kernel._tag !== 'Reference') pending.push(kernel);
    else {
      flush();
      tasks.push(kernel);
    }
  }
  flush();
  return { code: tasks.some(({ _tag }) => _tag === 'Run') ? module.finish() : undefined, tasks };
}

/** A function of addresses. */
type KernelRef = FunctionRef<ReadonlyArray<'i32'>, 'none'>;

/** The function of a kernel: those of equal text share one. */
function functionOf(kernel: Kernel, module: ModuleBuilder): KernelRef {
  if (kernel._tag === 'Reference') throw new Error('a reference kernel has no code');
  const { element, out } = kernel;
  return module.once(mapKey(element, out), () => mapFunction(module, element, out));
}
