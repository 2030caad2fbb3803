/** The exactness of operators: it decides whether a grid of numbers applies. */
import { type Column, defineColumn } from '@baton/ir';

/**
 *
 * - `exact`: results on multiples of a power of two are such multiples, so that nothing rounds
 *   while numbers are small: sums, products, maxima, movements.
 * - `smooth`: results round, and depend continuously on the arguments.
 * - `discontinuous`: a small change of an argument may change the result, or its place, by much; on
 *   multiples of a power of two nothing rounds.
 */
export type Numerics = 'exact' | 'smooth' | 'discontinuous';

/** The exactness of an operator. A table may state it for operators of its own. */
export const numericsColumn: Column<Numerics> = defineColumn('numerics');
