/** Programs of one product of floats, and of calls that compiled code computes before the sums are stored. */
import type { Random } from '@baton/base';
import { type Attrs, constant, type Expr, func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps as ops } from '@baton/ops';
import { fromNumbers, type Shape, scalar, type Tensor } from '@baton/tensor';
import { PRODUCT_SITES, type ProductSite } from './product-sites.ts';
import { floats, type KernelProgram, oneOf } from './program.ts';

const call = (name: string, args: ReadonlyArray<Expr>, attrs: Attrs = {}): Expr =>
  callOp(ops, name, args, attrs);

const double = (value: number): Expr => constant(scalar(value, 'float64'));

/** What follows a product. */
const ENDINGS: ReadonlyArray<(random: Random, sum: Expr, site: ProductSite) => Expr> = [
  (_, sum) => sum,
  (_, sum) => call('nn.relu', [call('multiply', [sum, double(0.3)])]),
  (random, sum, { axis, channels }) => {
    const bias = Array.from({ length: channels }, () => random() - 0.5);
    const added = constant(fromNumbers(bias, [channels], 'float64'));
    return call('clip', [call('nn.bias_add', [sum, added], { axis })], { a_min: -1, a_max: 0.5 });
  },
  (_, sum) => {
    const isLess = call('less', [sum, double(0.1)]);
    return call('where', [isLess, call('negative', [sum]), call('divide', [sum, double(3)])]);
  },
  (_, sum) => call('tanh', [sum]),
];

/** The kinds of products. */
export const FLOAT_PRODUCTS: ReadonlyArray<string> = Object.keys(PRODUCT_SITES);

/** A program of one product of a kind, in float64. */
export function doubleProduct(kind: string, random: Random): KernelProgram {
  const site = (PRODUCT_SITES[kind] as (random: Random) => ProductSite)(random);
  const given = (shape: Shape): Tensor => {
    // Doubles with bits that a float does not have.
    const [high, low] = [floats(random, shape), floats(random, shape)];
    const numbers = Array.from(
      high.data as Float32Array,
      (x, i) => x + Number(low.data[i]) / 2 ** 24,
    );
    return fromNumbers(numbers, [...shape], 'float64');
  };
  const values = [given(site.data), given(site.weight)] as const;
  const [x, w] = [
    variable('x', tensorType([...site.data], 'float64')),
    variable('w', tensorType([...site.weight], 'float64')),
  ];
  const isConstant = random() < 0.5;
  const turned = site.name === 'batch_matmul' ? { transpose_b: true } : {};
  const attrs = { ...site.attrs, ...turned };
  const sum = call(`nn.${site.name}`, [x, isConstant ? constant(values[1]) : w], attrs);
  const body = oneOf(random, ENDINGS)(random, sum, site);
  const main = func(isConstant ? [x] : [x, w], body);
  const module = irModule({ ops, functions: new Map([['main', main]]) });
  return { module, args: isConstant ? values.slice(0, 1) : values };
}
