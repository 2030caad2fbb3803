/** Casts and bounds: [passes §7](https://batonjs.github.io/baton/spec/passes#7). */
import type { AttrValue } from '@baton/ir';
import { type DType, type DTypeKind, dtypeInfo, isDType, isInteger } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';

/** Bits of the integers that a float type holds without rounding. */
const EXACT_BITS: ReadonlyMap<DType, number> = new Map([
  ['float16', 11],
  ['float32', 24],
  ['float64', 53],
]);

/** Kinds that are compared with no other. */
const ALONE: ReadonlySet<DTypeKind> = new Set(['bfloat', 'small']);

/**
 * Whether a type holds every value of another. int32 to float32 is no such step, though Relay takes
 * it for one: it rounds.
 */
function holdsEvery(wide: AttrValue, { dtype: narrow }: MatchedValue): boolean {
  if (!isDType(wide) || narrow === undefined) return false;
  const [to, from] = [dtypeInfo(wide), dtypeInfo(narrow)];
  if (ALONE.has(to.kind) || ALONE.has(from.kind)) return false;
  if (to.kind === from.kind) return to.bits >= from.bits;
  const exact = EXACT_BITS.get(wide);
  return exact !== undefined && (from.kind === 'int' || from.kind === 'uint') && from.bits <= exact;
}

/** Whether the numbers of a tensor lie between two bounds. */
const isWithin = ({ range }: MatchedValue, least: Bound, most: Bound): boolean =>
  range !== undefined && least <= range[0] && range[1] <= most;

/** A bound; of 64-bit integers it is a bigint, which compares exactly with a number. */
type Bound = number | bigint;

const isIntegerType = (dtype: unknown): dtype is DType => isDType(dtype) && isInteger(dtype);

/** Whether the integers of a type hold all numbers of a tensor, but for their fractions. */
const holdsRange = (dtype: AttrValue, x: MatchedValue): boolean => {
  if (!isIntegerType(dtype)) return false;
  const { min, max } = dtypeInfo(dtype);
  return isWithin(x, min, max);
};

/** Casts and bounds that do nothing, or that another does again. */
export const casts = ruleSet(
  'casts',

  // cast(x, type of x) = x
  rule('cast to the same', 'cast(?x, dtype=?d)', '?x'),
  // cast(cast(x, wide), to) = cast(x, to)
  rule('cast of widening', 'cast(cast(?x, dtype=?w), dtype=?d)', 'cast(?x, dtype=?d)', {
    when: ({ w, x }) => holdsEvery(w, x),
    orient: 'canonical',
  }),
  // cast(cast(x, narrow), to) = cast(x, to) where x fits; one cast must cut fractions off.
  rule('cast of bounded', 'cast(cast(?x, dtype=?w), dtype=?d)', 'cast(?x, dtype=?d)', {
    when: ({ w, d, x }) =>
      holdsRange(w, x) && !holdsEvery(w, x) && (isIntegerType(d) || isIntegerType(x.dtype)),
    needs: ['nnan'],
    orient: 'canonical',
  }),

  // clip(x, a, b) = x where x lies between
  rule('clip of nothing', 'clip(?x, a_min=?a, a_max=?b)', '?x', {
    when: ({ a, b, x }) => isWithin(x, Number(a), Number(b)),
    needs: ['nsz'],
  }),
  // relu(x) = x where x is not negative
  rule('relu of nothing', 'nn.relu(?x)', '?x', {
    when: ({ x }) => isWithin(x, 0, Number.POSITIVE_INFINITY),
    needs: ['nsz'],
  }),
);
