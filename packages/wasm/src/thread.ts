/**
 * Threads of compiled programs. The threads of an executor are one crew: each of them serves all of its
 * programs. A crew is started again where it has to learn a program, or to forget one.
 */
import { type Diagnostic, reasonOf } from '@baton/base';
import { breakRun, isBroken, MEMORY, MOST_THREADS } from './crew.ts';
import * as diagnostics from './diagnostics.ts';
import { MATH } from './emit/index.ts';
import {
  hostWebAssembly,
  type WasmImports,
  type WasmInstance,
  type WasmMemory,
  type WasmModule,
  type WebAssemblyHost,
} from './web-assembly.ts';

/** A program on a memory, which its threads share. */
export interface ThreadProgram {
  readonly module: WasmModule;
  readonly memory: WasmMemory;
  /** The exported functions that run it. */
  readonly runs: ReadonlyArray<string>;
}

/** The work of a thread, which can be posted to a worker. */
export interface ThreadWork {
  /** The crew's own, through which threads learn what to run. */
  readonly memory: WasmMemory;
  readonly programs: ReadonlyArray<ThreadProgram>;
}

/**
 * Starts a thread that calls {@link serveThread} with this work. It need not be there when this
 * function returns, and must not keep the process alive.
 */
export type StartThread = (work: ThreadWork) => void;

/** Threads that share the work of large kernels. */
export interface Threads {
  /** The caller's thread and those that are started. */
  readonly count: number;
  readonly start: StartThread;
}

/** Places in a crew's memory, in words: the job, and the threads that are there. */
const [JOB, PRESENT] = [32, 48];

/**
 * A job is a number: its turn, which function of which program, and the number of threads. The end of a
 * crew is no job.
 */
const JOB_SHIFT = 4;
const TURN_SHIFT = 18;
const MOST_JOBS = 2 ** (TURN_SHIFT - JOB_SHIFT) - 1;
const END = -1;

/** How often a thread looks for a job before it sleeps: about 50 µs. */
const LOOKS = 5000;

/**
 * Takes part in the runs of programs. A worker calls it. It returns when the programs are disposed of or
 * no longer used, and when a run is broken; other threads come in its place then.
 */
export function serveThread({ memory, programs }: ThreadWork): void {
  const host = hostWebAssembly();
  if (host === undefined) return;
  const runs = programs.flatMap((program) => {
    const { exports } = instanceOf(program.module, program.memory, host);
    return program.runs.map((name) => exports[name]);
  });
  const words = new Int32Array(memory.buffer);
  let job = Atomics.load(words, JOB);
  const index = Atomics.add(words, PRESENT, 1) + 1;
  while (job !== END) {
    const count = job & MOST_THREADS;
    try {
      if (index < count) runs[(job >> JOB_SHIFT) & MOST_JOBS]?.(index, count);
    } catch {
      // The run is broken, or the caller's thread meets the same error.
      return;
    }
    job = jobAfter(words, job);
  }
}

function jobAfter(words: Int32Array, known: number): number {
  for (let i = 0; Atomics.load(words, JOB) === known; i++) {
    if (i >= LOOKS) Atomics.wait(words, JOB, known);
  }
  return Atomics.load(words, JOB);
}

/** After this number of broken runs an executor starts no more threads; after the second number of good ones, one. */
const MOST_LOSSES = 3;
const RUNS_OF_LOSS = 100;

/** The threads of an executor, as far as they are there. */
export interface Crew {
  /** Threads serve the program from now on, if there is one. */
  readonly add: (program: ThreadProgram | undefined) => void;
  /** Threads forget the program; without any program they end. */
  readonly remove: (program: ThreadProgram | undefined) => void;
  /**
   * Calls an exported function of the program with all threads that are there. `false` if one of them
   * did not finish its share: the program's memory is theirs from then on.
   */
  readonly run: (program: ThreadProgram, exports: WasmInstance['exports'], run: string) => boolean;
  /** What threads have been missing. */
  readonly warnings: () => ReadonlyArray<Diagnostic>;
  /** Ends the threads. Programs run on the caller's from then on. */
  readonly dispose: () => void;
}

