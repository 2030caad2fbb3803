/**
 * The choice of operators: `exact`, operators with the same bits in any order of evaluation if the
 * inputs are small multiples of 1/8; `smooth`, operators without jumps; `any`, all operators.
 */
export type NumericKind = 'exact' | 'smooth' | 'any';
