/** Shapes that show a wrong axis: mostly distinct primes, sometimes 1, equal axes, or 0. */
import type { Choices } from './random.ts';

export const MAX_ELEMENTS = 600;

export const sizeOf = (shape: ReadonlyArray<number>): number => shape.reduce((n, d) => n * d, 1);

const PRIMES = [2, 3, 5, 7, 11];

/** The default share of shapes with an axis of size 0. */
const EMPTY_AXES = 0.02;

export function someShape(
  random: Choices,
  rank: number,
  emptyAxes: number = EMPTY_AXES,
): ReadonlyArray<number> {
  const primes = random.shuffle(rank > 3 ? PRIMES.slice(0, 4) : PRIMES);
  const dims = Array.from({ length: rank }, (_, i) => primes[i % primes.length] ?? 2);
  if (rank > 0 && random.chance(0.15)) dims[random.int(0, rank - 1)] = 1;
  if (rank > 1 && random.chance(0.15)) dims[random.int(0, rank - 1)] = dims[0] ?? 2;
  if (rank > 0 && random.chance(emptyAxes)) dims[random.int(0, rank - 1)] = 0;
  for (let i = rank - 1; sizeOf(dims) > MAX_ELEMENTS; i--) dims[((i % rank) + rank) % rank] = 1;
  return dims;
}

/** A rank; small ones and those of images are frequent. */
export const someRank = (random: Choices, min = 0, max = 5): number => {
  const ranks = [0, 1, 2, 3, 4, 5].filter((rank) => rank >= min && rank <= max);
  const weights = [1, 2, 4, 4, 4, 1];
  return random.weighted(ranks.map((rank) => [weights[rank] ?? 1, rank]));
};

/** A shape that broadcasts into `shape`: axes dropped in front, others set to 1. */
export function narrower(random: Choices, shape: ReadonlyArray<number>): ReadonlyArray<number> {
  const kind = random.weighted([
    [5, 'same'],
    [2, 'scalar'],
    [2, 'suffix'],
    [2, 'ones'],
  ] as const);
  if (kind === 'scalar') return [];
  const dropped = kind === 'suffix' ? random.int(0, shape.length) : 0;
  const kept = shape.slice(dropped);
  return kind === 'ones' ? kept.map((dim) => (random.chance(0.4) ? 1 : dim)) : kept;
}

export const fromFront = (axis: number, rank: number): number => (axis < 0 ? axis + rank : axis);

/** The size along an axis, which may be counted from the end. */
export const sizeAlong = (shape: ReadonlyArray<number>, axis: number): number =>
  shape[fromFront(axis, shape.length)] ?? 1;

/** An axis of this rank, sometimes counted from the end. */
export function someAxis(random: Choices, rank: number): number {
  const axis = random.int(0, rank - 1);
  return random.chance(0.25) ? axis - rank : axis;
}