/** Threads that know the same programs. */
interface Generation {
  readonly words: Int32Array;
  /** The number of each program's first function. */
  readonly jobs: ReadonlyMap<ThreadProgram, number>;
}

/** A crew without programs, which has no threads yet. */
export function makeCrew({ count, start }: Threads, host: WebAssemblyHost): Crew {
  const most = Math.min(count, MOST_THREADS);
  const programs = new Set<ThreadProgram>();
  const state: CrewState = {};
  let isStale = false;
  let turn = 0;
  let isOpen = true;
  let losses = 0;
  let took = most;
  let failed: string | undefined;
  const hasGivenUp = (): boolean => losses >= MOST_LOSSES + turn / RUNS_OF_LOSS;

  const begin = (): void => {
    isStale = false;
    endOf(state);
    if (!isOpen || programs.size === 0 || hasGivenUp()) return;
    const memory = new host.Memory({ initial: 1, maximum: 1, shared: true });
    const jobs = new Map<ThreadProgram, number>();
    let next = 0;
    for (const program of programs) {
      jobs.set(program, next);
      next += program.runs.length;
    }
    state.generation = { words: new Int32Array(memory.buffer), jobs };
    try {
      for (let i = 1; i < most; i++) start({ memory, programs: [...programs] });
    } catch (error) {
      failed = reasonOf(error);
    }
  };
  /** Several changes in one turn of the host's loop start threads once. */
  const change = (): void => {
    if (state.generation === undefined || programs.size === 0) begin();
    else if (!isStale) {
      isStale = true;
      void Promise.resolve().then(() => isStale && begin());
    }
  };
  const crew: Crew = {
    add: (program) => {
      if (program && programs.add(program)) change();
    },
    remove: (program) => {
      if (program && programs.delete(program)) change();
    },
    run: (program, exports, run) => {
      const { generation } = state;
      const job = (generation?.jobs.get(program) ?? MOST_JOBS) + program.runs.indexOf(run);
      took = 1;
      if (generation && job < MOST_JOBS) {
        took += Atomics.load(generation.words, PRESENT);
        if (took > 1) tell(generation.words, (++turn << TURN_SHIFT) | (job << JOB_SHIFT) | took);
      }
      try {
        exports[run]?.(0, took);
        return true;
      } catch (error) {
        const isLate = isBroken(program.memory.buffer);
        breakRun(program.memory.buffer);
        endOf(state);
        if (!isLate) throw error;
        losses++;
        return false;
      }
    },
    warnings: () => [
      ...(losses > 0 ? [diagnostics.lostThread(losses)] : []),
      ...(took < most ? [diagnostics.fewThreads(took, most, failed)] : []),
    ],
    dispose: () => {
      isOpen = false;
      endOf(state);
    },
  };
  crews.register(crew, state);
  return crew;
}

interface CrewState {
  generation?: Generation | undefined;
}

function endOf(state: CrewState): void {
  const words = state.generation?.words;
  if (words !== undefined) tell(words, END);
  state.generation = undefined;
}

function tell(words: Int32Array, job: number): void {
  Atomics.store(words, JOB, job);
  Atomics.notify(words, JOB);
}

/** Ends the threads of crews that are garbage. Their hosts' functions may hold what uses them. */
const crews = new FinalizationRegistry(endOf);

/** A program, as what uses it is placed now. */
interface User {
  readonly crew: WeakRef<Crew>;
  readonly place: { readonly now: { readonly program: ThreadProgram | undefined } };
}

const users = new FinalizationRegistry<User>(({ crew, place: { now } }) =>
  crew.deref()?.remove(now.program),
);

/** Threads forget the program of a user that is garbage. */
export const forgetWith = (user: object, crew: Crew, place: User['place']): void =>
  users.register(user, { crew: new WeakRef(crew), place });

/** A module on a memory. */
export function instanceOf(
  module: WasmModule,
  memory: WasmMemory,
  host: WebAssemblyHost,
  others: WasmImports = {},
): WasmInstance {
  const [from, name] = MEMORY;
  const functions = Math as unknown as WasmImports[string];
  return new host.Instance(module, { [from]: { [name]: memory }, [MATH]: functions, ...others });
}
