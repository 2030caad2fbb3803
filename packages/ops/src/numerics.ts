/** The exactness of operators, which decides whether values on a grid stay exact. */
import { type Column, defineColumn } from '@baton/ir';

/**
 * - `exact`: maps multiples of a power of two to such multiples, so that nothing rounds while
 *   numbers are small: sums, products, maxima, movements.
 * - `smooth`: results round, and depend continuously on the arguments.
 * - `discontinuous`: a small change of an argument may change the result, or its index, by much; on
 *   multiples of a power of two nothing rounds.
 */
export type Numerics = 'exact' | 'smooth' | 'discontinuous';

/** A table may state it for operators of its own. */
export const numericsColumn: Column<Numerics> = defineColumn('numerics');
