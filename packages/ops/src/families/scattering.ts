/** Operators that scatter updates into data. */
import type { Type } from '@baton/ir';
import { type BoundsRule, magnitude, ZERO } from '../bounds/bounds.ts';
import { symmetric } from '../bounds/rules.ts';
import { elementCount } from '../cost.ts';
import type { Facts } from '../define-op.ts';
import { standsAlone } from './alone.ts';

/** One operation for each element of the third argument. */
const updateCost = (args: ReadonlyArray<Type>): number =>
  args[2] === undefined ? 0 : elementCount(args[2]);

/** Elements of the data, and their sums or products with updates. */
const scattered: BoundsRule<unknown> = ([data = ZERO, , updates = ZERO]) =>
  symmetric(
    4 * Math.max(magnitude(data), magnitude(updates)) ** 2,
    Math.max(data.fraction, updates.fraction),
  );

export const scatters: Facts<
  'cost' | 'fusion' | 'kind' | 'numerics' | 'domain' | 'bounds' | 'scaleAxis'
> = {
  cost: updateCost,
  ...standsAlone,
  numerics: 'exact',
  bounds: scattered,
};
