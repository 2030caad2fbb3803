/**
 * Operands of which every element is one value: [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import type { AttrValue } from '@baton/ir';
import { fusionColumn, haveSameShape } from '@baton/ops';
import { cast, isDType, scalar, type Tensor } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { type OperatorTest, ownRule as rule, ruleSet } from '../rule/rule.ts';

/** Operators of two operands that broadcast. */
const op: OperatorTest = (ops, name) =>
  ops.read(fusionColumn, name) === 'broadcast' &&
  ops
    .get(name)
    ?.inputs.map((input) => input.name)
    .join() === 'lhs,rhs';

interface Operand {
  readonly x: MatchedValue;
  readonly result: MatchedValue;
}

const ALONE = { operators: { op }, orient: 'canonical' } as const;

/** The other operand has the shape of the result: one that is like an open shape may broadcast. */
const LIKE = {
  ...ALONE,
  when: ({ x, result }: Operand): boolean => haveSameShape(x.type, result.type),
} as const;

const number = (value: number, dtype: AttrValue | undefined): Tensor | undefined =>
  isDType(dtype) ? scalar(value, dtype) : undefined;

interface Stated {
  readonly d: AttrValue;
}
interface Like {
  readonly y: MatchedValue;
}

const ZEROS = { ...ALONE, let: { k: ({ d }: Stated) => number(0, d) } } as const;
const ONES = { ...ALONE, let: { k: ({ d }: Stated) => number(1, d) } } as const;
const ZEROS_LIKE = { ...LIKE, let: { k: ({ y }: Like) => number(0, y.dtype) } } as const;
const ONES_LIKE = { ...LIKE, let: { k: ({ y }: Like) => number(1, y.dtype) } } as const;
const FULL = {
  ...ALONE,
  let: {
    k: ({ c, d }: Stated & { readonly c: MatchedValue }) =>
      isDType(d) && c.constant ? cast(c.constant, d) : undefined,
  },
} as const;
const FULL_LIKE = {
  ...LIKE,
  let: { k: ({ c }: { readonly c: MatchedValue }) => c.constant },
} as const;

/** op(x, full(c)) = op(x, c), on either side */
export const fills = ruleSet(
  'fills',
  rule(
    'op(x, zeros)',
    '?op(?x, zeros(shape=?s, dtype=?d), attrs=?a)',
    '?op(?x, ?k, attrs=?a)',
    ZEROS,
  ),
  rule(
    'op(zeros, x)',
    '?op(zeros(shape=?s, dtype=?d), ?x, attrs=?a)',
    '?op(?k, ?x, attrs=?a)',
    ZEROS,
  ),
  rule('op(x, ones)', '?op(?x, ones(shape=?s, dtype=?d), attrs=?a)', '?op(?x, ?k, attrs=?a)', ONES),
  rule('op(ones, x)', '?op(ones(shape=?s, dtype=?d), ?x, attrs=?a)', '?op(?k, ?x, attrs=?a)', ONES),
  rule(
    'op(x, full)',
    '?op(?x, full(?c, shape=?s, dtype=?d), attrs=?a)',
    '?op(?x, ?k, attrs=?a)',
    FULL,
  ),
  rule(
    'op(full, x)',
    '?op(full(?c, shape=?s, dtype=?d), ?x, attrs=?a)',
    '?op(?k, ?x, attrs=?a)',
    FULL,
  ),
  rule(
    'op(x, zeros_like)',
    '?op(?x, zeros_like(?y), attrs=?a)',
    '?op(?x, ?k, attrs=?a)',
    ZEROS_LIKE,
  ),
  rule(
    'op(zeros_like, x)',
    '?op(zeros_like(?y), ?x, attrs=?a)',
    '?op(?k, ?x, attrs=?a)',
    ZEROS_LIKE,
  ),
  rule('op(x, ones_like)', '?op(?x, ones_like(?y), attrs=?a)', '?op(?x, ?k, attrs=?a)', ONES_LIKE),
  rule('op(ones_like, x)', '?op(ones_like(?y), ?x, attrs=?a)', '?op(?k, ?x, attrs=?a)', ONES_LIKE),
  rule(
    'op(x, full_like)',
    '?op(?x, full_like(?y, ?c), attrs=?a)',
    '?op(?x, ?k, attrs=?a)',
    FULL_LIKE,
  ),
  rule(
    'op(full_like, x)',
    '?op(full_like(?y, ?c), ?x, attrs=?a)',
    '?op(?k, ?x, attrs=?a)',
    FULL_LIKE,
  ),
);
