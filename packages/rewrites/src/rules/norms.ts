/** Normalizations that exporters spell out, and batch normalization inside a convolution. */
import type { AttrValue } from '@baton/ir';
import { full } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { sizesOf } from './axes.ts';
import { isLastAxis, numberLike, onlyAxis, onlyNumberOf } from './facts.ts';
import { formulaFor, inOneExpression } from './from-definition.ts';
import { idiom } from './idiom.ts';
import { DETOUR, LAW } from './law.ts';

/** The laws, for formulas with other functions. */
const FORMULA = [...LAW, 'arcp', 'afn'] as const;

/** A vector along the last axis of a term that is filled with a number. */
const filled = (x: MatchedValue, value: number) => {
  const size = sizesOf(x)?.at(-1);
  return size === undefined || x.dtype === undefined ? undefined : full([size], x.dtype, value);
};

/** Whether a term is one vector along the last axis of another. */
const isAlongLast = (vector: MatchedValue, x: MatchedValue): boolean =>
  vector.dims?.length === 1 && vector.dims[0] === x.dims?.at(-1);

/** Whether a term is the same at all places of an axis. */
const isFlatAt = (m: MatchedValue, x: MatchedValue, axis: AttrValue): boolean => {
  const from = onlyAxis(axis, x);
  if (from === undefined || x.dims === undefined || m.dims === undefined) return false;
  const at = from - x.dims.length + m.dims.length;
  return at < 0 || m.dims[at] === 1;
};

/**
 * `nn.layer_norm` without scale and shift, as its definition says it, in the spelling to which the rules
 * lead: variances are means of squares, and divisions by roots products with inverse roots.
 */
const LAYER_NORM = inOneExpression(
  formulaFor('nn.layer_norm', { center: false, scale: false })
    .replace(/variance\((%\d), (%\d),/, 'mean(($1 - $2) * ($1 - $2),')
    .replace('/ sqrt(', '* rsqrt('),
)
  .replaceAll('?data', '?x')
  .replaceAll('?over', '?a')
  .replaceAll('?epsilon', '?e');

/** Normalizations that are operators. */
export const norms = ruleSet(
  'norms',
  rule(
    'layer norm',
    LAYER_NORM,
    'nn.layer_norm(?x, ?g, ?b, epsilon=?f, center=False, scale=False)',
    {
      let: {
        f: ({ e }) => onlyNumberOf(e as MatchedValue),
        g: ({ x }) => filled(x as MatchedValue, 1),
        b: ({ x }) => filled(x as MatchedValue, 0),
      },
      when: ({ a, x }) => isLastAxis(a as AttrValue, x as MatchedValue),
      needs: FORMULA,
    },
  ),
  rule(
    'scale of layer norm',
    'nn.layer_norm(?x, ?g, ?b, epsilon=?e, center=False, scale=False) * ?s',
    'nn.layer_norm(?x, ?s, ?b, epsilon=?e, center=False)',
    { when: ({ s, x }) => isAlongLast(s, x), needs: LAW },
  ),
  rule(
    'shift of layer norm',
    'nn.layer_norm(?x, ?g, ?b, epsilon=?e, center=False) + ?s',
    'nn.layer_norm(?x, ?g, ?s, epsilon=?e)',
    { when: ({ s, x }) => isAlongLast(s, x), needs: LAW },
  ),
  rule(
    'variance',
    'variance(?x, mean(?x, axis=?a, keepdims=True), axis=?a, keepdims=True)',
    'mean((?x - mean(?x, axis=?a, keepdims=True)) * (?x - mean(?x, axis=?a, keepdims=True)), axis=?a, keepdims=True)',
    { needs: DETOUR, orient: 'both' },
  ),
  rule('softmax', 'exp(?x) / sum(exp(?x), axis=?a, keepdims=True)', 'nn.softmax(?x, axis=?i)', {
    let: { i: ({ a, x }) => onlyAxis(a, x) },
    needs: FORMULA,
  }),
  // Neither sees a shift that is the same for all that are summed.
  rule('softmax of shifted', 'nn.softmax(?x - ?m, axis=?a)', 'nn.softmax(?x, axis=?a)', {
    when: ({ a, x, m }) => isFlatAt(m, x, a),
    needs: LAW,
  }),
  rule(
    'log softmax of shifted',
    'nn.log_softmax(?x - ?m, axis=?a)',
    'nn.log_softmax(?x, axis=?a)',
    {
      when: ({ a, x, m }) => isFlatAt(m, x, a),
      needs: LAW,
    },
  ),
  rule('log of softmax', 'log(nn.softmax(?x, axis=?a))', 'nn.log_softmax(?x, axis=?a)', {
    needs: FORMULA,
  }),
  rule(
    'log softmax',
    '?x - log(sum(exp(?x), axis=?a, keepdims=True))',
    'nn.log_softmax(?x, axis=?i)',
    {
      let: { i: ({ a, x }) => onlyAxis(a, x) },
      needs: FORMULA,
    },
  ),
  rule(
    'batch norm of conv2d',
    'nn.batch_norm(nn.conv2d(?x, ?w, attrs=?c, data_layout="NCHW", kernel_layout="OIHW"), ?g, ?b, ?m, ?v, epsilon=?e).0',
    '%0 = ?g * rsqrt(?v + ?f); nn.conv2d(?x, ?w * reshape(%0, newshape=[-1, 1, 1, 1]), attrs=?c) + reshape(?b - ?m * %0, newshape=[-1, 1, 1])',
    {
      let: { f: ({ e, v }) => numberLike(v, Number(e)) },
      needs: [...FORMULA, 'range'],
      orient: 'canonical',
    },
  ),
);

/** Normalizations for which Relay has no operator, as kernels. RMS norm: Zhang, Sennrich, 2019. */
export const normKernels = ruleSet(
  'norm kernels',
  idiom('rms_norm', '?x * rsqrt(mean(?x * ?x, axis=?a, keepdims=True) + ?e) * ?g'),
);
