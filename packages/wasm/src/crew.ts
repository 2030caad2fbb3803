/**
 * A crew: threads that run the kernels of one module together on one memory, in lockstep. Each kernel
 * is shared, or done by the first thread alone; after it all meet. The first thread is the caller's. It
 * waits at a meeting for a bounded time: a thread that does not come may be dead. The run is broken
 * then, and each thread leaves it at the next meeting that it comes to.
 */
import { present } from '@baton/base';
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
  select,
  unreachable,
} from './emit/index.ts';

/** The name of the memory that a module imports. */
export const MEMORY = ['env', 'memory'] as const;

/** The first bytes of a shared memory: each number that threads write has a cache line of its own. */
export const CREW_BYTES = 256;

/** The most threads of a crew. */
export const MOST_THREADS = 15;

/** Addresses: threads that have arrived at a meeting, its number, and whether the run is broken. */
const [ARRIVED, MEETING, BROKEN] = [0, 64, 128];

/** How often a thread looks before it sleeps: about 50 µs. */
const LOOKS = 20_000;

/** How often the caller's thread looks before it breaks the run: about 0.3 s. */
const PATIENCE = 2 ** 28;

/** The part of a module that is made for a crew. */
const partOf = ({ part }: ModuleBuilder): Part => present(part);

/** The function in which a thread waits until all have arrived. It traps if the run is broken. */
export const meeting = (module: ModuleBuilder): FunctionRef<readonly [], 'none'> =>
  module.once('meeting', () =>
    module.procedure([], (f) => {
      const { index, count } = partOf(module);
      f.if(i32.eq(count.value, 1), () => f.return());
      const number = f.let(atomic.load(MEETING));
      const leaveIfBroken = (): void => f.if(atomic.load(BROKEN), () => f.do(unreachable()));
      leaveIfBroken();
      f.if(
        i32.eq(i32.add(atomic.add(ARRIVED, 1), 1), count.value),
        () => {
          f.do(atomic.store(ARRIVED, 0));
          f.do(drop(atomic.add(MEETING, 1)));
          f.do(drop(atomic.notify(MEETING)));
        },
        () => untilNext(f, number, index.value),
      );
      leaveIfBroken();
    }),
  );

/** Looks until a meeting is over. After a while the first thread breaks the run, and others sleep. */
function untilNext(f: FunctionBuilder, number: Local<'i32'>, index: Part['index']['value']): void {
  const looks = f.let(select(i32.const(LOOKS), i32.const(PATIENCE), index));
  f.block((end) =>
    f.loop((again) => {
      f.branchIf(end, i32.ne(atomic.load(MEETING), number));
      f.increase(looks, -1);
      f.branchIf(again, i32.gtS(looks, 0));
      f.if(i32.eqz(index), () => {
        f.do(atomic.store(BROKEN, 1));
        f.do(unreachable());
      });
      f.do(drop(atomic.wait(MEETING, number)));
      f.branch(again);
    }),
  );
}

/** Whether the caller's thread waited in vain for another one. */
export const isBroken = (memory: ArrayBuffer): boolean =>
  Atomics.load(new Int32Array(memory), BROKEN / 4) !== 0;

/** Ends a run on a memory: its threads leave it. */
export function breakRun(memory: ArrayBuffer): void {
  const words = new Int32Array(memory);
  Atomics.store(words, BROKEN / 4, 1);
  Atomics.add(words, MEETING / 4, 1);
  Atomics.notify(words, MEETING / 4);
}

/** Exports functions under their names. They take the thread's number and the number of threads. */
export function exportCrew(
  module: ModuleBuilder,
  runs: ReadonlyArray<readonly [name: string, run: FunctionRef<readonly [], 'none'>]>,
): void {
  const { index, count } = partOf(module);
  for (const [name, run] of runs) {
    const taken = module.procedure(['i32', 'i32'], (f, first, second) => {
      f.do(index.set(first));
      f.do(count.set(second));
      f.do(call(run));
    });
    module.exportFunction(name, taken);
  }
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
