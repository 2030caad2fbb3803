/** The meaning of each kind of node for the solver, stated once for each theory. */
import type { NodeName } from '@baton/ops';

/**
 * How elements are understood.
 *
 * - `real`: floats as real numbers, without rounding and special values.
 * - `ieee`: floats bit for bit, by IEEE 754.
 * - `ring`: integers without an end. What only adds and multiplies holds modulo any power of two.
 * - `bits`: integers as vectors of bits.
 */
export type Theory = 'real' | 'ieee' | 'ring' | 'bits';

/**
 * Terms of SMT-LIB in `x`, `y` and `z`, by theory. `ZERO` and `NAN` are of the sort of `x`.
 * `unsigned` and `truth` stand in for `bits` where the elements are unsigned or booleans. A kind
 * without a meaning for floats is an unknown function there.
 */
export interface Meaning extends Partial<Readonly<Record<Theory | 'unsigned' | 'truth', string>>> {
  /** Whether the value is rounded in `ieee`. */
  readonly rounds?: true;
  /** Whether it has one value at zeros of both signs. */
  readonly joinsZeros?: true;
}

const FLOOR = '(to_real (to_int x))';
const QUOTIENT = '(to_real (to_int (/ x y)))';
const TOWARDS_ZERO = `(ite (>= (/ x y) 0.0) ${QUOTIENT} (- (to_real (to_int (- (/ x y))))))`;

const unknown: Meaning = { rounds: true };
const divided = (signed: string, unsigned: string): Meaning => ({
  bits: `(ite (= y ZERO) ZERO (${signed} x y))`,
  unsigned: `(ite (= y ZERO) ZERO (${unsigned} x y))`,
});
const linear = (name: string, ieee: string, bits: string): Meaning => ({
  real: `(${name} x y)`,
  ring: `(${name} x y)`,
  ieee: `(${ieee} RNE x y)`,
  bits: `(${bits} x y)`,
  rounds: true,
});
const compared = (name: string, ieee: string, bits: string, unsigned: string): Meaning => ({
  real: `(${name} x y)`,
  ring: `(${name} x y)`,
  ieee: `(${ieee} x y)`,
  bits: `(${bits} x y)`,
  unsigned: `(${unsigned} x y)`,
});
/** The smaller or larger: NaN stays, and of two zeros a minimum takes the negative one. */
const extreme = (
  real: string,
  ieee: string,
  of: string,
  bits: string,
  unsigned: string,
): Meaning => ({
  real: `(ite (${real} x y) x y)`,
  ring: `(ite (${real} x y) x y)`,
  ieee: `(ite (or (fp.isNaN x) (fp.isNaN y)) NAN (ite (${ieee} x y) x (ite (${ieee} y x) y (ite (${of} x) x y))))`,
  bits: `(ite (${bits} x y) x y)`,
  unsigned: `(ite (${unsigned} x y) x y)`,
});
const bitwise = (bits: string, truth: string): Meaning => ({
  bits: `(${bits} x y)`,
  truth: `(${truth} x y)`,
});

/** The meanings by kind. */
export const MEANINGS: Readonly<Record<NodeName, Meaning>> = {
  neg: { real: '(- x)', ring: '(- x)', ieee: '(fp.neg x)', bits: '(bvneg x)' },
  abs: {
    real: '(ite (< x 0.0) (- x) x)',
    ring: '(ite (< x 0) (- x) x)',
    ieee: '(fp.abs x)',
    joinsZeros: true,
    bits: '(ite (bvslt x ZERO) (bvneg x) x)',
    unsigned: 'x',
  },
  floor: { real: FLOOR, ieee: '(fp.roundToIntegral RTN x)', bits: 'x' },
  ceil: {
    real: '(- (to_real (to_int (- x))))',
    ieee: '(fp.roundToIntegral RTP x)',
    bits: 'x',
  },
  trunc: {
    real: `(ite (>= x 0.0) ${FLOOR} (- (to_real (to_int (- x)))))`,
    ieee: '(fp.roundToIntegral RTZ x)',
    bits: 'x',
  },
  rint: {
    real: '(let ((d (to_int x))) (let ((r (- x (to_real d)))) (to_real (ite (or (> r 0.5) (and (= r 0.5) (= (mod d 2) 1))) (+ d 1) d))))',
    ieee: '(fp.roundToIntegral RNE x)',
    bits: 'x',
  },
  sqrt: { ieee: '(fp.sqrt RNE x)', rounds: true },
  exp: { ...unknown, joinsZeros: true },
  log: unknown,
  log2: unknown,
  log10: unknown,
  sin: unknown,
  cos: { ...unknown, joinsZeros: true },
  tan: unknown,
  sinh: unknown,
  cosh: { ...unknown, joinsZeros: true },
  tanh: unknown,
  asin: unknown,
  acos: unknown,
  atan: unknown,
  asinh: unknown,
  acosh: unknown,
  atanh: unknown,
  erf: unknown,
  pow: unknown,

  add: linear('+', 'fp.add', 'bvadd'),
  sub: linear('-', 'fp.sub', 'bvsub'),
  mul: linear('*', 'fp.mul', 'bvmul'),
  div: { real: '(/ x y)', ieee: '(fp.div RNE x y)', rounds: true, ...divided('bvsdiv', 'bvudiv') },
  floorDiv: { real: QUOTIENT, rounds: true },
  rem: { real: `(- x (* y ${TOWARDS_ZERO}))`, rounds: true, ...divided('bvsrem', 'bvurem') },
  min: extreme('<', 'fp.lt', 'fp.isNegative', 'bvslt', 'bvult'),
  max: extreme('>', 'fp.gt', 'fp.isPositive', 'bvsgt', 'bvugt'),

  not: { bits: '(bvnot x)', truth: '(not x)' },
  and: bitwise('bvand', 'and'),
  or: bitwise('bvor', 'or'),
  xor: bitwise('bvxor', 'xor'),
  shiftLeft: { bits: '(bvshl x y)' },
  shiftRight: { bits: '(bvashr x y)', unsigned: '(bvlshr x y)' },

  equal: { ...compared('=', 'fp.eq', '=', '='), truth: '(= x y)' },
  notEqual: {
    real: '(not (= x y))',
    ring: '(not (= x y))',
    ieee: '(not (fp.eq x y))',
    bits: '(not (= x y))',
    truth: '(xor x y)',
  },
  less: compared('<', 'fp.lt', 'bvslt', 'bvult'),
  lessEqual: compared('<=', 'fp.leq', 'bvsle', 'bvule'),

  wrap: { real: 'x', ring: 'x', ieee: 'x', bits: 'x' },
  select: {
    real: '(ite x y z)',
    ring: '(ite x y z)',
    ieee: '(ite x y z)',
    bits: '(ite x y z)',
    truth: '(ite x y z)',
  },
};
