/** Formats figures. */

export const ms = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3);

export function si(value: number): string {
  const prefixes = ['', 'k', 'M', 'G', 'T'];
  let scaled = value;
  let at = 0;
  while (Math.abs(scaled) >= 1000 && at < prefixes.length - 1) {
    scaled /= 1000;
    at += 1;
  }
  return `${at === 0 ? scaled : scaled.toPrecision(3)}${prefixes[at]}`;
}

export const scientific = (value: number): string => (value === 0 ? '0' : value.toExponential(1));
