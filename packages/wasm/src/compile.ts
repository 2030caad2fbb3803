/** Compilation: the kernels of a region as one WebAssembly module, and addresses for its buffers. */

import { invariant, present } from '@baton/base';
import type { IRModule } from '@baton/ir';
import {
  type Abilities,
  ALIGNMENT,
  aligned,
  type Buffer,
  constantOf,
  type Element,
  isConstantWindow,
  isRowMajor,
  type Kernel,
  type Lowered,
  lower,
  type MemoryPlan,
  type Mode,
  operandStrides,
  overwritesOf,
  type ProductCall,
  type ProductKernel,
  planMemory,
  type ReferenceKernel,
  type Region,
  readsOf,
  rootsOf,
  type Window,
  windowsIn,
  windowsOf,
  writesOf,
} from '@baton/lower';
import type { Fold } from '@baton/ops';
import {
  type DType,
  dense,
  dtypeInfo,
  shapeSize,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import { alone, CREW_BYTES, exportCrew, MEMORY, MOST_THREADS, together } from './crew.ts';
import {
  call,
  type FunctionBuilder,
  type FunctionRef,
  i32,
  type ModuleBuilder,
  makeModule,
  type Value,
} from './emit/index.ts';
import { epilogueOf } from './generate/epilogue.ts';
import { foldFunction } from './generate/fold.ts';
import { foldKey } from './generate/fold-loops.ts';
import { mapFunction, mapKey } from './generate/map.ts';
import { scanFunction, scanKey, scatterFunction, scatterKey } from './generate/sequential.ts';
import { functionsIn, isSingleElement, isSingleFold } from './generate/single.ts';
import { takeFunction, takeKey } from './generate/take.ts';
import { isExactElement, isExactFold, isVectorElement, isVectorFold } from './generate/vector.ts';
import type { Procedure } from './kernels/function.ts';
import { type Epilogue, type HandKernel, handKernels, plainOf } from './kernels/index.ts';
import type { SimdLevel } from './level.ts';
import { checkPlaces } from './places.ts';
import type { WasmImports } from './web-assembly.ts';

/** A part of a run: an exported function of the module, or the call of a reference kernel. */
export type Task = { readonly _tag: 'Run'; readonly name: string } | ReferenceKernel;

/** The names of the exported functions, in the order of a run. */
export const runsOf = ({ tasks }: Compiled): ReadonlyArray<string> =>
  tasks.flatMap((task) => (task._tag === 'Run' ? [task.name] : []));

/** Bytes that lie in memory before the first run. */
export interface Placed {
  readonly address: number;
  readonly bytes: number;
  readonly dtype: DType;
  /** Writes them to a memory. */
  readonly write: (memory: ArrayBuffer) => void;
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
  /** The most threads that run it together; the memory is shared if it is not 1. */
  readonly threads: number;
  /** The address of a buffer in memory. */
  readonly addressOf: (buffer: number) => number;
}

/** The code of a region with checks in it. */
export interface CheckedCode {
  readonly code: Uint8Array<ArrayBuffer>;
  /** The functions that the code calls. Fresh memory is filled, so that a read of it shows. */
  readonly imports: (memory: ArrayBuffer) => WasmImports;
}

/** Puts checks into the code of a region. */
export type CodeChecks = (compiled: Compiled, code: Uint8Array<ArrayBuffer>) => CheckedCode;

/** What code is made for. */
export interface Target {
  /** The vector instructions; without any, every call runs its reference kernel. */
  readonly level: SimdLevel | undefined;
  /** Whether every bit is as the reference kernels have it. */
  readonly isExact: boolean;
  /**
   * Whether Winograd's transforms may compute convolutions: `true` wherever they are faster, `false`
   * nowhere.
   * @defaultValue those whose attribute `algorithm` says so
   */
  readonly transforms?: boolean | undefined;
  /**
   * Which elementwise calls are computed in one pass.
   * @defaultValue `all`
   */
  readonly fusion?: 'all' | 'groups';
  /**
   * The most threads that share the work of large kernels.
   * @defaultValue 1
   */
  readonly threads?: number;
}

/** Compiles a region. One in which a loop calls an operator without code must not run: {@link isBrokenLoop}. */
export function compileRegion(region: Region, m: IRModule, target: Target): Compiled {
  const lowered = lower(region, m.ops, abilitiesOf(target, { mayCall: true }));
  const threads = lowered.kernels.some(isShared) ? mostThreads(target) : 1;
  const plan = planOf(lowered);
  const makers = lowered.kernels.map((kernel) =>
    kernel._tag === 'Product' ? productMaker(kernel, lowered, target) : undefined,
  );
  const constants = placedConstants(lowered, makers, threads === 1 ? ALIGNMENT : CREW_BYTES);
  const start = constants.end;
  const addressOf = (buffer: number): number => {
    const constant = constants.addresses.get(buffer);
    if (constant !== undefined) return constant;
    invariant(lowered.buffers[buffer]?.constant === undefined, 'a constant has a place');
    return start + (plan.offsets[buffer] as number);
  };
  const bytes = start + plan.bytes;
  const isFused = target.level === 'relaxed' && !target.isExact;
  checkPlaces(lowered, { start, end: bytes, addressOf, constants: constants.addresses });
  const { code, tasks } = written({
    lowered,
    makers,
    ...constants,
    addressOf,
    threads,
    bytes,
    isFused,
  });
  const { placed } = constants;
  return { region, lowered, plan, code, tasks, placed, bytes, addressOf, threads };
}

const mostThreads = ({ threads = 1 }: Target): number => Math.min(threads, MOST_THREADS);

const none = (): undefined => undefined;

const NOTHING: Abilities = { isGrouped: true, element: none, fold: none, product: none };

/** What the code for a target can compute; `mayCall` if it may import functions of `Math`. */
export function abilitiesOf(target: Target, { mayCall }: { readonly mayCall: boolean }): Abilities {
  const { level, isExact, fusion = 'all' } = target;
  const isGrouped = fusion === 'groups';
  if (level === undefined || level === 'scalar') return NOTHING;
  return {
    isGrouped,
    element: (element) => modeOf(element, !isExact || isExactElement(element), mayCall),
    fold: (fold, dtype) => foldModeOf(fold, dtype, !isExact || isExactFold(fold)),
    product: (call) => {
      // Sums of integers have one value, in whatever order.
      const isOther = isExact && call.integers === undefined;
      const kernel = isOther ? undefined : handKernel(call, plainOf(call.dtype), target);
      if (kernel === undefined) return undefined;
      const scratchBytes = scratchOf(kernel) * mostThreads(target);
      if (scratchBytes > MOST_MEMORY) return undefined;
      return { channelAxis: kernel.channelAxis, scratchBytes };
    },
  };
}

/** How code computes an element, in vectors if it may. */
function modeOf(element: Element, mayBeVectors: boolean, mayCall: boolean): Mode | undefined {
  if (mayBeVectors && isVectorElement(element)) return 'vectors';
  return isSingleElement(element, mayCall) ? 'singles' : undefined;
}

/** How code folds elements of a type, in vectors if it may. */
function foldModeOf(fold: Fold, dtype: DType, mayBeVectors: boolean): Mode | undefined {
  const isOfFloats = dtype === 'float32' || dtype === 'float64';
  if (mayBeVectors && isOfFloats && isVectorFold(fold, dtype)) return 'vectors';
  return isSingleFold(fold, dtype) ? 'singles' : undefined;
}

/** The scratch of one thread. */
const scratchOf = ({ scratchBytes }: HandKernel): number => aligned(scratchBytes);

/** Elements that a kernel reads and writes from which on threads share its work. */
const LEAST_SHARED = 32_768;

/** The kernels that one thread runs. */
const ALONE: ReadonlySet<Kernel['_tag']> = new Set(['Reference', 'Take', 'Scan', 'Scatter']);

/** Whether threads share the work of a kernel. */
function isShared(kernel: Kernel): boolean {
  if (ALONE.has(kernel._tag)) return false;
  const touched = [...readsOf(kernel), ...writesOf(kernel)];
  const elements = touched.reduce((sum, { shape }) => sum + shapeSize(shape), 0);
  return elements >= LEAST_SHARED;
}

/** The kernel for a call, if one was written by hand. */
function handKernel(
  { name, attrs, shapes, out, isWeightConstant, integers, blocks, strides }: ProductCall,
  epilogue: Epilogue,
  { level = 'simd', transforms }: Target,
): (HandKernel & { readonly channelAxis: number }) | undefined {
  const [data, weight] = shapes;
  const entry = handKernels.get(name);
  if (entry === undefined || data === undefined || weight === undefined) return undefined;
  if (strides !== undefined && entry.readsViews !== true) return undefined;
  const choices = { level, epilogue, isWeightConstant, transforms, integers, blocks, strides };
  const kernel = entry.make({ data, weight, out, attrs, ...choices });
  return kernel && { ...kernel, channelAxis: entry.channelAxis };
}

/** The kernel of a product, with what it does to each sum. */
export function productMaker(
  { product, element, spreads, out }: ProductKernel,
  { buffers }: Lowered,
  target: Target,
): HandKernel | undefined {
  const [, weight] = product.operands as readonly [Window, Window];
  const isWeightConstant = isConstantWindow(weight, { buffers });
  const call: ProductCall = {
    ...product,
    shapes: product.operands.map(({ shape }) => shape),
    isWeightConstant,
    strides: operandStrides(product.operands, isWeightConstant),
  };
  return handKernel(call, epilogueOf(element, spreads, out.dtype), target);
}

/** The memory of a region's buffers. */
export function planOf({ buffers, kernels, loops, params, result }: Lowered): MemoryPlan {
  const own = (windows: ReadonlyArray<Window>): number[] =>
    windows.map(({ buffer }) => buffer).filter((buffer) => buffers[buffer]?.constant === undefined);
  const roots = rootsOf(buffers);
  return planMemory(
    buffers.map(({ bytes, constant, within }) => ({
      bytes: constant === undefined ? bytes : 0,
      within,
    })),
    kernels.map((kernel) => ({
      reads: own(readsOf(kernel)),
      writes: own(writesOf(kernel)),
      overwrites: own(overwritesOf(kernel, buffers, roots)),
    })),
    { inputs: own(params.flatMap(windowsIn)), outputs: own(windowsIn(result)), loops },
  );
}

/** The kernels written by hand, by the number of the kernel. */
export type Makers = ReadonlyArray<HandKernel | undefined>;

/** A constant that compiled code reads. */
export interface ConstantPart {
  /** The number of the buffer; for weights as kernels want them packed, a text. */
  readonly key: number | string;
  /** The storage of its elements, and how it lies in memory: equal texts mean equal bytes. */
  readonly storage: TensorData;
  readonly form: string;
  readonly bytes: number;
  readonly at: (address: number) => Placed;
}

/** The constants that compiled code reads, each once. */
export function constantsOf(
  { buffers, kernels }: Lowered,
  makers: Makers,
): ReadonlyArray<ConstantPart> {
  const parts = new Map<number | string, ConstantPart>();
  kernels.forEach((kernel, i) => {
    if (kernel._tag === 'Reference') return;
    const maker = makers[i];
    for (const [position, window] of readsOf(kernel).entries()) {
      const { buffer } = window;
      const { bytes, constant, dtype } = buffers[buffer] as Buffer;
      // The same window may be the weight, and an operand of what follows the product.
      const weight = position === WEIGHT ? maker : undefined;
      const key = weightKey(window, weight);
      if (constant === undefined || parts.has(key)) continue;
      const write = copying(constant);
      const part =
        weight && key !== buffer
          ? { form: formOf(window, weight), ...packedAt(constantOf(window, { buffers }), weight) }
          : {
              form: '',
              bytes,
              at: (address: number) => ({ address, bytes, dtype, write: write(address) }),
            };
      parts.set(key, { key, storage: constant, ...part });
    }
  });
  return [...parts.values()];
}

/** Places for the constants that compiled code reads, from an address on. */
function placedConstants(lowered: Lowered, makers: Makers, start: number) {
  const addresses = new Map<number | string, number>();
  const placed: Placed[] = [];
  let end = start;
  for (const { key, bytes, at } of constantsOf(lowered, makers)) {
    addresses.set(key, end);
    placed.push(at(end));
    end += aligned(bytes);
  }
  return { addresses, placed, end };
}

/** The position of the weight among the windows that a product reads. */
const WEIGHT = 1;

/**
 * Kernels that pack a weight alike share the packed weight. The buffer itself if the kernel reads the
 * weight where it is: it packs none, and the weight is contiguous.
 */
function weightKey(window: Window, maker: HandKernel | undefined): number | string {
  const { buffer } = window;
  if (maker === undefined || (maker.packedBytes === 0 && isRowMajor(window))) return buffer;
  return `${buffer} ${formOf(window, maker)}`;
}

/** How a packed weight lies in memory. */
const formOf = ({ offset, shape, strides }: Window, { packKey }: HandKernel): string =>
  `${offset} ${shape} ${strides} ${packKey}`;

/** A weight as a kernel wants it, from any view. */
function packedAt(
  window: Tensor,
  { packedBytes, pack }: HandKernel,
): Pick<ConstantPart, 'bytes' | 'at'> {
  const { offset, shape, data } = window;
  const count = shapeSize(shape);
  // Other weights are packed as words of 32 bits.
  const [dtype, storage] =
    window.dtype === 'float64'
      ? (['float64', Float64Array] as const)
      : (['float32', Float32Array] as const);
  const width = dtypeInfo(dtype).bytes;
  const bytes = packedBytes || width * count;
  const writeAt = (memory: ArrayBuffer, address: number): void => {
    const into = new storage(memory, address, bytes / width);
    const isContiguous = isRowMajor(window);
    const numbers = isContiguous ? data.subarray(offset, offset + count) : dense(window).data;
    // Floats, or integers of at most 32 bits.
    if (packedBytes > 0) pack(numbers as Float32Array, into);
    else into.set(numbers as Float32Array);
  };
  const at = (address: number): Placed => {
    const write = (memory: ArrayBuffer): void => writeAt(memory, address);
    return { address, bytes, dtype, write };
  };
  return { bytes, at };
}

const copying =
  (data: TensorData) =>
  (address: number) =>
  (memory: ArrayBuffer): void =>
    new Uint8Array(memory, address).set(bytesOf(data));

/** The bytes of elements, on their storage. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: TensorData): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** **Units** bytes. */
const PAGE_BYTES = 65_536;

/** The most bytes of a memory. */
export const MOST_MEMORY: number = 2 ** 32;

/** The number of pages needed for this many bytes. */
export const pagesOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / PAGE_BYTES));

