/** Fusion patterns as an order: a path has the hardest pattern of its nodes. */
import type { FusionPattern } from '@baton/ops';

/**
 * A pattern's rank:
 * [operators, pattern codes](https://batonjs.github.io/baton/spec/operators#pattern-codes).
 */
export type PatternRank = 0 | 1 | 2 | 3 | 4 | 7 | 8;

export const ELEMWISE: PatternRank = 0;
export const BROADCAST: PatternRank = 1;
export const INJECTIVE: PatternRank = 2;
export const COMM_REDUCE: PatternRank = 3;
export const OUT_ELEMWISE_FUSABLE: PatternRank = 4;
export const TUPLE: PatternRank = 7;
export const OPAQUE: PatternRank = 8;

export const PATTERN_RANK: Readonly<Record<FusionPattern, PatternRank>> = {
  elemwise: ELEMWISE,
  broadcast: BROADCAST,
  injective: INJECTIVE,
  comm_reduce: COMM_REDUCE,
  out_elemwise_fusable: OUT_ELEMWISE_FUSABLE,
  tuple: TUPLE,
  opaque: OPAQUE,
};

/** The harder of two patterns. */
export const combine = (a: PatternRank, b: PatternRank): PatternRank => (a > b ? a : b);
