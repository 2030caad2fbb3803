/** A program with open sizes at one tuple of sizes: its plan; memory and code are shared by all sizes. */
import { present } from '@baton/base';
import type { HostRoutine, Meter, Value } from '@baton/executor';
import type { IRModule } from '@baton/ir';
import {
  aligned,
  type Lowered,
  lower,
  type MemoryPlan,
  type Region,
  windowsIn,
} from '@baton/lower';
import type { OpValue } from '@baton/ops';
import type { Tensor, TensorData } from '@baton/tensor';
import {
  abilitiesOf,
  addressesOf,
  type CodeKernel,
  type ConstantPart,
  codeOf,
  constantsOf,
  isBrokenLoop,
  type Makers,
  type Places,
  planOf,
  productMaker,
  type Target,
} from '../compile.ts';
import { binding, boundValue, count, fill, referenceRun, resultValue } from '../runtime.ts';
import type { WebAssemblyHost } from '../web-assembly.ts';
import { type Library, makeLibrary, type ReadyKernel } from './library.ts';
import { makeSharedMemory, type SharedMemory } from './memory.ts';

/** What regions share that run one at a time: all sizes of a function, or many functions. */
export interface SharedProgram {
  /**
   * The plan for a region; `undefined` if it takes too much memory. Constants of the program, as `isKept`
   * tells, keep their places in the memory; others are written again for another region's run.
   */
  readonly at: (
    region: Region,
    isKept: (constant: TensorData) => boolean,
  ) => SizedProgram | undefined;
  readonly memory: SharedMemory;
  readonly library: Library;
}

/** A function at one tuple of sizes. */
export interface SizedProgram extends Pick<HostRoutine, 'call'> {
  readonly lowered: Lowered;
  /** What is kept for these sizes alone, and the room that a run takes in the arena. */
  readonly ownBytes: number;
  readonly arenaBytes: number;
}

/** A memory and a library of code. */
export function makeSharedProgram(
  m: IRModule,
  target: Target,
  host: WebAssemblyHost,
): SharedProgram {
  const memory = makeSharedMemory(host);
  const isFused = target.level === 'relaxed' && !target.isExact;
  const library = makeLibrary(host, memory.memory, isFused);
  const abilities = abilitiesOf(target, { mayCall: false });
  const arena: Arena = { memory, user: undefined };
  return {
    memory,
    library,
    at: (region, isKept) => {
      const lowered = lower(region, m.ops, abilities);
      if (isBrokenLoop(lowered)) return undefined;
      const makers: Makers = lowered.kernels.map((kernel) =>
        kernel._tag === 'Product' ? productMaker(kernel, lowered, target) : undefined,
      );
      const all = constantsOf(lowered, makers);
      const common = memory.addressesOf(all.filter(({ storage }) => isKept(storage)));
      if (common === undefined) return undefined;
      const coded = codedIn(lowered, makers);
      const ready = library.ready(coded.map(({ kernel, maker }) => codeOf(kernel, maker)));
      const own = all.filter(({ storage }) => !isKept(storage));
      const plan = sizedPlan(lowered, planOf(lowered), coded, ready, own, common);
      return memory.hasRoom(plan.bytes) ? sizedProgram(region, plan, arena) : undefined;
    },
  };
}

/** A kernel with code. */
interface Coded {
  readonly kernel: CodeKernel;
  readonly maker: Makers[number];
}

const codedIn = ({ kernels }: Lowered, makers: Makers): ReadonlyArray<Coded> =>
  kernels.flatMap((kernel, i) =>
    kernel._tag === 'Reference' ? [] : [{ kernel, maker: makers[i] }],
  );

/** The arena of a program for its sizes: what kernels are given, constants of these sizes, buffers. */
interface SizedPlan {
  readonly lowered: Lowered;
  readonly coded: ReadonlyArray<Coded & { readonly ready: ReadyKernel; readonly block: number }>;
  /** Constants of these sizes, with their places. */
  readonly own: ReadonlyArray<{ readonly part: ConstantPart; readonly offset: number }>;
  readonly common: ReadonlyMap<number | string, number>;
  readonly blockBytes: number;
  readonly buffers: MemoryPlan;
  readonly bufferStart: number;
  readonly bytes: number;
}

function sizedPlan(
  lowered: Lowered,
  buffers: MemoryPlan,
  coded: ReadonlyArray<Coded>,
  ready: ReadonlyArray<ReadyKernel>,
  constants: ReadonlyArray<ConstantPart>,
  common: ReadonlyMap<number | string, number>,
): SizedPlan {
  let end = 0;
  const take = (bytes: number): number => {
    const start = end;
    end += bytes;
    return start;
  };
  const placed = coded.map((one, i) => {
    const kernel = ready[i] as ReadyKernel;
    return { ...one, ready: kernel, block: take(4 * kernel.arity + kernel.constants.length) };
  });
  const blockBytes = end;
  end = aligned(end);
  const own = constants.map((part) => ({ part, offset: take(aligned(part.bytes)) }));
  const bufferStart = end;
  const bytes = end + buffers.bytes;
  return { lowered, coded: placed, own, common, blockBytes, buffers, bufferStart, bytes };
}

