/** Values that are there by construction. */
import { invariant } from '@baton/base';

/** The value, which is there: a bug in Baton otherwise. */
export function present<A>(value: A | undefined): A {
  invariant(value !== undefined, 'a value is there');
  return value;
}
