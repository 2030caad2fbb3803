import type { Diagnostic, Diagnostics } from '@baton/base';
import { tooManyProblems } from '../diagnostics.ts';

/** After this many diagnostics the rest are counted, not listed: a file may have a million faults. */
export const MAX_DIAGNOSTICS = 100;

/** What was found wrong so far. */
export interface Problems {
  readonly add: (...found: ReadonlyArray<Diagnostic>) => void;
  /** All of it, ending with how many are not listed; `undefined` if there is nothing. */
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
