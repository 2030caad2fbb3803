/** Activation functions. */

import { isFloat } from '@baton/tensor';
import type { CallContext, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import {
  ELU,
  geluOf,
  HARD_SIGMOID,
  MISH,
  SOFTPLUS,
  SOFTSIGN,
  swishOf,
  THRESHOLDED_RELU,
  tanhGeluOf,
} from '../shared/activations.ts';
import { fromFront, inWide, widened } from '../shared/element-types.ts';
import { alongAxis } from '../shared/reshaping.ts';
import { both, type Chapter, type Operands, reads, standIns, writes } from '../shared/rows.ts';

export const activationOperators: Chapter = [
  both('Celu', 'where(?x < 0, (exp(?x / ?alpha) - 1) * ?alpha, ?x)', { isWide: true }),
  both('Elu', ELU, { isWide: true, since: 6 }),
  reads('Gelu', readGelu, { formulas: [{}, { approximate: 'tanh' }] }),
  both('HardSigmoid', HARD_SIGMOID, { since: 6 }),
  both('HardSwish', '?x * clip(?x * 0.16666666666666666 + 0.5, a_min=0.0, a_max=1.0)', {
    isWide: true,
    spellings: [
      '?x * clip(?x + 3, a_min=0.0, a_max=6.0) / 6',
      '?x * (clip(?x + 3, a_min=0.0, a_max=6.0) / 6)',
    ],
  }),
  both('Mish', MISH, { isWide: true }),
  both('PRelu', 'where(?x < 0, ?x * ?y, ?x)', { since: 7 }),
  both('Selu', 'where(?x < 0, (exp(?x) - 1) * ?alpha, ?x) * ?gamma', { isWide: true, since: 6 }),
  both('Shrink', 'where(?x < negative(?lambd), ?x + ?bias, where(?x > ?lambd, ?x - ?bias, 0))'),
  both('Softplus', SOFTPLUS, { isWide: true }),
  both('Softsign', SOFTSIGN, { isWide: true }),
  swish('SwiGLU'),
  swish('Swish'),
  both('ThresholdedRelu', THRESHOLDED_RELU),
  writes('nn.relu', writeRelu),
  writes('nn.prelu', writePrelu),
];

function swish(opType: string): OnnxImporter {
  return reads(opType, readSwish, { formulas: standIns(['alpha']) });
}

function readSwish(context: NodeContext): Converted {
  const gate = context.optional(1);
  const alpha = context.attributes.float('alpha');
  return inWide(context, context.input(0), (x) => {
    const bent = swishOf(context, x, alpha);
    return gate ? context.formula('?bent * ?gate', { bent, gate: widened(context, gate) }) : bent;
  });
}

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
function writeRelu(context: CallContext, [x]: Operands): Written {
  const dtype = context.dtype(x);
  if (dtype === 'bool' || dtype.startsWith('uint')) return context.node('Identity', [x]);
  return isFloat(dtype) ? context.node('Relu', [x]) : context.call('maximum', [x, 0]);
}

function writePrelu(context: CallContext, [x, alpha]: Operands): Written {
  const rank = context.dims(x).length;
  const axis = fromFront(context.attrs.int('axis'), rank);
  return context.node('PRelu', [x, alongAxis(context, alpha, axis, rank)]);
}
