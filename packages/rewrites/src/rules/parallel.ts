/** Products that share an input, computed as one: Chen et al., TVM, 2018; Yang et al., Tensat, 2021. */
import type { Result } from '@baton/base';
import { type AttrValue, type Dim, isStaticDim } from '@baton/ir';
import { fusionColumn } from '@baton/ops';
import type { MatchedValue } from '../rule/matched-value.ts';
import type { MatchedHoles } from '../rule/names.ts';
import { type OperatorTest, type Rule, ownRule as rule, ruleSet } from '../rule/rule.ts';
import { fromFront } from './axes.ts';

/** A product of an input and a weight. */
interface Product {
  readonly op: string;
  /** The attribute that counts the elements of a result, which the product may leave out. */
  readonly size: string;
  /** What it must say for the axes to be those. */
  readonly stated?: string;
  /** The axis of the weight along which the results lie, and the axis of the result. */
  readonly from: number;
  readonly to: number;
  /** The sum of a product and a bias along that axis of the result. */
  readonly biased: (product: string, bias: string) => string;
}

const PARTS = ['0', '1', '2'] as const;

/**
 * `x·w0, x·w1 = split(x·concatenate(w0, w1))`, with or without biases. Whether this pays is a matter
 * of cost: weights that are constants are stacked beforehand.
 */
function parallel(product: Product, count: number, isBiased: boolean): Result<Rule> {
  const { op, size, stated = '', from, to, biased } = product;
  const parts = PARTS.slice(0, count);
  const withBias = (y: string, b: string): string => (isBiased ? biased(y, b) : y);
  const joined = (hole: string): string => `(${parts.map((part) => `?${hole}${part}`).join()})`;
  const weight = `concatenate(${joined('w')}, axis=${from})`;
  const whole = withBias(`${op}(?x, ${weight}, ${stated}attrs=?a)`, `concatenate(${joined('b')})`);
  const all = (holes: MatchedHoles, hole: string): ReadonlyArray<MatchedValue> =>
    parts.map((part) => holes[`${hole}${part}`] as MatchedValue);
  return rule(
    `${count} of ${op}${isBiased ? ' with biases' : ''}`,
    parts.map((i) => withBias(`${op}(?x, ?w${i}, ${size}=?n${i}, ${stated}attrs=?a)`, `?b${i}`)),
    parts.map((part) => `split(${whole}, indices_or_sections=?i, axis=${to}).${part}`),
    {
      let: { i: (holes: MatchedHoles) => cutsOf(all(holes, 'w').map(({ dims }) => dims?.[from])) },
      // The types of sums of anything else do not fit.
      profitable: (holes: MatchedHoles) =>
        !isBiased || all(holes, 'b').every(({ dims }) => dims?.length === 1),
      orient: 'canonical',
      symmetric: true,
    },
  );
}

/** Two products and three, with and without biases. */
const allOf = (product: Product): ReadonlyArray<Result<Rule>> =>
  [2, 3].flatMap((count) => [parallel(product, count, false), parallel(product, count, true)]);

/** A tensor at indices of an axis. */
interface Taken {
  readonly x: MatchedValue;
  readonly i: MatchedValue;
  readonly k: AttrValue;
}

/**
 * `x[i] · w = (x · w)[i]`: of several indices, such as the time steps of an unrolled network, all products
 * become one.
 */
function ofOne({ op, stated = '' }: Pick<Product, 'op' | 'stated'>): Result<Rule> {
  const times = (x: string): string => `${op}(${x}, ?w, ${stated}attrs=?a)`;
  const one = (x: string): string => `take(${x}, ?i, axis=?k, batch_dims=0, attrs=?t)`;
  return rule(`${op} of one`, times(one('?x')), one(times('?x')), {
    when: (holes: MatchedHoles) => isOuter(holes as unknown as Taken),
    profitable: (holes: MatchedHoles) => isStepOfData(holes as unknown as Taken),
    orient: 'canonical',
  });
}

/** Whether the axis is not the one that a product sums over. */
const isOuter = ({ x: { dims }, k }: Taken): boolean =>
  dims !== undefined && k !== null && fromFront(k, dims.length) < dims.length - 1;

/** Whether the index is known and the data are not: a table of constants would become another table. */
const isStepOfData = ({ x, i }: Taken): boolean =>
  x.constant === undefined && i.constant !== undefined;

/** The places between parts of these sizes, if all are known. */
function cutsOf(sizes: ReadonlyArray<Dim | undefined>): ReadonlyArray<number> | undefined {
  const cuts: number[] = [];
  for (const size of sizes) {
    if (size === undefined || !isStaticDim(size)) return undefined;
    cuts.push((cuts.at(-1) ?? 0) + size);
  }
  return cuts.slice(0, -1);
}

/** Elementwise operators of one tensor. */
const elementwise: OperatorTest = (ops, name) =>
  ops.read(fusionColumn, name) === 'elemwise' && ops.get(name)?.inputs.length === 1;

/** Products that share an input, and functions of the parts of a result. */
export const parallels = ruleSet(
  'parallels',
  allOf({ op: 'nn.dense', size: 'units', from: 0, to: -1, biased: (y, b) => `${y} + ${b}` }),
  allOf({ op: 'nn.matmul', size: 'units', from: 1, to: -1, biased: (y, b) => `${y} + ${b}` }),
  allOf({
    op: 'nn.conv2d',
    size: 'channels',
    stated: 'groups=1, data_layout="NCHW", kernel_layout="OIHW", ',
    from: 0,
    to: 1,
    biased: (y, b) => `nn.bias_add(${y}, ${b})`,
  }),
  ofOne({ op: 'nn.dense' }),
  ofOne({ op: 'nn.matmul', stated: 'transpose_a=False, ' }),
  ...PARTS.map((part) =>
    rule(
      `op(part ${part})`,
      `?op(split(?x, attrs=?s).${part}, attrs=?a)`,
      `split(?op(?x, attrs=?a), attrs=?s).${part}`,
      { operators: { op: elementwise }, orient: 'canonical' },
    ),
  ),
);
