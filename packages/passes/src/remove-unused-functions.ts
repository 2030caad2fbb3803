/**
 * RemoveUnusedFunctions: drops functions that no entry reaches.
 * [passes §18](https://batonjs.github.io/baton/spec/passes#18).
 */

import { aText, failure, listOf, right } from '@baton/base';
import { type IRModule, reachableFunctions, withFunctions } from '@baton/ir';
import { type Count, inferType, pass } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from './configurable.ts';
import { unknownEntry } from './diagnostics.ts';

const COUNTERS = ['removed', 'kept: entry', 'kept: reached'] as const;

type Counter = (typeof COUNTERS)[number];

export interface RemoveUnusedOptions {
  /** Functions that are called from outside. Default: `main`. */
  readonly entries?: ReadonlyArray<string>;
}

const DEFAULT_ENTRIES: ReadonlyArray<string> = ['main'];

/**
 * Keeps only the functions that an entry names, through any number of others and in any position:
 * called, passed on, or chosen by an `if`. Type definitions stay. A module without any of the
 * entries is a library, and stays unchanged.
 *
 * **Complexity** linear in the functions that are kept.
 */
export const removeUnusedFunctions: ConfigurablePass<RemoveUnusedOptions> = configurable(
  { entries: listOf(aText, 'names of functions') },
  (options) =>
    pass({
      name: 'RemoveUnusedFunctions',
      doc: 'Removes functions that no entry reaches.',
      level: 1,
      requires: [inferType],
      counters: COUNTERS,
      isIdempotent: true,
      run: (m, { count }) => {
        const { entries = [] } = options;
        const unknown = entries.filter((name) => !m.functions.has(name));
        const known = [...m.functions.keys()];
        return (
          failure(unknown.map((name) => unknownEntry(name, known))) ??
          right(keepReachable(m, options.entries ?? DEFAULT_ENTRIES, count))
        );
      },
    }),
);

function keepReachable(
  m: IRModule,
  entries: ReadonlyArray<string>,
  count: Count<Counter>,
): IRModule {
  const kept = reachableFunctions(m.functions, entries);
  if (kept.size === 0) return m;
  const entryCount = new Set(entries.filter((name) => kept.has(name))).size;
  count('kept: entry', entryCount);
  count('kept: reached', kept.size - entryCount);
  count('removed', m.functions.size - kept.size);
  return withFunctions(m, new Map([...m.functions].filter(([name]) => kept.has(name))));
}
