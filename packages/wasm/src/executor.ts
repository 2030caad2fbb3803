/** The executor `wasm`. */

import { type Diagnostic, remember, type Span } from '@baton/base';
import {
  type Executor,
  type Host,
  type HostRoutine,
  interpreterWith,
  MAX_BYTES,
  type Meter,
  type RunLimits,
  type Segment,
  type Value,
} from '@baton/executor';
import type { Func, IRModule } from '@baton/ir';
import {
  isDataflow,
  isOpenDataflow,
  type Kernel,
  type Region,
  readsOf,
  regionOf,
  stretchRegionOf,
  writesOf,
} from '@baton/lower';
import { dtypeInfo, shapeSize } from '@baton/tensor';
import {
  type CodeChecks,
  type Compiled,
  compileRegion,
  isBrokenLoop,
  MOST_MEMORY,
  type Target,
} from './compile.ts';
import * as diagnostics from './diagnostics.ts';
import { interpretedWarnings, isWholeRegion } from './interpreted.ts';
import { type SimdLevel, simdLevel } from './level.ts';
import { instantiate } from './runtime.ts';
import type { SpecializationBounds } from './sizes/cache.ts';
import {
  type SizedFunctionOptions,
  type SpecializationFacts,
  sizedRoutine,
} from './sizes/function.ts';
import { makeSharedProgram, type SharedProgram } from './sizes/program.ts';
import { type Crew, makeCrew, type Threads } from './thread.ts';
import { hostWebAssembly, type WebAssemblyHost } from './web-assembly.ts';

/** Options of {@link makeWasm}. */
export interface WasmOptions {
  /**
   * The vector instructions that code may use; `none` runs reference kernels alone.
   * @defaultValue the highest level that the host accepts
   */
  readonly level?: SimdLevel | 'none';
  /**
   * The elements of all its tensors from which on a function, or a stretch of one, is compiled: a call of
   * compiled code costs more than a few calls on small tensors, or many on scalars, in the interpreter.
   * @defaultValue {@link LEAST_ELEMENTS}
   */
  readonly leastElements?: number;
  /**
   * Whether every bit is as the reference kernels have it: no sum is taken in another order, and no
   * function approximated.
   * @defaultValue false
   */
  readonly isExact?: boolean;
  /**
   * Whether Winograd's transforms may compute convolutions of 3 × 3: about 2.5 times as fast, with an
   * error of about 1e-6 of the largest result instead of 1e-7. Weights grow 1.8 to 4 times.
   * `true` takes them wherever they are faster, `false` nowhere.
   * @defaultValue where the attribute `algorithm` of a convolution says so: level 3 sets it
   */
  readonly transforms?: boolean | undefined;
  /**
   * Which elementwise calls are computed in one pass: `all` that a kernel can take in, or those of one
   * `Primitive` function alone, as `FuseOps` groups them. A comparison of programs asks for `groups`.
   * @defaultValue `all`
   */
  readonly fusion?: 'all' | 'groups';
  /**
   * Threads that share the work of large kernels, the caller's among them, and how the host starts
   * another one. The results are the same for any number. All programs of the executor have the same
   * threads, which serve those whose `main` is compiled as a whole. They end with the last program, or
   * when the executor is disposed of. A run takes the threads that are there, and is done again on the
   * caller's if one of them does not come back; `warnings` of the program say so: `WASM_FEW_THREADS`,
   * `WASM_LOST_THREAD`. Needs `SharedArrayBuffer`, which pages have if they are isolated.
   * @defaultValue one thread
   */
  readonly threads?: Threads;
  /**
   * Adds checks to the code: `checked` of `@baton/wasm/checked`, for tests of compiled code. Each load
   * and store must lie in a buffer of its kernel and move elements of its type, or an `InvariantError` is
   * thrown; memory that was not written holds NaN and −1. About ten times slower, and one thread.
   * @defaultValue no checks
   */
  readonly checks?: CodeChecks;
  /**
   * How much is kept of programs whose types leave sizes open, for each function: for how many tuples of
   * sizes, and the bytes of what is theirs alone. Those that were used last stay.
   * @defaultValue {@link SPECIALIZATIONS}
   */
  readonly specializations?: Partial<SpecializationBounds>;
  /** Told of each tuple of sizes for which code is made. */
  readonly onSpecialize?: (facts: SpecializationFacts) => void;
  /** Told of each stretch of a function that will be compiled, as the function is entered. */
  readonly onStretch?: (segment: Segment) => void;
}

/** The default of {@link WasmOptions.specializations}. */
export const SPECIALIZATIONS: SpecializationBounds = { entries: 64, bytes: 2 ** 26 };

/** The default of {@link WasmOptions.leastElements}. */
export const LEAST_ELEMENTS = 64;

