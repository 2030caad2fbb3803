/** Attention: one spelling, the rules that lead to it, and a kernel. */
import type { Dim } from '@baton/ir';
import { dtypeInfo } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { sizesOf } from './axes.ts';
import { fillOf, isLastAxis, isSized, numberLike, numberOf } from './facts.ts';
import { idiom } from './idiom.ts';
import { DETOUR, LAW } from './law.ts';

const isNumber = ({ c }: { readonly c: MatchedValue }): boolean => numberOf(c) !== undefined;

/** Whether a scale makes nothing larger, so that no element overflows before others meet it. */
const isShrinking = ({ c }: { readonly c: MatchedValue }): boolean =>
  Math.abs(numberOf(c) ?? 2) <= 1;

/** The least scale that takes so few digits from a query's small numbers that the scores keep theirs. */
const LEAST_SCALE = 2 ** -4;

/** The two sizes of the matrices in a tensor. */
const matrix = ({ dims }: MatchedValue): ReadonlyArray<Dim> | undefined =>
  dims === undefined || dims.length < 2 ? undefined : dims.slice(-2);

/** Whether a reshape leaves the matrices of a tensor as they are. */
const keepsMatrices = (x: MatchedValue, result: MatchedValue): boolean => {
  const [from, to] = [matrix(x), matrix(result)];
  return from?.every((dim, i) => typeof dim === 'number' && dim === to?.[i]) === true;
};

/** The sizes of a term, padded with leading 1s to the rank of the result; its batch repeated if it has one. */
function repeated(m: MatchedValue, result: MatchedValue): ReadonlyArray<number> | undefined {
  const [own, all] = [sizesOf(m), sizesOf(result)];
  if (own === undefined || all === undefined || all.length < 2) return undefined;
  const padded = [...all.map(() => 1), ...own].slice(-all.length);
  const batch = padded.slice(0, -2);
  return batch.every((size) => size === 1) ? padded : [...all.slice(0, -2), ...padded.slice(-2)];
}

/** Those sizes with the batch as another tensor has it. */
function regrouped(
  m: MatchedValue,
  x: MatchedValue,
  result: MatchedValue,
): ReadonlyArray<number> | undefined {
  const [sizes, own] = [repeated(m, result), sizesOf(x)];
  if (sizes === undefined || own === undefined) return undefined;
  const isOne = sizes.slice(0, -2).every((size) => size === 1);
  const batch = own.slice(0, -2);
  return [...(isOne ? batch.map(() => 1) : batch), ...sizes.slice(-2)];
}

/** A number to which adding scores up to half its spacing changes nothing: 2^103 of 32 bits, but 16 of float16. */
const HIDES = -1e30;

/**
 * Whether a term is a number that hides scores in a sum: minus infinity, or the least float. That no
 * score is as large as half the spacing of floats there is for the user to know: no fact tells it.
 */
const hides = ({ n, x }: { readonly n: MatchedValue; readonly x: MatchedValue }): boolean => {
  const least = n.dtype === undefined ? 0 : Number(dtypeInfo(n.dtype).min);
  const fill = fillOf(n);
  if (x.constant !== undefined || fill === undefined) return false;
  return fill === Number.NEGATIVE_INFINITY || (fill === least && least < HIDES);
};

/** The one spelling of attention: matrices in batches of one axis, the scale on the query, a mask. */
export const attention = ruleSet(
  'attention',
  rule('scale of reshaped', 'reshape(?x, attrs=?a) * ?c', 'reshape(?x * ?c, attrs=?a)', {
    when: isNumber,
    orient: 'canonical',
  }),
  rule(
    'scale of batch_matmul',
    'nn.batch_matmul(?x, ?y, attrs=?a) * ?c',
    'nn.batch_matmul(?x * ?c, ?y, attrs=?a)',
    {
      when: isShrinking,
      within: ({ c }) => isSized(c, LEAST_SCALE, 1),
      needs: DETOUR,
      orient: 'canonical',
    },
  ),
  rule(
    'sum with reshaped',
    'reshape(?x, attrs=?a) + ?m',
    'reshape(?x + reshape(broadcast_to(?m, shape=?s), newshape=?n), attrs=?a)',
    {
      let: {
        s: ({ m, result }) => repeated(m, result),
        n: ({ m, x, result }) => regrouped(m, x, result),
      },
      when: ({ x, result }) => keepsMatrices(x, result),
      orient: 'canonical',
    },
  ),
  rule('softmax of last', 'nn.softmax(?x, axis=?i)', 'nn.softmax(?x)', {
    when: ({ i, x }) => i !== -1 && isLastAxis(i, x),
    orient: 'canonical',
  }),
  rule(
    'softmax of reshaped',
    'nn.softmax(reshape(?x, attrs=?a))',
    'reshape(nn.softmax(?x), attrs=?a)',
    {
      when: ({ x, result }) => keepsMatrices(x, result),
      orient: 'canonical',
    },
  ),
  rule('masked where not', 'where(?c, ?n, ?x)', '?x + where(?c, ?n, ?z)', {
    let: { z: ({ n }) => numberLike(n, 0) },
    when: hides,
    needs: LAW,
    orient: 'canonical',
  }),
  rule('masked where', 'where(?c, ?x, ?n)', '?x + where(?c, ?z, ?n)', {
    let: { z: ({ n }) => numberLike(n, 0) },
    when: hides,
    needs: LAW,
    orient: 'canonical',
  }),
  rule(
    'sum of masks',
    '(nn.batch_matmul(?q, ?k, attrs=?a) + ?m) + ?n',
    'nn.batch_matmul(?q, ?k, attrs=?a) + (?m + ?n)',
    {
      within: ({ m, n }) => m.constant !== undefined && n.constant !== undefined,
      needs: DETOUR,
      orient: 'canonical',
    },
  ),
  // No mask is a mask of zeros.
  rule(
    'unmasked',
    'nn.softmax(nn.batch_matmul(?q, ?k, attrs=?a))',
    'nn.softmax(nn.batch_matmul(?q, ?k, attrs=?a) + 0)',
    {
      needs: ['nsz'],
      orient: 'both',
    },
  ),
  idiom(
    'attention',
    'nn.batch_matmul(nn.softmax(nn.batch_matmul(?q, ?k, attrs=?a) + ?m), ?v, attrs=?b)',
  ),
);