/** The arena, and the program that it is set up for. */
interface Arena {
  readonly memory: SharedMemory;
  user: SizedProgram | undefined;
}

/** A program on the buffer of a memory, from a byte on. */
interface Bound {
  readonly buffer: ArrayBuffer;
  readonly start: number;
  readonly params: ReadonlyArray<ReadonlyArray<Tensor>>;
  readonly steps: ReadonlyArray<(meter: Meter) => void>;
  readonly result: OpValue;
}

function sizedProgram(region: Region, plan: SizedPlan, arena: Arena): SizedProgram {
  const { memory } = arena;
  let bound: Bound | undefined;
  const program: SizedProgram = {
    lowered: plan.lowered,
    ownBytes: plan.bufferStart,
    arenaBytes: plan.bytes,
    call: (args, meter, depth) => {
      count(region.counted, meter, depth);
      memory.reserve(plan.bytes);
      const start = memory.start();
      const { buffer } = memory.memory;
      const isBound = bound !== undefined && bound.buffer === buffer && bound.start === start;
      if (!isBound) bound = boundAt(plan, buffer, start);
      if (!isBound || arena.user !== program) {
        setUp(plan, buffer, start);
        arena.user = program;
      }
      const { params, steps, result } = present(bound);
      for (const [i, windows] of params.entries()) fill(windows, args[i] as Value);
      for (const step of steps) step(meter);
      return resultValue(result);
    },
  };
  return program;
}

/** A kernel, and how it is set up for a turn of the loop around it. */
interface BoundStep {
  readonly run: (meter: Meter) => void;
  readonly turn: (at: number) => void;
}

/** The steps of a run, each loop as one. */
function withLoops(all: ReadonlyArray<BoundStep>, { loops }: Lowered): Bound['steps'] {
  const steps: Array<Bound['steps'][number]> = [];
  let at = 0;
  for (const { from, to, turns } of loops) {
    steps.push(...all.slice(at, from).map(({ run }) => run));
    const body = all.slice(from, to);
    steps.push((meter) => {
      for (let turn = 0; turn < turns; turn++) {
        for (const step of body) {
          step.turn(turn);
          step.run(meter);
        }
      }
    });
    at = to;
  }
  return [...steps, ...all.slice(at).map(({ run }) => run)];
}

/** The places of buffers and constants in an arena that begins at a byte. */
function placesAt({ own, common, buffers, bufferStart }: SizedPlan, start: number): Places {
  const addresses = new Map(common);
  for (const { part, offset } of own) addresses.set(part.key, start + offset);
  const addressOf = (at: number): number =>
    addresses.get(at) ?? start + bufferStart + (buffers.offsets[at] as number);
  return { addresses, addressOf };
}

/** Writes what kernels are given, and the constants of the sizes. */
function setUp(plan: SizedPlan, buffer: ArrayBuffer, start: number): void {
  const places = placesAt(plan, start);
  const view = new DataView(buffer, start, plan.blockBytes);
  for (const { part, offset } of plan.own) part.at(start + offset).write(buffer);
  for (const { kernel, maker, ready, block } of plan.coded) {
    const given = addressesOf(kernel, maker, places);
    for (const [i, { first }] of given.entries()) view.setInt32(block + 4 * i, first, true);
    new Uint8Array(buffer, start + block + 4 * given.length).set(ready.constants);
  }
}

function boundAt(plan: SizedPlan, buffer: ArrayBuffer, start: number): Bound {
  const { lowered, coded } = plan;
  const bind = binding({ lowered, addressOf: placesAt(plan, start).addressOf }, buffer);
  let next = 0;
  const places = placesAt(plan, start);
  const words = new Int32Array(buffer);
  const all = lowered.kernels.map((kernel): BoundStep => {
    if (kernel._tag === 'Reference') {
      const run = referenceRun(kernel, bind);
      return { run: (meter) => void run(meter, undefined), turn: () => {} };
    }
    const { ready, block, maker, kernel: code } = present(coded[next++]);
    const moving = addressesOf(code, maker, places).flatMap(({ first, perTurn }, i) =>
      perTurn === 0 ? [] : [{ word: (start + block) / 4 + i, first, perTurn }],
    );
    const turn = (at: number): void => {
      for (const { word, first, perTurn } of moving) words[word] = first + at * perTurn;
    };
    return { run: () => ready.run(start + block), turn };
  });
  const steps = withLoops(all, lowered);
  const params = lowered.params.map((value) => windowsIn(value).map(bind));
  return { buffer, start, params, steps, result: boundValue(lowered.result, bind) };
}
