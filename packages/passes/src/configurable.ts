/** Passes with options: usable as they are, or called with options. */
import { checkOptions, type OptionTypes } from '@baton/base';
import { type Pass, refusedPass } from '@baton/pass-manager';

/** A pass with its defaults, which called with options gives the pass with these. */
export type ConfigurablePass<O> = Pass & ((options?: O) => Pass);

/**
 * A pass with options, all of which may be left out. Wrong ones make a pass that fails when it is
 * run, and says in which line they were given.
 */
export function configurable<O extends object>(
  types: OptionTypes<NoInfer<O>>,
  make: (options: O) => Pass,
): ConfigurablePass<O> {
  // Every option may be left out, so none is a value of `O`.
  const withDefaults = make({} as O);
  const maker = (options: O = {} as O): Pass => {
    const problems = checkOptions<O>(withDefaults.name, options, types, maker);
    return problems.length === 0 ? make(options) : refusedPass(withDefaults.name, problems);
  };
  // A function's own `name` can be redefined, not assigned.
  return Object.defineProperties(
    maker,
    Object.getOwnPropertyDescriptors(withDefaults),
  ) as ConfigurablePass<O>;
}
