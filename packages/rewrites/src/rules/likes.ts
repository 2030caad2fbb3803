/**
 * Results that take their shape or type from another tensor:
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import { tensor } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { allowZero, sizesOf } from './axes.ts';

interface Matched {
  readonly result: MatchedValue;
}

/** The sizes of the result, where all are known. */
const s = ({ result }: Matched): ReadonlyArray<number> | undefined => sizesOf(result);
/** The element type of the result. */
const d = ({ result }: Matched): string | undefined => result.dtype;
const z = (holes: Matched): number | undefined => allowZero(s(holes));

const KNOWN = { let: { s }, orient: 'canonical' } as const;
const TYPED = { let: { s, d }, orient: 'canonical' } as const;

/** What is like another tensor, where the type is known: the other is not needed. */
export const likes = ruleSet(
  'likes',
  rule('zeros_like', 'zeros_like(?x)', 'zeros(shape=?s, dtype=?d)', TYPED),
  rule('ones_like', 'ones_like(?x)', 'ones(shape=?s, dtype=?d)', TYPED),
  rule('full_like', 'full_like(?x, ?c)', 'full(?c, shape=?s, dtype=?d)', TYPED),
  rule('cast_like', 'cast_like(?x, ?y)', 'cast(?x, dtype=?d)', {
    let: { d },
    orient: 'canonical',
  }),
  rule('broadcast_to_like', 'broadcast_to_like(?x, ?y)', 'broadcast_to(?x, shape=?s)', KNOWN),
  rule('reshape_like', 'reshape_like(?x, ?y, attrs=?a)', 'reshape(?x, newshape=?s, allowzero=?z)', {
    let: { s, z },
    orient: 'canonical',
  }),
  rule('collapse_sum_like', 'collapse_sum_like(?x, ?y)', 'collapse_sum_to(?x, ?t)', {
    let: {
      t: (holes) => {
        const sizes = s(holes);
        return sizes && tensor(sizes, [sizes.length], 'int32');
      },
    },
    orient: 'canonical',
  }),
);
