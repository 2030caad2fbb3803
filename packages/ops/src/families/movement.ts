/** Operators that only move and select data. */
import type { OpDefinition } from '../define-op.ts';

/** The common facts of such operators. */
export const movesData: Pick<OpDefinition<unknown>, 'kind' | 'numerics' | 'domain'> = {
  kind: 'movement',
  numerics: 'exact',
  domain: 'any',
};
