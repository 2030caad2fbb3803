/** Figures in a readable form. */
/** Milliseconds with a precision that fits their size. */
export const ms = (value) =>
  value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3);
/** A large number with its decimal prefix. */
export function si(value) {
  const prefixes = ['', 'k', 'M', 'G', 'T'];
  let scaled = value;
  let at = 0;
  while (Math.abs(scaled) >= 1000 && at < prefixes.length - 1) {
    scaled /= 1000;
    at += 1;
  }
  return `${at === 0 ? scaled : scaled.toPrecision(3)}${prefixes[at]}`;
}
/** An error in scientific notation. */
export const scientific = (value) => (value === 0 ? '0' : value.toExponential(1));
//# sourceMappingURL=figures.js.map
