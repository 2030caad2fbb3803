/**
 * Which operators programs are made of: `exact`: those that give the same bits in any order of
 * evaluation, as long as the inputs are small multiples of 1/8. `smooth`: those that have no
 * jumps. `any`: all.
 */
export type NumericKind = 'exact' | 'smooth' | 'any';
