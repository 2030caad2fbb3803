/** Powers by IEEE 754, and of wrapping integers. */

/** IEEE 754's pow: unlike `Math.pow`, 1 to any power, and −1 to an infinite one, is 1. */
export function powFloat(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)) return 1;
  return base ** exponent;
}

/** Modulo 2^32. A negative exponent yields the reciprocal truncated toward 0; that of 0 is 0. */
export function powInt32(base: number, exponent: number): number {
  if (exponent < 0) return reciprocal(base, exponent % 2 !== 0);
  let result = 1;
  let square = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = Math.imul(result, square);
    square = Math.imul(square, square);
  }
  return result;
}

/** Modulo 2^64, like {@link powInt32}. */
export function powBig(base: bigint, exponent: bigint): bigint {
  if (exponent < 0n) {
    const isUnit = base === 1n || base === -1n;
    return isUnit ? BigInt(reciprocal(Number(base), exponent % 2n !== 0n)) : 0n;
  }
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = BigInt.asIntN(64, result * square);
    square = BigInt.asIntN(64, square * square);
  }
  return result;
}

function reciprocal(base: number, isOdd: boolean): number {
  if (base === 1) return 1;
  if (base === -1) return isOdd ? -1 : 1;
  return 0;
}