/** What the code of a region is made of. */
interface Parts {
  readonly lowered: Lowered;
  readonly makers: Makers;
  readonly addresses: ReadonlyMap<number | string, number>;
  readonly addressOf: (buffer: number) => number;
  readonly threads: number;
  readonly bytes: number;
  readonly isFused: boolean;
}

/** The call of a kernel's function, in a turn of the loop around it. */
interface KernelCall {
  readonly ref: Procedure;
  readonly args: (turn: Value<'i32'> | undefined) => ReadonlyArray<Value<'i32'>>;
  readonly isShared: boolean;
}

/** Calls, each in every turn. */
interface CallLoop {
  readonly calls: ReadonlyArray<KernelCall>;
  readonly turns: number;
}

/** The functions that the code of a kernel imports. */
const functionsOf = (kernel: Kernel): ReadonlyArray<string> =>
  (kernel._tag === 'Map' || kernel._tag === 'Fold') && kernel.mode === 'singles'
    ? functionsIn(kernel.element)
    : [];

/** Neighbouring kernels of one kind of task become one exported function. */
function written(parts: Parts): Pick<Compiled, 'code' | 'tasks'> {
  const { lowered, makers, threads, bytes, isFused } = parts;
  const isCrew = threads > 1;
  const math = [...new Set(lowered.kernels.flatMap(functionsOf))];
  const module = makeModule({ isShared: isCrew, isFused, math });
  const maximum = pagesOf(bytes);
  module.importMemory(...MEMORY, isCrew ? { minimum: 1, maximum, isShared: true } : { minimum: 1 });
  const tasks: Task[] = [];
  const runs: Array<readonly [string, FunctionRef<readonly [], 'none'>]> = [];
  let calls: Array<KernelCall | CallLoop> = [];
  const flush = (): void => {
    if (calls.length === 0) return;
    const name = `run${tasks.length}`;
    const body = calls;
    const run = module.procedure([], (f) => writeCalls(f, module, body));
    runs.push([name, run]);
    tasks.push({ _tag: 'Run', name });
    calls = [];
  };
  const callOf = (kernel: CodeKernel, i: number): KernelCall => {
    const { key, emit } = codeOf(kernel, makers[i]);
    const ref = module.once(key, () => emit(module));
    return { ref, args: argumentsOf(kernel, makers[i], parts, module), isShared: isShared(kernel) };
  };
  const { kernels } = lowered;
  for (let i = 0; i < kernels.length; ) {
    const loop = lowered.loops.find(({ from, to }) => from === i && to > from);
    if (loop !== undefined && !isBrokenLoop(lowered)) {
      const body = (kernels as ReadonlyArray<CodeKernel>).slice(loop.from, loop.to);
      calls.push({ turns: loop.turns, calls: body.map((kernel, n) => callOf(kernel, i + n)) });
      i = loop.to;
      continue;
    }
    const kernel = kernels[i] as Kernel;
    if (kernel._tag === 'Reference') {
      flush();
      tasks.push(kernel);
    } else calls.push(callOf(kernel, i));
    i++;
  }
  flush();
  if (isCrew) exportCrew(module, runs);
  else for (const [name, run] of runs) module.exportFunction(name, run);
  return { code: runs.length > 0 ? module.finish() : undefined, tasks };
}

