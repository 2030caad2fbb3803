/** The time of each kernel of compiled code, in its place in a run. */

import type { Span } from '@baton/base';
import { type Kernel, runOrder } from '@baton/lower';
import type { CodeChecks } from '../compile.ts';
import { CHECKS, instrumented, type Watch } from './instrument.ts';

/** A kernel of compiled code, and its time in all runs. **Units** milliseconds. */
export interface KernelTime {
  /** The operator of a product or of a reference kernel; else `map`, `fold` or `take`. */
  readonly name: string;
  /** Where the product or the reference kernel comes from. */
  readonly span: Span | undefined;
  readonly shape: ReadonlyArray<number>;
  readonly ms: number;
  readonly runs: number;
}

/** Gives code clocks, and reads them. */
export interface KernelTimes {
  /** For `makeWasm({ checks })`. */
  readonly checks: CodeChecks;
  /** The kernels of all programs that were prepared with these checks, in the order of their runs. */
  readonly kernels: () => ReadonlyArray<KernelTime>;
}

/**
 * Clocks around kernels, for `makeWasm({ checks: timedKernels(now).checks })`: code calls the host before
 * each kernel and after the last one of a sequence, about 50 ns each. Reference kernels have no time.
 */
export function timedKernels(now: () => number): KernelTimes {
  const all: Array<{ -readonly [K in keyof KernelTime]: KernelTime[K] }> = [];
  const checks: CodeChecks = ({ lowered }, code) => {
    const { kernels } = lowered;
    const own = kernels.map((kernel) => ({ ...described(kernel), ms: 0, runs: 0 }));
    all.push(...own);
    const timed = runOrder(lowered).flatMap(([at]) =>
      kernels[at]?._tag === 'Reference' ? [] : [own[at] as Clocked],
    );
    return {
      code: instrumented(code, { accesses: false }).code,
      imports: () => ({ [CHECKS]: { ...clocks(timed, now) } }),
    };
  };
  return { checks, kernels: () => all };
}

interface Clocked {
  ms: number;
  runs: number;
}

/** Adds the time from one call of the host to the next to the kernel that ran. */
function clocks(timed: ReadonlyArray<Clocked>, now: () => number): Watch {
  let next = 0;
  let running: Clocked | undefined;
  let since = 0;
  const stop = (): void => {
    if (running === undefined) return;
    running.ms += now() - since;
    running.runs += 1;
    running = undefined;
  };
  return {
    enter: () => {
      stop();
      running = timed[next];
      next = (next + 1) % timed.length;
      since = now();
    },
    leave: stop,
    access: () => {},
    fill: () => {},
  };
}

function described(kernel: Kernel): Pick<KernelTime, 'name' | 'span' | 'shape'> {
  switch (kernel._tag) {
    case 'Reference':
      return {
        name: kernel.call.name,
        span: kernel.call.span,
        shape: kernel.results[0]?.shape ?? [],
      };
    case 'Product': {
      const { call, shape } = kernel.product;
      return { name: call.name, span: call.span, shape };
    }
    default:
      return { name: kernel._tag.toLowerCase(), span: undefined, shape: kernel.out.shape };
  }
}
