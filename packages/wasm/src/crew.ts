/**
 * A crew: threads that run the kernels of one module together on one memory, in lockstep. Each kernel
 * is shared, or done by the first thread alone; after it all meet. The first thread is the caller's,
 * the others sleep between runs. A run takes the threads that are there: those that are still being
 * started, or could not be, are not missed, since the shares change no result.
 */
import {
  atomic,
  call,
  drop,
  type FunctionBuilder,
  type FunctionRef,
  i32,
  type Local,
  type ModuleBuilder,
  type Part,
} from './emit/index.ts';

/** The name of the memory that a module imports. */
export const MEMORY = ['env', 'memory'] as const;

/** The first bytes of a shared memory: each number that threads write has a cache line of its own. */
export const CREW_BYTES = 256;

/** Addresses: threads that have arrived at a meeting, its number, the job, and threads that are there. */
const [ARRIVED, MEETING, JOB, PRESENT] = [0, 64, 128, 192];

/**
 * A job is a number: its turn, the number of the run, and of the threads that take part. No threads end
 * the crew.
 */
const RUN_SHIFT = 4;
const TURN_SHIFT = 16;

/** The end of a crew: no threads, of a run that is not the first, so that it is no job 0. */
const END = 1 << RUN_SHIFT;

/** The most threads of a crew, and the most runs of a module. */
export const MOST_THREADS = 2 ** RUN_SHIFT - 1;
export const MOST_RUNS = 2 ** (TURN_SHIFT - RUN_SHIFT);

/** How often a thread looks before it sleeps: some 50 µs. */
const LOOKS = 20_000;

/** The name of the function in which a thread serves, and of those that start a run. */
export const SERVE = 'serve';

/** The part of a module that is made for a crew. */
function partOf({ part }: ModuleBuilder): Part {
  if (part === undefined) throw new Error('a crew needs a module with parts');
  return part;
}

/** The function in which a thread waits until all have arrived. */
export const meeting = (module: ModuleBuilder): FunctionRef<readonly [], 'none'> =>
  module.once('meeting', () =>
    module.procedure([], (f) => {
      const { index, count } = partOf(module);
      f.if(i32.eq(count.value, 1), () => f.return());
      const number = f.let(atomic.load(MEETING));
      f.if(
        i32.eq(i32.add(atomic.add(ARRIVED, 1), 1), count.value),
        () => {
          f.do(atomic.store(ARRIVED, 0));
          f.do(drop(atomic.add(MEETING, 1)));
          f.do(drop(atomic.notify(MEETING)));
        },
        () => untilOther(f, MEETING, number, i32.ne(index.value, 0)),
      );
    }),
  );

/** Looks until a place holds another number; a thread that may sleep does so after a while. */
function untilOther(
  f: FunctionBuilder,
  address: number,
  known: Local<'i32'>,
  maySleep: ReturnType<typeof i32.ne>,
): void {
  const looks = f.let(i32.const(LOOKS));
  f.block((end) =>
    f.loop((again) => {
      f.branchIf(end, i32.ne(atomic.load(address), known));
      f.increase(looks, -1);
      f.branchIf(again, i32.gtS(looks, 0));
      f.if(maySleep, () => f.do(drop(atomic.wait(address, known))));
      f.branch(again);
    }),
  );
}

/** Ends the other threads of a crew that runs nothing: each leaves the function in which it serves. */
export function endCrew(memory: ArrayBuffer): void {
  const numbers = new Int32Array(memory, 0, CREW_BYTES / 4);
  const turn = (Atomics.load(numbers, JOB / 4) >> TURN_SHIFT) + 1;
  Atomics.store(numbers, JOB / 4, (turn << TURN_SHIFT) | END);
  Atomics.notify(numbers, JOB / 4);
}

/**
 * Exports the functions that start runs, under their names, and the one in which other threads serve
 * until the crew ends.
 */
export function exportCrew(
  module: ModuleBuilder,
  runs: ReadonlyArray<readonly [name: string, run: FunctionRef<readonly [], 'none'>]>,
): void {
  const { index, count } = partOf(module);
  const turn = module.global('i32');
  runs.forEach(([name, run], i) => {
    const start = module.procedure([], (f) => {
      f.do(count.set(i32.add(atomic.load(PRESENT), 1)));
      f.if(i32.gtS(count.value, 1), () => {
        f.do(turn.set(i32.add(turn.value, 1)));
        const job = i32.or(i32.shl(turn.value, TURN_SHIFT), i32.or(count.value, i << RUN_SHIFT));
        f.do(atomic.store(JOB, job));
        f.do(drop(atomic.notify(JOB)));
      });
      f.do(call(run));
    });
    module.exportFunction(name, start);
  });
  const serve = module.procedure([], (f) => {
    const job = f.let(atomic.load(JOB));
    // The crew may have ended before this thread was there.
    f.if(i32.and(i32.ne(job, 0), i32.eqz(i32.and(job, MOST_THREADS))), () => f.return());
    f.do(index.set(i32.add(atomic.add(PRESENT, 1), 1)));
    f.loop((again) => {
      untilOther(f, JOB, job, i32.const(1));
      f.set(job, atomic.load(JOB));
      f.do(count.set(i32.and(job, MOST_THREADS)));
      f.if(i32.eqz(count.value), () => f.return());
      f.branchIf(again, i32.geS(index.value, count.value));
      const number = f.let(i32.and(i32.shrU(job, RUN_SHIFT), MOST_RUNS - 1));
      runs.forEach(([, run], i) => {
        f.if(i32.eq(number, i), () => f.do(call(run)));
      });
      f.branch(again);
    });
  });
  module.exportFunction(SERVE, serve);
}

/** Writes work that the first thread does alone; all meet after it. */
export function alone(f: FunctionBuilder, module: ModuleBuilder, work: () => void): void {
  const { index, count } = partOf(module);
  f.if(i32.eqz(index.value), () => {
    const all = f.let(count.value);
    f.do(count.set(1));
    work();
    f.do(count.set(all));
  });
  f.do(call(meeting(module)));
}

/** Writes work that all threads share; all meet after it. */
export function together(f: FunctionBuilder, module: ModuleBuilder, work: () => void): void {
  work();
  f.do(call(meeting(module)));
}
