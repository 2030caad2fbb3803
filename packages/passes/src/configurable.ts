/** Passes with options: usable as they are, or called with options. */
import type { Pass } from '@baton/pass-manager';

/** A pass with its defaults, which called with options gives the pass with these. */
export type ConfigurablePass<O> = Pass & ((options?: O) => Pass);

/** A pass with options, all of which may be left out. */
export function configurable<O extends object>(make: (options: O) => Pass): ConfigurablePass<O> {
  // Every option may be left out, so none is a value of `O`.
  const withDefaults = make({} as O);
  const maker = (options: O = {} as O): Pass => make(options);
  // A function's own `name` can be redefined, not assigned.
  return Object.defineProperties(
    maker,
    Object.getOwnPropertyDescriptors(withDefaults),
  ) as ConfigurablePass<O>;
}
