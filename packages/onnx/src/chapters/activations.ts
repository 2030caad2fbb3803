/** Activation functions. */

import { isFloat } from '@baton/tensor';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import {
  eluOf,
  geluOf,
  hardSigmoidOf,
  softplusOf,
  softsignOf,
  swishOf,
  tanhGeluOf,
  thresholdedReluOf,
} from '../shared/activations.ts';
import { fromFront } from '../shared/element-types.ts';
import { alongAxis } from '../shared/reshaping.ts';
import { type Chapter, reads, readsFormula, readsWideFormula, writes } from '../shared/rows.ts';

/** The rows of this chapter. */
export const activationOperators: Chapter = [
  // `Celu`: x if it is positive, else α(e^(x/α) − 1).
  readsWideFormula('Celu', { alpha: 1 }, ({ call, alpha }, x) => {
    const below = call('multiply', [
      call('subtract', [call('exp', [call('divide', [x, alpha])]), 1]),
      alpha,
    ]);
    return call('where', [call('less', [x, 0]), below, x]);
  }),
  // `Elu`: x if it is positive, else α(eˣ − 1).
  readsWideFormula('Elu', { alpha: 1 }, ({ call, alpha }, x) => eluOf(call, x, alpha, 0), 6),
  reads('Gelu', readGelu, { formulas: [{}, { approximate: 'tanh' }] }),
  // `HardSigmoid`: αx + β, limited to 0 to 1.
  readsFormula(
    'HardSigmoid',
    { alpha: Math.fround(0.2), beta: 0.5 },
    ({ call, alpha, beta }, x) => hardSigmoidOf(call, x, alpha, beta),
    6,
  ),
  // `HardSwish`: x times x/6 + 1/2, limited to 0 to 1.
  readsWideFormula('HardSwish', {}, ({ call }, x) => {
    const line = call('add', [call('multiply', [x, 1 / 6]), 0.5]);
    return call('multiply', [x, call('clip', [line], { a_min: 0, a_max: 1 })]);
  }),
  // `Mish`: x · tanh(log(1 + eˣ)).
  readsWideFormula('Mish', {}, ({ call }, x) =>
    call('multiply', [x, call('tanh', [softplusOf(call, x)])]),
  ),
  // `PRelu`: x if it is positive, else x times a slope that broadcasts.
  readsFormula(
    'PRelu',
    {},
    ({ call }, x, slope) => call('where', [call('less', [x, 0]), call('multiply', [x, slope]), x]),
    7,
  ),
  // `Selu`: γx if x is positive, else γα(eˣ − 1).
  readsWideFormula(
    'Selu',
    { alpha: Math.fround(1.6732631921768188), gamma: Math.fround(1.0507010221481323) },
    ({ call, alpha, gamma }, x) => {
      const below = call('multiply', [call('subtract', [call('exp', [x]), 1]), alpha]);
      return call('multiply', [call('where', [call('less', [x, 0]), below, x]), gamma]);
    },
    6,
  ),
  // `Shrink`: x moved by `bias` toward 0 beyond ±λ, 0 between.
  readsFormula('Shrink', { bias: 0, lambd: 0.5 }, ({ call, bias, lambd }, x) => {
    const above = call('where', [call('greater', [x, lambd]), call('subtract', [x, bias]), 0]);
    return call('where', [call('less', [x, -lambd]), call('add', [x, bias]), above]);
  }),
  // `Softplus`: log(1 + eˣ).
  readsWideFormula('Softplus', {}, ({ call }, x) => softplusOf(call, x)),
  // `Softsign`: x / (1 + |x|).
  readsWideFormula('Softsign', {}, ({ call }, x) => softsignOf(call, x)),
  // `SwiGLU`: x · sigmoid(αx), times a gate.
  readsWideFormula('SwiGLU', { alpha: 1 }, ({ call, alpha }, x, y) =>
    call('multiply', [swishOf(call, x, alpha), y]),
  ),
  // `Swish`: x · sigmoid(αx).
  readsWideFormula('Swish', { alpha: 1 }, ({ call, alpha }, x) => swishOf(call, x, alpha)),
  // `ThresholdedRelu`: x if it is above α, else 0.
  readsFormula('ThresholdedRelu', { alpha: 1 }, ({ call, alpha }, x) =>
    thresholdedReluOf(call, x, alpha, 0),
  ),
  writes('nn.relu', writeRelu),
  writes('nn.prelu', writePrelu),
];

/** `Gelu`: x/2 · (1 + erf(x/√2)), or its approximation by tanh. */
function readGelu(context: NodeContext): Converted {
  const { attributes, fail, input } = context;
  const approximate = attributes.string('approximate');
  if (approximate === 'none') return geluOf(context, input(0));
  if (approximate === 'tanh') return tanhGeluOf(context, input(0));
  return fail('ONNX_ATTRIBUTE', 'expected approximate none or tanh');
}

/**
 * `nn.relu`. Of integers it is a maximum: before operator set 14 `Relu` has none, and runtimes have
 * code for few of them in later sets.
 */
function writeRelu(context: CallContext, x: Operand): Written {
  const dtype = context.dtype(x);
  if (dtype === 'bool' || dtype.startsWith('uint')) return context.node('Identity', [x]);
  return isFloat(dtype) ? context.node('Relu', [x]) : context.call('maximum', [x, 0]);
}

/** `nn.prelu`: a slope for each channel. */
function writePrelu(context: CallContext, x: Operand, alpha: Operand): Written {
  const rank = context.dims(x).length;
  const axis = fromFront(context.attrs.int('axis'), rank);
  return context.node('PRelu', [x, alongAxis(context, alpha, axis, rank)]);
}
