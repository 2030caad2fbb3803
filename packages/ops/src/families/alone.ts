/** Operators that are kernels of their own. */
import type { OpDefinition } from '../define-op.ts';

/** The common facts of operators with which nothing is fused. */
export const standsAlone: Pick<
  OpDefinition<unknown>,
  'fusion' | 'kind' | 'domain' | 'scaleAxis'
> = { fusion: 'opaque', kind: 'other', domain: 'any', scaleAxis: 'none' };
