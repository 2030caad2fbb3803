/** The rounding of a second program that computes in a narrower dtype than the first. */
import type { Random } from '@baton/base';
import { type IRModule, postOrderExprs } from '@baton/ir';
import { castNumber, type DType, type Spacing, spacingOf, toNumbers } from '@baton/tensor';
import { mapInputs } from '../baseline.ts';
import { hasConstantsOf } from '../exact-constants.ts';
import { changed, mapFloats, resultTensors, type Watch } from '../observe.ts';
import type { Disturbance } from './deviation.ts';

export interface NarrowSpacing extends Spacing {
  readonly dtype: DType;
}

/** Why a regime that would need the dtype is not applied. */
export const UNKNOWN_TYPE = 'it is not known to which type constants were rounded';

/** Narrowest first. */
const SPACINGS: ReadonlyArray<NarrowSpacing> = (['bfloat16', 'float16'] as const).map((dtype) => ({
  dtype,
  ...spacingOf(dtype),
}));

export interface NarrowWatch {
  readonly watch: Watch;
  /**
   * The narrowest dtype so far; `undefined` if none is narrow, and `'unknown'` if only constants
   * may have been rounded, before the program ran.
   */
  readonly narrowest: () => NarrowSpacing | 'unknown' | undefined;
  readonly hasOverflowed: () => boolean;
}

/** Watches the second program for narrow dtypes, starting with those of its constants. */
export function makeNarrowWatch(before: IRModule, m: IRModule): NarrowWatch {
  const seen = new Set<DType>();
  for (const node of postOrderExprs([...m.functions.values()])) {
    if (node._tag === 'Constant') seen.add(node.data.dtype);
  }
  let overflowed = false;
  return {
    watch: (_name, _attrs, result) => {
      for (const t of resultTensors(result)) {
        if (!SPACINGS.some(({ dtype }) => dtype === t.dtype)) continue;
        seen.add(t.dtype);
        overflowed ||= !toNumbers(t).every(Number.isFinite);
      }
      return result;
    },
    narrowest: () =>
      SPACINGS.find(({ dtype }) => seen.has(dtype)) ??
      (hasConstantsOf(before, m) ? undefined : 'unknown'),
    hasOverflowed: () => overflowed,
  };
}

/**
 * The rounding to a narrow dtype as disturbances, one for each run: the first rounds every number
 * to the dtype, the others move it by up to one spacing.
 */
export function makeRounding(
  { dtype, epsilon, least }: NarrowSpacing,
  random: Random,
): () => Disturbance {
  let runs = 0;
  const moved = (x: number): number =>
    x * (1 + epsilon * (2 * random() - 1)) + least * (2 * random() - 1);
  return (): Disturbance => {
    const change = runs++ === 0 ? (x: number) => castNumber(x, dtype) : moved;
    return {
      watch: (_name, _attrs, result) => mapFloats(result, change),
      inputs: (inputs) => mapInputs(inputs, (t) => changed(t, change)),
    };
  };
}
