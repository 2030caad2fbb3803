/** Numbers of programs as the real numbers that they stand for. */
import { castNumber, type DType, isFloat } from '@baton/tensor';

/** A fraction, or its square root. */
export interface Exact {
  readonly over: bigint;
  readonly under: bigint;
  readonly isRoot: boolean;
}

/** The largest denominator of a number that is taken for a fraction. */
const MAX_UNDER = 1_000_000;
/** The largest denominator below a root. */
const MAX_UNDER_ROOT = 1_000;

/**
 * The real number that a float stands for: the simplest fraction, or root of a fraction, that the
 * element type rounds to it. `0.1f` is a tenth, `0.70710678f` the root of a half.
 */
export function exactly(value: number, dtype: DType): Exact {
  if (Number.isInteger(value)) return { over: BigInt(value), under: 1n, isRoot: false };
  const stored = isFloat(dtype) ? dtype : 'float64';
  const isIt = (other: number): boolean => castNumber(other, stored) === value;
  const plain = simplest(value, MAX_UNDER, isIt);
  if (plain !== undefined) return { ...plain, isRoot: false };
  const square = simplest(value * value, MAX_UNDER_ROOT, (s) =>
    isIt(Math.sign(value) * Math.sqrt(s)),
  );
  if (square !== undefined && value > 0) return { ...square, isRoot: true };
  return { ...dyadic(value), isRoot: false };
}

/** The first convergent of the number's continued fraction that passes. */
function simplest(
  value: number,
  most: number,
  passes: (value: number) => boolean,
): Omit<Exact, 'isRoot'> | undefined {
  let [over, under, lastOver, lastUnder] = [1, 0, 0, 1];
  let rest = value;
  for (let i = 0; i < 40; i++) {
    const whole = Math.floor(rest);
    [over, lastOver] = [whole * over + lastOver, over];
    [under, lastUnder] = [whole * under + lastUnder, under];
    if (under > most || !Number.isSafeInteger(over)) return undefined;
    if (passes(over / under)) return { over: BigInt(over), under: BigInt(under) };
    rest = 1 / (rest - whole);
  }
  return undefined;
}

/** A double as it is. */
function dyadic(value: number): Omit<Exact, 'isRoot'> {
  let scaled = value;
  let under = 1n;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    under *= 2n;
  }
  return { over: BigInt(scaled), under };
}
