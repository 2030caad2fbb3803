/** Normal forms of modules: a form is applied until it changes nothing. */
import { type Func, type IRModule, withFunctions } from '@baton/ir';
import { type Count, isOpaque } from '@baton/pass-manager';

/** The result of a round for a function. */
export interface Formed {
  readonly f: Func;
  /** Whether another round is sure to change nothing. */
  readonly isSettled: boolean;
}

/**
 * The module with each function in normal form. The bindings of one round may show in the next that
 * an unbound node cannot fail, or is reached first in another block now.
 *
 * **Complexity** each round except the last binds something more; two rounds are usual.
 */
export function inRounds(
  m: IRModule,
  form: (f: Func, m: IRModule) => Formed,
  count: Count<'function'>,
): IRModule {
  let current = m;
  let names = [...m.functions.keys()];
  while (names.length > 0) {
    const functions = new Map(current.functions);
    names = names.filter((name) => {
      const f = functions.get(name);
      if (f === undefined || isOpaque(f)) return false;
      const { f: formed, isSettled } = form(f, current);
      functions.set(name, formed);
      return formed !== f && !isSettled;
    });
    current = withFunctions(current, functions);
  }
  for (const [name, f] of current.functions) if (m.functions.get(name) !== f) count('function');
  return current;
}