/** Whether a kernel of a loop has no code: then the loop has none, and the interpreter runs it. */
export const isBrokenLoop = ({ kernels, loops }: Lowered): boolean =>
  loops.some(({ from, to }) => kernels.slice(from, to).some(({ _tag }) => _tag === 'Reference'));

/** Writes calls in their order: a crew shares the large ones outside of loops. */
function writeCalls(
  f: FunctionBuilder,
  module: ModuleBuilder,
  calls: ReadonlyArray<KernelCall | CallLoop>,
): void {
  const writeCall = ({ ref, args }: KernelCall, turn?: Value<'i32'>): void =>
    f.do(call(ref, ...args(turn)));
  const write = (one: KernelCall | CallLoop): void => {
    if ('ref' in one) writeCall(one);
    else f.for(0, one.turns, 1, (turn) => one.calls.map((it) => writeCall(it, turn)));
  };
  if (module.part === undefined) {
    calls.forEach(write);
    return;
  }
  const small: Array<KernelCall | CallLoop> = [];
  const flush = (): void => {
    const own = small.splice(0);
    if (own.length > 0) alone(f, module, () => own.forEach(write));
  };
  for (const one of calls) {
    if ('ref' in one && one.isShared) {
      flush();
      together(f, module, () => write(one));
    } else small.push(one);
  }
  flush();
}

