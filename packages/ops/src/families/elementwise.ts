/** Operators on each element of a tensor. */
import type { OpDefinition } from '../define-op.ts';

/** The common facts of such operators. */
export const actsOnElements: Pick<
  OpDefinition<unknown>,
  'fusion' | 'kind' | 'domain' | 'scaleAxis'
> = { fusion: 'elemwise', kind: 'elementwise', domain: 'any', scaleAxis: 'none' };
