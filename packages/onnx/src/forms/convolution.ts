/** Convolutions and their transposes. */

import { paddingLists, SPATIAL, type SpatialRank } from '@baton/ops';
import { int, ints } from '../node/attribute-values.ts';
import type { OnnxWriter, Operand, WriterContext, Written } from '../node/writer.ts';
import { inLayout } from './layout.ts';
import { castTo, resultDims, resultDType } from './types.ts';

/** The particulars of a convolution over `rank` axes. */
export interface ConvolutionForm {
  readonly opType: 'Conv' | 'ConvTranspose';
  readonly rank: SpatialRank;
}

/** The export of a convolution. */
export const convolution = (op: string, form: ConvolutionForm): OnnxWriter => ({
  op,
  write: (context) => inOtherLayout(context, op, form) ?? plain(context, form),
});

/** The call in ONNX's layouts, if its own are others. */
function inOtherLayout(context: WriterContext, op: string, form: ConvolutionForm): Written {
  const { attrs } = context;
  const spatial = SPATIAL[form.rank];
  const [data, kernel] = [`NC${spatial}`, `${form.opType === 'Conv' ? 'OI' : 'IO'}${spatial}`];
  const [given, givenKernel] = [attrs.text('data_layout'), attrs.text('kernel_layout')];
  const out = attrs.text('out_layout') || given;
  if (given === data && givenKernel === kernel && out === data) return undefined;
  const x = inLayout(context, context.input(0), given, data);
  const weight = inLayout(context, context.input(1), givenKernel, kernel);
  const result = context.call(op, [x, weight], {
    ...attrs.all,
    data_layout: data,
    kernel_layout: kernel,
    out_layout: '',
  });
  return inLayout(context, result, data, out);
}

function plain(context: WriterContext, { opType, rank }: ConvolutionForm): Written {
  const { attrs } = context;
  const dtype = resultDType(context);
  const x = castTo(context, context.input(0), dtype);
  const weight = castTo(context, context.input(1), dtype);
  const sizes = context.shape(weight);
  if (sizes === undefined) return undefined;
  const kernel = opType === 'Conv' ? oneRowEach(context, weight, sizes) : weight;
  const attributes = {
    kernel_shape: ints(sizes.slice(2)),
    strides: ints(attrs.ints('strides')),
    dilations: ints(attrs.ints('dilation')),
    pads: ints(paddingLists(attrs.ints('padding'), rank)),
    group: int(attrs.int('groups')),
  };
  const more =
    opType === 'ConvTranspose' ? { output_padding: ints(attrs.ints('output_padding')) } : {};
  return context.node(opType, [x, kernel], { ...attributes, ...more });
}

/**
 * The weight with a row for each channel of the result. Relay also takes a weight with a row for
 * each group, which holds the channels of the group.
 */
function oneRowEach(
  context: WriterContext,
  weight: Operand,
  [rows = 1, columns = 1, ...window]: ReadonlyArray<number>,
): Operand {
  const channels = resultDims(context)[1];
  if (typeof channels !== 'number' || channels === rows) return weight;
  const newshape = [channels, (rows * columns) / channels, ...window];
  return context.call('reshape', [weight], { newshape });
}
