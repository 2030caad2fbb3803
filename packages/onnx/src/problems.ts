/** The problems of an import, collected up to a limit. */
import type { Diagnostic, Diagnostics } from '@baton/base';
import { tooManyProblems } from './diagnostics.ts';

/** Further diagnostics are counted, not listed: a file may have a million faults. */
export const MAX_DIAGNOSTICS = 100;

/** The problems found so far. */
export interface Problems {
  readonly add: (...found: ReadonlyArray<Diagnostic>) => void;
  /** All problems, and the number of those not listed; `undefined` if there are none. */
  readonly all: () => Diagnostics | undefined;
}

/** No problems yet. */
export function makeProblems(): Problems {
  const listed: Diagnostic[] = [];
  let count = 0;
  return {
    add: (...found) => {
      count += found.length;
      listed.push(...found.slice(0, MAX_DIAGNOSTICS - listed.length));
    },
    all: () => {
      const [first, ...rest] = listed;
      if (first === undefined) return undefined;
      const unlisted = count - listed.length;
      return unlisted === 0 ? [first, ...rest] : [first, ...rest, tooManyProblems(unlisted)];
    },
  };
}
