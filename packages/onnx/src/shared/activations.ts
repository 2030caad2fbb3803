/** Activation functions that several operators take in. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../operator-api/importer.ts';
import { inWide } from './element-types.ts';
import type { MakeCall } from './rows.ts';

/** A function of one tensor, element by element. */
export type Activation = (x: Expr) => Expr;

/** The formula of an activation function with its parameters. */
type Formula = (call: MakeCall, x: Expr, alpha: number, beta: number) => Expr;

const affine: Formula = (call, x, alpha, beta) => call('add', [call('multiply', [x, alpha]), beta]);

/** x if it is positive, else α(eˣ − 1). */
export const eluOf: Formula = (call, x, alpha) => {
  const below = call('multiply', [call('subtract', [call('exp', [x]), 1]), alpha]);
  return call('where', [call('less', [x, 0]), below, x]);
};

/** αx + β, limited to 0 to 1. */
export const hardSigmoidOf: Formula = (call, x, alpha, beta) =>
  call('clip', [affine(call, x, alpha, beta)], { a_min: 0, a_max: 1 });

/** x / (1 + |x|). */
export const softsignOf = (call: MakeCall, x: Expr): Expr =>
  call('divide', [x, call('add', [call('abs', [x]), 1])]);

/** x if it is above α, else 0. */
export const thresholdedReluOf: Formula = (call, x, alpha) =>
  call('where', [call('greater', [x, alpha]), x, 0]);

interface NamedActivation {
  /** The defaults of the parameters that it has. */
  readonly alpha?: number;
  readonly beta?: number;
  readonly of: Formula;
}

/** By name in small letters: runtimes do not tell capitals. */
const ACTIVATIONS: Readonly<Record<string, NamedActivation>> = {
  relu: { of: (call, x) => call('nn.relu', [x]) },
  tanh: { of: (call, x) => call('tanh', [x]) },
  sigmoid: { of: (call, x) => call('sigmoid', [x]) },
  softsign: { of: softsignOf },
  softplus: { of: softplusOf },
  affine: { alpha: 1, beta: 0, of: affine },
  leakyrelu: { alpha: 0.01, of: (call, x, alpha) => call('nn.leaky_relu', [x], { alpha }) },
  thresholdedrelu: { alpha: 1, of: thresholdedReluOf },
  scaledtanh: {
    alpha: 1,
    beta: 1,
    of: (call, x, alpha, beta) =>
      call('multiply', [call('tanh', [call('multiply', [x, beta])]), alpha]),
  },
  hardsigmoid: { alpha: 0.2, beta: 0.5, of: hardSigmoidOf },
  elu: { alpha: 1, of: eluOf },
};

/** The functions that other operators take in: limits, too. */
const FUSED: Readonly<Record<string, NamedActivation>> = {
  ...ACTIVATIONS,
  clip: {
    alpha: Number.NEGATIVE_INFINITY,
    beta: Number.POSITIVE_INFINITY,
    of: (call, x, a_min, a_max) => call('clip', [x], { a_min, a_max }),
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
  const { attributes, call } = context;
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
    found.push((x) => activation.of(call, x, alpha, beta));
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
  return activation.of(context.call, x, alpha, beta);
}

/** log(1 + eˣ) as max(x, 0) + log(1 + e^−|x|), which does not overflow. */
export function softplusOf(call: MakeCall, x: Expr): Expr {
  const decay = call('exp', [call('negative', [call('abs', [x])])]);
  return call('add', [call('maximum', [x, 0]), logOfSum(call, decay)]);
}

/** log(1 + x) as log(w) + (x − (w − 1)) / w, where w is 1 + x with what rounding has lost. */
function logOfSum(call: MakeCall, x: Expr): Expr {
  const w = call('add', [x, 1]);
  const lost = call('subtract', [x, call('subtract', [w, 1])]);
  return call('add', [call('log', [w]), call('divide', [lost, w])]);
}

/** x · sigmoid(αx). */
export const swishOf = (call: MakeCall, x: Expr, alpha: number): Expr =>
  call('multiply', [x, call('sigmoid', [alpha === 1 ? x : call('multiply', [x, alpha])])]);

/** x/2 · (1 + erf(x/√2)). */
export const geluOf = (context: NodeContext, given: Expr): Expr =>
  inWide(context, given, (x) =>
    bentBy(context, x, context.call('erf', [context.call('multiply', [x, Math.SQRT1_2])])),
  );

/** The approximation by tanh(√(2/π) · (x + 0.044715 x³)). */
export const tanhGeluOf = (context: NodeContext, given: Expr): Expr =>
  inWide(context, given, (x) => {
    const { call } = context;
    const times = (a: Expr, b: Expr | number): Expr => call('multiply', [a, b]);
    const cube = times(times(x, times(x, x)), 0.044715);
    return bentBy(
      context,
      x,
      call('tanh', [times(call('add', [x, cube]), Math.sqrt(2 / Math.PI))]),
    );
  });

const bentBy = ({ call }: NodeContext, x: Expr, bent: Expr): Expr =>
  call('multiply', [call('multiply', [x, 0.5]), call('add', [bent, 1])]);