/**
 * The functions and stretches of a program that have a memory of their own: a host reserves gigabytes of
 * addresses for each memory, and Node 20 has room for about 13,000 in all programs.
 */
const MOST_MEMORIES = 64;

/**
 * An executor that compiles functions of plain dataflow on tensors, `Primitive` functions among them, to
 * WebAssembly, each at its first call, and `main` when it prepares a module; where types leave sizes open,
 * at the first call with these sizes.
 * The interpreter runs all others, and calls what is compiled of them: stretches of plain dataflow.
 * Where the host has no WebAssembly with vectors of 128 bits, reference kernels run in their place, and
 * the `warnings` of what is prepared say so: `WASM_NO_VECTORS`, or `WASM_NO_COMPILER` where a page may
 * compile no code at all. They also name every part of a program that the interpreter runs,
 * `WASM_INTERPRETED`, and calls that are compiled as yet and run reference kernels, `WASM_REFERENCE_KERNEL`.
 */
export function makeWasm(options: WasmOptions = {}): Executor {
  const levelOn = (host: WebAssemblyHost | undefined): SimdLevel | undefined =>
    options.level === 'none' ? undefined : (options.level ?? simdLevel(host));
  let crew: Crew | undefined;
  const crewOn = (host: WebAssemblyHost | undefined): Crew | undefined => {
    if (isShareable() && host && options.threads) crew ??= makeCrew(options.threads, host);
    return crew;
  };
  const hostOf = (m: IRModule, limits: RunLimits): Host => {
    const host = hostWebAssembly();
    const level = levelOn(host);
    const used = level === 'scalar' ? undefined : level;
    return makeHost(m, limits, {
      ...{ options, host, level: used },
      crew: options.checks ? undefined : crewOn(host),
    });
  };
  const warningsOf = (): ReadonlyArray<Diagnostic> => [
    ...(options.level === undefined ? hostWarnings(levelOn(hostWebAssembly())) : []),
    ...(crew?.warnings() ?? []),
  ];
  const executor = interpreterWith('wasm', hostOf, warningsOf, () => crew?.dispose());
  return { ...executor, isCompiled: true };
}

/** What an executor has for its programs. */
interface Equipment {
  readonly options: WasmOptions;
  readonly host: WebAssemblyHost | undefined;
  /** The vector instructions of its code. */
  readonly level: SimdLevel | undefined;
  readonly crew: Crew | undefined;
}

/** The host of a module, which compiles its `main` at once. */
function makeHost(m: IRModule, limits: RunLimits, { options, host, level, crew }: Equipment): Host {
  const { leastElements = LEAST_ELEMENTS, isExact = false, checks } = options;
  const { maxBytes = limits.bytes ?? MAX_BYTES } = limits;
  const target = { ...options, level, isExact, threads: 1 };
  const exactly = { isExact: isExact || level === undefined };
  const main = m.functions.get('main');
  const made = new Map<Func, { readonly routine: HostRoutine | undefined }>();
  // The interpreter refuses a result that is too large when it comes to it.
  const isWorth = (region: Region | undefined): region is Region =>
    region !== undefined &&
    elementsOf(region) >= leastElements &&
    region.counted.every(({ call, repeated }) =>
      [call, ...(repeated?.calls ?? [])].every((it) => it === undefined || it.bytes <= maxBytes),
    );
  const references = referenceKernels(leastElements);
  const count = (kernels: ReadonlyArray<Kernel>): void => {
    if (level !== undefined && !isExact) references.add(kernels);
  };
  const compiledOf = (region: Region, own: Target): Compiled => {
    const compiled = compileRegion(region, m, own);
    count(compiled.lowered.kernels);
    return compiled;
  };
  const makeShared = (): SharedProgram | undefined =>
    host && level && !checks ? makeSharedProgram(m, target, host) : undefined;
  const inCommon = commonMemory(makeShared);
  const sharing = (region: Region): HostRoutine | undefined => {
    const program = inCommon()?.at(region, () => true);
    if (program) count(program.lowered.kernels);
    return program;
  };
  const { onSpecialize, specializations } = options;
  const bounds = { ...SPECIALIZATIONS, ...specializations };
  const open = openFunctions({
    ...{ m, target, host, checks, bounds, isWorth, count, onSpecialize },
    makeShared: () => inCommon() ?? makeShared(),
  });
  const routineOf = (func: Func): HostRoutine | undefined =>
    remember(made, func, () => {
      const region = regionOf(func, m, exactly);
      if (region === undefined && isOpenDataflow(func, m)) return { routine: open.routineOf(func) };
      if (!isWorth(region)) return { routine: undefined };
      const shared = sharing(region);
      if (shared) return { routine: shared };
      const own = func === main ? crew : undefined;
      const threads = (own && options.threads?.count) ?? 1;
      const compiled = compiledOf(region, { ...target, threads });
      const mayRun = !isBrokenLoop(compiled.lowered) && compiled.bytes <= MOST_MEMORY;
      return { routine: mayRun ? instantiate(compiled, host, own, checks) : undefined };
    }).routine;
  const segmentRoutine = (segment: Segment): HostRoutine | undefined => {
    const region = stretchRegionOf(segment, m, exactly);
    if (!isWorth(region) || region.steps.length === 0) return undefined;
    if (sum(region) > MOST_MEMORY) return undefined;
    options.onStretch?.(segment);
    return later(
      () => sharing(region) ?? instantiate(compiledOf(region, target), host, undefined, checks),
    );
  };
  const whole = main && routineOf(main);
  return {
    warnings: () => [
      ...(whole && main && !open.isRefused(main) ? [] : partsOf(m, leastElements, open.isRefused)),
      ...references.warnings(),
    ],
    dispose: () => {
      for (const { routine } of made.values()) routine?.dispose?.();
    },
    functionRoutine: routineOf,
    takes: (node) => isDataflow(node, m),
    segmentRoutine,
  };
}

