/** Quotients by constants as products: [passes §29](https://batonjs.github.io/baton/spec/passes#29). */
import { fromNumbers, isFloat, type Tensor, toNumbers } from '@baton/tensor';
import { holds } from '../match/loss.ts';
import type { MatchedValue } from '../rule/matched-value.ts';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';

interface Divided {
  readonly n: MatchedValue;
}

/** The reciprocals of constants, if none is subnormal or overflows: they have all the digits. */
function reciprocal({ n: { constant } }: Divided): Tensor | undefined {
  if (constant === undefined || !isFloat(constant.dtype)) return undefined;
  const { dtype, shape } = constant;
  const inverses = Float64Array.from(toNumbers(constant), (number) => 1 / number);
  const hasDigits = inverses.every((inverse) => Number.isFinite(inverse) && holds(dtype, inverse));
  return hasDigits ? fromNumbers(inverses, shape, dtype) : undefined;
}

const arePowersOfTwo = ({ n: { constant } }: Divided): boolean =>
  constant !== undefined &&
  toNumbers(constant).every((number) => {
    const size = Math.abs(number);
    return size > 0 && 2 ** Math.round(Math.log2(size)) === size;
  });

/** x / n = x * (1 / n): a part of `spellings`. */
export const reciprocals = ruleSet(
  'reciprocals',
  // A power of two has an exact inverse, which changes no bit.
  rule('x / 2^k', '?x / ?n', '?x * ?c', {
    let: { c: (holes) => (arePowersOfTwo(holes) ? reciprocal(holes) : undefined) },
    orient: 'canonical',
  }),
  rule('x / n', '?x / ?n', '?x * ?c', {
    let: { c: reciprocal },
    needs: ['arcp'],
    orient: 'canonical',
  }),
);
