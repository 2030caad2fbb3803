/** Passes with options: a pass by themselves, or called with options. */
import { checkOptions, type OptionType, type OptionTypes } from '@baton/base';
import { type Pass, refusedPass } from '@baton/pass-manager';

/** A pass with its defaults; a call with options returns the pass with these. */
export type ConfigurablePass<O> = Pass & {
  (options?: O): Pass;
  readonly options: OptionTypes<O>;
};

/** A pass with optional options. Wrong ones make a pass that fails, and names their line. */
export function configurable<O extends object>(
  types: OptionTypes<NoInfer<O>>,
  make: (options: O) => Pass,
): ConfigurablePass<O> {
  // Every option may be left out, so `{}` is a value of `O`.
  const withDefaults = make({} as O);
  const maker = (options: O = {} as O): Pass => {
    const problems = checkOptions<O>(withDefaults.name, options, types, maker);
    return problems.length === 0 ? make(options) : refusedPass(withDefaults.name, problems);
  };
  return callable({ ...withDefaults, options: types }, maker);
}

/** A pass that is also a function, which makes another pass from what it is given. */
export const callable = <P extends Pass, F extends (...given: never) => Pass>(
  base: P,
  make: F,
): P & F =>
  // A function's own `name` can be redefined, not assigned.
  Object.defineProperties(make, Object.getOwnPropertyDescriptors(base)) as P & F;

export const anEvaluator: OptionType = {
  expected: 'an executor',
  is: (value) => typeof value === 'object' && value !== null && 'evaluateCall' in value,
};

export const someTimes: OptionType = {
  expected: 'the times of calls, as `timeCalls` gives them',
  is: (value) => typeof value === 'object' && value !== null,
};