/** For each function or stretch what it shares with others, once enough of them have a memory of their own. */
function commonMemory(
  makeShared: () => SharedProgram | undefined,
): () => SharedProgram | undefined {
  let own = 0;
  let common: SharedProgram | undefined;
  return () => {
    if (own < MOST_MEMORIES) {
      own++;
      return undefined;
    }
    common ??= makeShared();
    return common;
  };
}

/** The parts that the interpreter runs. */
function partsOf(
  m: IRModule,
  leastElements: number,
  isRefused: (func: Func) => boolean,
): ReadonlyArray<Diagnostic> {
  const isRegion = isWholeRegion(m);
  const isWhole = (func: Func): boolean =>
    isRegion(func) || (isOpenDataflow(func, m) && !isRefused(func));
  return interpretedWarnings(m, { isWhole, leastElements });
}

/** The functions of a module that leave sizes open. */
function openFunctions({
  count,
  ...options
}: Omit<SizedFunctionOptions, 'onLowered' | 'onRefused'> & {
  readonly count: (kernels: ReadonlyArray<Kernel>) => void;
}) {
  const [made, refused] = [new Set<Func>(), new Set<Func>()];
  const routineOf = (func: Func): HostRoutine =>
    sizedRoutine(func, {
      ...options,
      onLowered: (lowered) => {
        // The kernels of other sizes are of the same calls.
        if (!made.has(func)) count(lowered.kernels);
        made.add(func);
      },
      onRefused: () => refused.add(func),
    });
  /** Whether it was no plain dataflow at any sizes up to now. */
  const isRefused = (func: Func): boolean => refused.has(func) && !made.has(func);
  return { routineOf, isRefused };
}

/** The operators that run reference kernels on tensors of at least `leastElements` elements. */
function referenceKernels(leastElements: number) {
  const found = new Map<string, { calls: number; readonly span: Span | undefined }>();
  const add = (kernels: ReadonlyArray<Kernel>): void => {
    for (const task of kernels) {
      if (task._tag !== 'Reference') continue;
      const { name, span } = task.call;
      if ([...readsOf(task), ...writesOf(task)].every((t) => shapeSize(t.shape) < leastElements)) {
        continue;
      }
      remember(found, name, () => ({ calls: 0, span })).calls++;
    }
  };
  const warnings = (): ReadonlyArray<Diagnostic> =>
    [...found].map(([name, { calls, span }]) => diagnostics.referenceKernel(name, calls, span));
  return { add, warnings };
}

/** What the host lacks for code with vectors. */
function hostWarnings(level: SimdLevel | undefined): ReadonlyArray<Diagnostic> {
  if (level === undefined) return [diagnostics.noWebAssembly()];
  return level === 'scalar' ? [diagnostics.noVectors()] : [];
}

/** A routine that is made at its first call: a branch that never runs costs nothing. */
function later(make: () => HostRoutine): HostRoutine {
  let made: HostRoutine | undefined;
  return {
    call: (args: ReadonlyArray<Value>, meter: Meter, depth: number): Value => {
      made ??= make();
      return made.call(args, meter, depth);
    },
  };
}

/** The compiled executor. */
export const wasm: Executor = makeWasm();

/** Whether the host has memory that threads share. */
const isShareable = (): boolean => 'SharedArrayBuffer' in globalThis;

/** The elements of all tensors of a region. */
const elementsOf = ({ tensors }: Region): number =>
  tensors.reduce((all, { shape }) => all + shapeSize(shape), 0);

/** The bytes of all tensors of a region: no plan takes more. */
const sum = ({ tensors }: Region): number =>
  tensors.reduce((all, { shape, dtype }) => all + shapeSize(shape) * dtypeInfo(dtype).bytes, 0);
