/** The way to end a run from within any of its parts. */
import { type Diagnostics, fail, isLackOfMemory, type Result, right } from '@baton/base';
import { noMemory } from './diagnostics.ts';

class Stop extends Error {
  readonly diagnostics: Diagnostics;

  constructor(problems: Diagnostics) {
    super(problems[0].message);
    this.diagnostics = problems;
  }
}

export function stop(...problems: Diagnostics): never {
  throw new Stop(problems);
}

/** The result of a run, which may {@link stop}. */
export function untilStop<A>(run: () => A): Result<A> {
  try {
    return right(run());
  } catch (error) {
    if (error instanceof Stop) return fail(...error.diagnostics);
    if (isLackOfMemory(error)) return fail(noMemory());
    throw error;
  }
}
