/** Activation functions that several operators contain. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../operator-api/importer.ts';
import { inWide } from './element-types.ts';

export type Activation = (x: Expr) => Expr;

export const ELU = 'where(?x < 0, (exp(?x) - 1) * ?alpha, ?x)';

export const HARD_SIGMOID = 'clip(?x * ?alpha + ?beta, a_min=0.0, a_max=1.0)';

export const SOFTSIGN = '?x / (abs(?x) + 1)';

export const THRESHOLDED_RELU = 'where(?x > ?alpha, ?x, 0)';

/**
 * log(1 + eˣ) as max(x, 0) + log(1 + w) where w is e^−|x|, which does not overflow; and log(1 + w) as
 * log(s) + (w − (s − 1)) / s, where s is 1 + w with what rounding has lost.
 */
const LOG1P_EXP = 'maximum(?x, 0) + (log(%1) + (%0 - (%1 - 1)) / %1)';
const OF_DECAY = '%0 = exp(negative(abs(?x))); %1 = %0 + 1;';
export const SOFTPLUS = `${OF_DECAY} ${LOG1P_EXP}`;
export const MISH = `${OF_DECAY} ?x * tanh(${LOG1P_EXP})`;

interface NamedActivation {
  readonly alpha?: number;
  readonly beta?: number;
  readonly formula: string;
}

/** By name in small letters: runtimes do not tell capitals. */
const ACTIVATIONS: Readonly<Record<string, NamedActivation>> = {
  relu: { formula: 'nn.relu(?x)' },
  tanh: { formula: 'tanh(?x)' },
  sigmoid: { formula: 'sigmoid(?x)' },
  softsign: { formula: SOFTSIGN },
  softplus: { formula: SOFTPLUS },
  affine: { alpha: 1, beta: 0, formula: '?x * ?alpha + ?beta' },
  leakyrelu: { alpha: 0.01, formula: 'nn.leaky_relu(?x, alpha=?alpha)' },
  thresholdedrelu: { alpha: 1, formula: THRESHOLDED_RELU },
  scaledtanh: { alpha: 1, beta: 1, formula: 'tanh(?x * ?beta) * ?alpha' },
  hardsigmoid: { alpha: 0.2, beta: 0.5, formula: HARD_SIGMOID },
  elu: { alpha: 1, formula: ELU },
};

/** The functions that other operators fuse: limits, too. */
const FUSED: Readonly<Record<string, NamedActivation>> = {
  ...ACTIVATIONS,
  clip: {
    alpha: Number.NEGATIVE_INFINITY,
    beta: Number.POSITIVE_INFINITY,
    formula: 'clip(?x, a_min=?alpha, a_max=?beta)',
  },
};

/**
 * The activation functions of a node, from its attributes, or these for each direction; `undefined`
 * after a failure. The lists of parameters have one entry for each function that takes it.
 */
export function activations(
  context: NodeContext,
  defaults: ReadonlyArray<string>,
  directions: number,
): ReadonlyArray<Activation> | undefined {
  const { attributes, formula } = context;
  const given = attributes.strings('activations');
  const names = given ?? Array.from({ length: directions }, () => defaults).flat();
  const expected = defaults.length * directions;
  if (names.length !== expected) {
    const message = `expected ${expected} activation functions, found ${names.length}`;
    return context.fail('ONNX_ATTRIBUTE', message);
  }
  const alphas = [...(attributes.floats('activation_alpha') ?? [])];
  const betas = [...(attributes.floats('activation_beta') ?? [])];
  const found: Activation[] = [];
  for (const name of names) {
    const key = name.toLowerCase();
    const activation = Object.hasOwn(ACTIVATIONS, key) ? ACTIVATIONS[key] : undefined;
    if (activation === undefined) {
      return context.fail('ONNX_ATTRIBUTE', `the activation function ${name} is not imported`);
    }
    const alpha = activation.alpha === undefined ? 0 : (alphas.shift() ?? activation.alpha);
    const beta = activation.beta === undefined ? 0 : (betas.shift() ?? activation.beta);
    found.push((x) => formula(activation.formula, { x, alpha, beta }));
  }
  return found;
}

/** An activation function by name, with its parameters in order; `undefined` after a failure. */
export function activated(
  context: NodeContext,
  name: string,
  parameters: ReadonlyArray<number>,
  x: Expr,
): Expr | undefined {
  const key = name.toLowerCase();
  const activation = Object.hasOwn(FUSED, key) ? FUSED[key] : undefined;
  if (activation === undefined) {
    return context.fail('ONNX_ATTRIBUTE', `the activation function ${name} is not imported`);
  }
  const [alpha = activation.alpha ?? 0, beta = activation.beta ?? 0] = parameters;
  return context.formula(activation.formula, { x, alpha, beta });
}

/** x · sigmoid(αx). */
export const swishOf = ({ formula }: NodeContext, x: Expr, alpha: number): Expr =>
  alpha === 1
    ? formula('?x * sigmoid(?x)', { x })
    : formula('?x * sigmoid(?x * ?alpha)', { x, alpha });

/** x/2 · (1 + erf(x/√2)). */
export const geluOf = (context: NodeContext, given: Expr): Expr =>
  inWide(context, given, (x) =>
    context.formula('?x * 0.5 * (erf(?x * 0.7071067811865476) + 1)', { x }),
  );

/** The approximation by tanh(√(2/π) · (x + 0.044715 x³)). */
export const tanhGeluOf = (context: NodeContext, given: Expr): Expr =>
  inWide(context, given, (x) =>
    context.formula(
      '?x * 0.5 * (tanh((?x + ?x * (?x * ?x) * 0.044715) * 0.7978845608028654) + 1)',
      { x },
    ),
  );
