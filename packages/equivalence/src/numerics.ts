/** How exactly operators compute, as a comparison asks it. */
import type { OpTable } from '@baton/ir';
import { type Numerics, numericsColumn } from '@baton/ops';

/** How exactly the operator computes; `undefined` for an operator without a class. */
export const numericsOf = (ops: OpTable, name: string): Numerics | undefined =>
  ops.read(numericsColumn, name);