/** Where windows lie. */
export interface Places {
  /** Of constants, as {@link placedConstants} finds them. */
  readonly addresses: ReadonlyMap<number | string, number>;
  readonly addressOf: (buffer: number) => number;
}

/** An address that a kernel's function takes. **Units** bytes. */
export interface Address {
  readonly first: number;
  /** The distance to the one of the next turn of a loop. */
  readonly perTurn: number;
}

/** The addresses that a kernel's function takes; of a product the scratch storage last. */
export function addressesOf(
  kernel: CodeKernel,
  maker: HandKernel | undefined,
  { addresses, addressOf }: Places,
): ReadonlyArray<Address> {
  const fixed = (first: number): Address => ({ first, perTurn: 0 });
  const at = ({ buffer, offset, dtype, perTurn = 0 }: Window): Address => {
    const { bytes } = dtypeInfo(dtype);
    return { first: addressOf(buffer) + offset * bytes, perTurn: perTurn * bytes };
  };
  if (kernel._tag !== 'Product') return [...readsOf(kernel), ...writesOf(kernel)].map(at);
  const [data, weight] = kernel.product.operands as readonly [Window, Window];
  const key = weightKey(weight, maker);
  // A weight that is made by the run is read where it is, contiguous or not.
  const packed = typeof key === 'string' ? addresses.get(key) : undefined;
  return [
    at(data),
    packed === undefined ? at(weight) : fixed(packed),
    ...kernel.product.operands.slice(2).map(at),
    ...windowsOf(kernel.element).map(at),
    at(kernel.out),
    kernel.scratch === undefined ? fixed(0) : at(kernel.scratch),
  ];
}

