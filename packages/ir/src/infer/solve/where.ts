/** The place of what a message may be about. */
import type { Span } from '@baton/base';

/** A place, or how to find it: the search is for a message alone. */
export type Where = Span | undefined | (() => Span | undefined);

/** The place. */
export const spanOf = (where: Where): Span | undefined =>
  typeof where === 'function' ? where() : where;
