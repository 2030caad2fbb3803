/** Rounding to the nearest whole number, halves to the even one. */
import { apply, type Formula } from './formula.ts';

const x: Formula = { input: 0 };
const half = apply('round', [apply('multiply', [x, 0.5])]);
const isHalf = apply('equal', [apply('abs', [apply('subtract', [x, apply('trunc', [x])])]), 0.5]);

/** Baton rounds halves away from zero, so halves are rounded once more, by twos. */
export const ROUNDED_EVEN: Formula = apply('where', [
  isHalf,
  apply('multiply', [half, 2]),
  apply('round', [x]),
]);
