/** Runs only so many passes: what LLVM calls `-opt-bisect-limit`. */
import type { Instrument } from '@baton/pass-manager';

/** An instrument that lets a number of passes run, and no more. */
export interface OptBisect extends Instrument {
  /** The passes that asked to run since the context was entered, in order; pipelines do not count. */
  readonly seen: () => ReadonlyArray<string>;
}

/**
 * Lets the first `limit` passes run and no others. Pipelines do not count; passes that the context
 * requires run whatever the limit.
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
