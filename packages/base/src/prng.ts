/** Seeded randomness: the same numbers for the same seed, on every machine. */

/** A source of numbers, uniform in [0, 1). */
export type Random = () => number;

/**
 * FNV-1a, 32 bits, over the UTF-16 code units of `text`.
 *
 * **Source** Fowler, Noll and Vo; the recipe of the corpus' weights.
 */
export function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/** Tommy Ettinger's mulberry32: small, fast, good enough for weights and test inputs. */
export function mulberry32(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
