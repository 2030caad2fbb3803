/** Runs of compiled code alone, for measurements. */

import type { IRModule } from '@baton/ir';
import { regionOf } from '@baton/lower';
import { compileRegion, pagesOf, type Target } from './compile.ts';
import { simdLevel } from './level.ts';
import { instanceOf } from './thread.ts';
import { hostWebAssembly } from './web-assembly.ts';

/**
 * A function that runs the kernels of `main` on memory of their own, which holds zeros where arguments
 * would lie: nothing is moved in or out. `undefined` if a kernel has no compiled code.
 */
export function bareRun(m: IRModule, options: Partial<Target> = {}): (() => void) | undefined {
  const host = hostWebAssembly();
  const { level = simdLevel(host), isExact = false } = options;
  const main = m.functions.get('main');
  const region = main && regionOf(main, m, { isExact });
  if (host === undefined || region === undefined) return undefined;
  const { code, tasks, bytes, placed } = compileRegion(region, m, {
    ...options,
    level,
    isExact,
    threads: 1,
  });
  if (code === undefined || tasks.some(({ _tag }) => _tag === 'Reference')) return undefined;
  const memory = new host.Memory({ initial: pagesOf(bytes) });
  for (const { write } of placed) write(memory.buffer);
  const { exports } = instanceOf(new host.Module(code), memory, host);
  const names = tasks.flatMap((task) => (task._tag === 'Run' ? [task.name] : []));
  return () => {
    for (const name of names) exports[name]?.();
  };
}
