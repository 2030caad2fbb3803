/**
 * The half of a GELU, which FoldScaleAxis has moved into the weight of the product after it: with it
 * the formula is whole again, and runtimes find it and compute it at once. Halves are exact.
 */
import { fromNumbers, type Tensor, toNumbers } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand, operand } from '../graph-builder.ts';
import { matchNode, node } from './match.ts';
import type { Step } from './steps.ts';

/** x · (erf(x / √2) + 1), which is twice the GELU of x. */
const TWICE = [node('Div', 'x', Math.SQRT2), node('Mul', 'x', Math.SQRT1_2)].map((scaled) =>
  node('Mul', 'x', node('Add', node('Erf', scaled), 1)),
);

const PRODUCTS: ReadonlySet<string> = new Set(['MatMul', 'Gemm']);

export const halves: Step = (product, graph) => {
  const [x, weight, ...others] = product.inputs;
  const made = graph.maker(x);
  if (!PRODUCTS.has(product.opType) || x === undefined || !weight?.constant) return undefined;
  if (made === undefined || !graph.isUsedOnce(x)) return undefined;
  if (!TWICE.some((formula) => matchNode(formula, made, graph))) return undefined;
  const whole: Operand = operand(x.type);
  const half = constantOperand(fromNumbers(Float64Array.of(0.5), [], weight.constant.dtype));
  const twice = constantOperand(doubled(weight.constant), weight.hint);
  return [
    { ...made, opType: 'Mul', inputs: [x, half], outputs: [whole], attributes: {} },
    { ...product, inputs: [whole, twice, ...others] },
  ];
};

const doubled = (weight: Tensor): Tensor => {
  const values = Float64Array.from(toNumbers(weight), (value) => 2 * value);
  return fromNumbers(values, weight.shape, weight.dtype);
};
