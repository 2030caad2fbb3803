/** Beyond this, erf differs from ±1 by less than half a unit in the last place of double. */
const SATURATION = 6;
/** Below this, the series has few terms; above, the continued fraction does. */
const SERIES_LIMIT = 2.5;

/**
 * The Gauss error function, with an error below 1e-15.
 *
 * **Source** Abramowitz and Stegun 7.1.6 (series) and 7.1.14 (continued fraction).
 */
export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  const t = Math.abs(x);
  if (t >= SATURATION) return Math.sign(x);
  if (t < SERIES_LIMIT) return series(x);
  return Math.sign(x) * (1 - complement(t));
}

/** 2/√π · e^(−x²) · Σ 2^n x^(2n+1) / (1 · 3 · … · (2n + 1)): all terms have one sign. */
function series(x: number): number {
  const square = x * x;
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (2 * square) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-square) * sum;
}

/** erfc: e^(−x²)/√π / (x + (1/2)/(x + 1/(x + (3/2)/(x + …)))), computed from the inside out. */
function complement(x: number): number {
  let tail = x;
  for (let n = 60; n > 0; n--) tail = x + n / 2 / tail;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * tail);
}
