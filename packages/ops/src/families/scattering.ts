/** What operators that scatter share. */
import type { Type } from '@baton/ir';
import { elementCount } from '../cost.ts';

/** One operation for each element of the updates, the third argument. */
export const updateCost = (args: ReadonlyArray<Type>): number =>
  args[2] === undefined ? 0 : elementCount(args[2]);
