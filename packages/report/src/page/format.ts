/** Formats numbers. */

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P'];

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

export function si(value: number, unit = ''): string {
  let scaled = value;
  let at = 0;
  while (Math.abs(scaled) >= 999.5 && at < PREFIXES.length - 1) {
    scaled /= 1000;
    at += 1;
  }
  const digits = at === 0 ? `${Math.round(scaled)}` : scaled.toPrecision(3);
  return `${digits}\u202f${PREFIXES[at]}${unit}`.trim();
}

export const byteSize = (value: number): string => si(value, 'B');

export function duration(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)}\u202fs`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)}\u202fs`;
  if (ms >= 100) return `${ms.toFixed(0)}\u202fms`;
  if (ms >= 1) return `${ms.toFixed(1)}\u202fms`;
  return `${Math.round(ms * 1000)}\u202fµs`;
}

/** The change from one value to another in per cent: `−42 %`. Empty if it is too small. */
export function change(before: number, after: number): string {
  if (before === 0) return '';
  const percent = (100 * (after - before)) / before;
  const size = Math.abs(percent);
  if (size < 0.005) return '';
  const digits = size >= 10 ? 0 : size >= 0.1 ? 1 : 2;
  return `${percent < 0 ? '−' : '+'}${size.toFixed(digits)}\u202f%`;
}
