import type { Result } from '@baton/base';

/** A success. */
export const ok = <A>(value: A): Result<A> => ({ _tag: 'Right', right: value });
