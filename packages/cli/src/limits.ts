/** The limits of a command line: memory, and time from its start. */
import { isLeft, type Limits, type Result, right } from '@baton/base';
import { withinSeconds } from 'batonjs';
import { misuse } from './diagnostics.ts';

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

export function readLimits(
  given: { readonly memory: string | undefined; readonly time: string | undefined },
  now: () => number,
): Result<Limits> {
  const bytes = bytesOf('limit-memory', given.memory);
  if (isLeft(bytes)) return bytes;
  const seconds = secondsOf(given.time);
  if (isLeft(seconds)) return seconds;
  const limits = bytes.right === undefined ? {} : { bytes: bytes.right };
  return right(seconds.right === undefined ? limits : withinSeconds(seconds.right, limits, now));
}

export function bytesOf(option: string, text: string | undefined): Result<number | undefined> {
  if (text === undefined) return right(undefined);
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
  const size = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined;
  return amount === '' || size === undefined
    ? misuse(`--${option} expects a size, found ${text}`, 'for example 512MB or 2GiB')
    : right(Math.floor(Number(amount) * size));
}

function secondsOf(text: string | undefined): Result<number | undefined> {
  if (text === undefined) return right(undefined);
  return /^\d+(\.\d+)?s?$/.test(text)
    ? right(Number.parseFloat(text))
    : misuse(`--limit-time expects seconds, found ${text}`, 'for example 30');
}