/** The arguments of a kernel's function in a turn of a loop: each thread has scratch of its own. */
function argumentsOf(
  kernel: CodeKernel,
  maker: HandKernel | undefined,
  { addresses, addressOf }: Parts,
  { part }: ModuleBuilder,
): KernelCall['args'] {
  const all = addressesOf(kernel, maker, { addresses, addressOf });
  return (turn) => {
    const values = all.map(({ first, perTurn }) =>
      turn === undefined || perTurn === 0
        ? i32.const(first)
        : i32.add(i32.mul(turn, perTurn), first),
    );
    if (kernel._tag !== 'Product' || !part || !maker) return values;
    const own = i32.mul(part.index.value, scratchOf(maker));
    return [...values.slice(0, -1), i32.add(values.at(-1) as Value<'i32'>, own)];
  };
}

/** A kernel of the plan that has code. */
export type CodeKernel = Exclude<Kernel, ReferenceKernel>;

/** The code of a kernel. */
export interface KernelCode {
  /** Kernels of equal text share a function. */
  readonly key: string;
  readonly emit: (module: ModuleBuilder) => Procedure;
}

/** The code of a kernel. */
export function codeOf(kernel: CodeKernel, maker: HandKernel | undefined): KernelCode {
  switch (kernel._tag) {
    case 'Map': {
      const { element, mode, out } = kernel;
      return {
        key: mapKey(element, out, mode),
        emit: (module) => mapFunction(module, element, out, mode),
      };
    }
    case 'Take':
      return { key: takeKey(kernel), emit: (module) => takeFunction(module, kernel) };
    case 'Scan':
      return { key: scanKey(kernel), emit: (module) => scanFunction(module, kernel) };
    case 'Scatter':
      return { key: scatterKey(kernel), emit: (module) => scatterFunction(module, kernel) };
    case 'Fold':
      return { key: foldKey(kernel), emit: (module) => foldFunction(module, kernel) };
    case 'Product':
      return present(maker);
  }
}
