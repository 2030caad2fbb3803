/** An instrument that stops running passes after a number, like LLVM's `-opt-bisect-limit`. */
import type { Instrument } from '@baton/pass-manager';

/** An instrument that lets a limited number of passes run. */
export interface OptBisect extends Instrument {
  /** The passes that asked to run since the context was entered, in order, without pipelines. */
  readonly seen: () => ReadonlyArray<string>;
}

/**
 * Lets the first `limit` passes run and no others. Pipelines do not count; passes that the context
 * requires always run.
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
