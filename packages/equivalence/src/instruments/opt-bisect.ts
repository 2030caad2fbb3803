/** An instrument that stops running passes after a limit, like LLVM's `-opt-bisect-limit`. */
import type { Instrument } from '@baton/pass-manager';

export interface OptBisect extends Instrument {
  /** The passes that requested to run in this context, in order, without pipelines. */
  readonly seen: () => ReadonlyArray<string>;
}

/**
 * Runs the first `limit` passes only. Pipelines do not count; passes that the context requires
 * always run.
 *
 * **Source** LLVM, "Using -opt-bisect-limit to debug optimization errors".
 */
export function optBisectLimit(limit: number): OptBisect {
  let names: string[] = [];
  return {
    name: 'OptBisectLimit',
    enter: () => {
      names = [];
    },
    shouldRun: (_m, pass) => {
      if (pass.isPipeline) return true;
      names.push(pass.name);
      return names.length <= limit;
    },
    seen: () => names,
  };
}
