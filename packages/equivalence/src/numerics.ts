/** The exactness of operators, as comparisons need it. */
import type { OpTable } from '@baton/ir';
import { type Numerics, numericsColumn } from '@baton/ops';

/** The exactness of the operator; `undefined` for an operator without a class. */
export const numericsOf = (ops: OpTable, name: string): Numerics | undefined =>
  ops.read(numericsColumn, name);
