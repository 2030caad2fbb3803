/** How exactly operators compute: the fact by which a grid of numbers is known to apply. */
import { type Column, defineColumn } from '@baton/ir';

/**
 * - `exact`: results on multiples of a power of two are such multiples, so that nothing rounds
 *   while numbers are small: sums, products, maxima, movements.
 * - `smooth`: results round, and depend continuously on the arguments.
 * - `discontinuous`: a small change of an argument may change the result by much, or its place;
 *   on multiples of a power of two nothing rounds.
 */
export type Numerics = 'exact' | 'smooth' | 'discontinuous';

/** How exactly an operator computes. A table may fill it for operators of its own. */
export const numericsColumn: Column<Numerics> = defineColumn('numerics');
