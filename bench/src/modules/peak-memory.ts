/** The most memory that this process has had, from a moment on. Linux alone tells it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const STATUS = '/proc/self/status';
const CLEAR = '/proc/self/clear_refs';

/** Forgets the peak so far; the memory that the process has now. **Units** bytes. */
export function beginPeak(): number | undefined {
  globalThis.gc?.();
  if (!existsSync(CLEAR)) return undefined;
  writeFileSync(CLEAR, '5');
  return statusOf('VmRSS');
}

/** The most memory since {@link beginPeak}, beyond what there was then. **Units** bytes. */
export const peakSince = (begin: number | undefined): number | undefined =>
  begin === undefined ? undefined : statusOf('VmHWM') - begin;

function statusOf(field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(STATUS, 'utf8'));
  return 1024 * Number(found?.[1] ?? Number.NaN);
}
