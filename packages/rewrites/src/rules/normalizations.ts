/**
 * Normalizations spelled out as arithmetic:
 * [passes §6](https://batonjs.github.io/baton/spec/passes#6) and
 * [appendix A](https://batonjs.github.io/baton/spec/passes#A).
 */
import type { Attrs, AttrValue } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { type OperatorTest, ownRule as rule, ruleSet } from '../rule/rule.ts';
import { axesAfter, sizesOf } from './axes.ts';
import { numberLike } from './facts.ts';
import { rulesFromDefinition } from './from-definition.ts';

interface Data {
  readonly x: MatchedValue;
}
interface Guarded extends Data {
  readonly e: AttrValue;
}
/**
 * Facts about a definition: it costs more than the call, and may tell more of the type. A kernel computes
 * in a wider type than narrow floats, whose squares overflow from 256 in float16: it stays whole there.
 */
const DEFINES = {
  needs: ['nsz', 'nnan', 'ninf', 'reassoc', 'arcp', 'range'],
  orient: 'canonical',
  refines: true,
} as const;

/** The number that keeps a divisor from 0. */
const k = ({ e, x }: Guarded): Tensor | undefined => numberLike(x, Number(e));

/** x * scale + shift, both laid along the channels */
const scaled = (scale: string, shift: string): string => `
  %0 = ${scale};
  ?x * expand_dims(%0, axis=1, num_newaxis=?n) + expand_dims(${shift}, axis=1, num_newaxis=?n)`;

const BATCH = { ...DEFINES, let: { n: axesAfter, k } } as const;
const AFFINE_NORM: OperatorTest = (ops, name) => {
  const op = ops.get(name);
  return op?.inputs.length === 3 && op.attrs.fields.some((field) => field.name === 'center');
};
const AFFINE = {
  ...DEFINES,
  operators: { norm: AFFINE_NORM },
  let: { n: axesAfter },
  // The rest can be spelled out, too: groups are split by size.
  profitable: ({ r, x }: Data & { readonly r: Attrs }) =>
    r.num_groups === undefined || sizesOf(x) !== undefined,
} as const;

const BY_DEFINITION = { needs: DEFINES.needs, refines: true } as const;

/** What only training needs. */
export const inference = ruleSet(
  'inference',
  // dropout(x) = x
  rule('nn.dropout', 'nn.dropout(?x, attrs=?r).0', '?x', { orient: 'canonical' }),
);

/** Normalizations in simpler operators. */
export const normalizations = ruleSet(
  'normalizations',

  // batch_norm(x, g, b, m, v) = x * s + (b - m * s) with s = g / sqrt(v + e), as far as asked for
  rule(
    'nn.batch_norm',
    'nn.batch_norm(?x, ?g, ?b, ?m, ?v, axis=?a, epsilon=?e, center=True, scale=True).0',
    scaled('1 / sqrt(?v + ?k) * ?g', 'negative(?m) * %0 + ?b'),
    BATCH,
  ),
  rule(
    'nn.batch_norm without center',
    'nn.batch_norm(?x, ?g, ?b, ?m, ?v, axis=?a, epsilon=?e, center=False, scale=True).0',
    scaled('1 / sqrt(?v + ?k) * ?g', 'negative(?m) * %0'),
    BATCH,
  ),
  rule(
    'nn.batch_norm without scale',
    'nn.batch_norm(?x, ?g, ?b, ?m, ?v, axis=?a, epsilon=?e, center=True, scale=False).0',
    scaled('1 / sqrt(?v + ?k)', 'negative(?m) * %0 + ?b'),
    BATCH,
  ),
  rule(
    'nn.batch_norm without both',
    'nn.batch_norm(?x, ?g, ?b, ?m, ?v, axis=?a, epsilon=?e, center=False, scale=False).0',
    scaled('1 / sqrt(?v + ?k)', 'negative(?m) * %0'),
    BATCH,
  ),

  // norm(x, g, b) = norm(x) * g + b, for norms by the data's own statistics
  rule(
    'center of a norm',
    '?norm(?x, ?g, ?b, axis=?a, center=True, attrs=?r)',
    '?norm(?x, ?g, ?b, axis=?a, center=False, attrs=?r) + expand_dims(?b, axis=1, num_newaxis=?n)',
    AFFINE,
  ),
  rule(
    'scale of a norm',
    '?norm(?x, ?g, ?b, axis=?a, center=False, scale=True, attrs=?r)',
    '?norm(?x, ?g, ?b, axis=?a, center=False, scale=False, attrs=?r) * expand_dims(?g, axis=1, num_newaxis=?n)',
    AFFINE,
  ),

  ...rulesFromDefinition('nn.layer_norm', BY_DEFINITION),
  ...rulesFromDefinition('nn.instance_norm', BY_DEFINITION),
  ...rulesFromDefinition('nn.group_norm', BY_DEFINITION),
  ...rulesFromDefinition('nn.l2_normalize', BY_DEFINITION),
);
