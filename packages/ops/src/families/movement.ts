/** Operators that move and select data, and compute nothing. */
import type { OpDefinition } from '../define-op.ts';

/** What such an operator states of itself. */
export const movesData: Pick<OpDefinition<unknown>, 'kind' | 'numerics' | 'domain'> = {
  kind: 'movement',
  numerics: 'exact',
  domain: 'any',
};
