/** Choices of one input, from a seed. */
import { fnv1a32, mulberry32 } from '@baton/base';

/** Draws from a seed: the same on every machine. */
export interface Draw {
  /** A number from 0 to 1, without 1. */
  readonly real: () => number;
  /** An integer from 0 to `limit`, without `limit`. */
  readonly below: (limit: number) => number;
  readonly pick: <const T extends readonly [unknown, ...ReadonlyArray<unknown>]>(
    items: T,
  ) => T[number];
  /** An item of a list; `undefined` of an empty one. */
  readonly some: <A>(items: ReadonlyArray<A>) => A | undefined;
  /** Whether something happens that does so once in `times`. */
  readonly once: (times: number) => boolean;
}

export function makeDraw(seed: string): Draw {
  const real = mulberry32(fnv1a32(seed));
  const below = (limit: number): number => Math.floor(real() * limit);
  return {
    real,
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    some: (items) => items[below(items.length)],
    once: (times) => below(times) === 0,
  };
}

/** Numbers at which integers change their meaning. */
export const EDGES = [
  0n,
  1n,
  2n,
  3n,
  7n,
  64n,
  127n,
  128n,
  255n,
  256n,
  1000n,
  65_535n,
  1_000_000n,
  2n ** 30n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 40n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 62n,
  2n ** 63n - 1n,
  -1n,
  -2n,
  -(2n ** 31n),
  -(2n ** 63n),
] as const;

/** Texts that names and keys have not expected. */
export const NAMES = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'main',
  '../x',
  '/',
  'a/b',
  '\0',
  '\u202e',
  '\ud800',
  'é',
  '\u{1f600}',
  '%',
  '"',
  "'",
  '\\',
  '$\u007bx}',
  '*/',
  '\n',
  'x'.repeat(300),
  'x'.repeat(70_000),
  '0',
  '-1',
  'NaN',
  'length',
] as const;

/** The parts of a list with one replaced by others. */
export const replaced = <A>(
  items: ReadonlyArray<A>,
  at: number,
  by: ReadonlyArray<A>,
  count = 1,
): ReadonlyArray<A> => [...items.slice(0, at), ...by, ...items.slice(at + count)];

/** A list with some of its items deleted, doubled, moved, swapped, or repeated many times. */
export function shuffled<A>(items: ReadonlyArray<A>, draw: Draw): ReadonlyArray<A> {
  const at = draw.below(items.length);
  const other = draw.below(items.length);
  const length = draw.once(3) ? 1 + draw.below(8) : 1;
  const run = items.slice(at, at + length);
  switch (draw.below(6)) {
    case 0:
      return replaced(items, at, [], length);
    case 1:
      return replaced(items, at, [...run, ...run], length);
    case 2:
      return replaced(items, other, run);
    case 3:
      return replaced(items, other, run, 0);
    case 4: {
      const swapped = [...items];
      const [a, b] = [items[at], items[other]];
      if (a !== undefined && b !== undefined) {
        swapped[at] = b;
        swapped[other] = a;
      }
      return swapped;
    }
    default: {
      const times = draw.pick([3, 10, 100, 1000]);
      const many = Array.from({ length: Math.min(times, Math.ceil(4000 / run.length)) }, () => run);
      return replaced(items, at, many.flat(), length);
    }
  }
}
