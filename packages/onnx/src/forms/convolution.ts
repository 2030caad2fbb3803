/** Convolutions and their transposes. */
import { addDims, tensorType } from '@baton/ir';
import { paddingLists, SPATIAL, type SpatialRank } from '@baton/ops';
import { int, ints } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand, Written } from '../operator-api/exporter.ts';
import { inLayout } from './layout.ts';
import { around } from './padding.ts';
import { castTo, resultDims, resultDType } from './types.ts';

/** The particulars of a convolution over `rank` axes. */
export interface ConvolutionForm {
  readonly opType: 'Conv' | 'ConvTranspose';
  readonly rank: SpatialRank;
}

/** The export of a convolution. */
export const convolution = (op: string, form: ConvolutionForm): OnnxExporter => ({
  op,
  write: (context) => inOtherLayout(context, op, form) ?? plain(context, form),
});

/** The call in ONNX's layouts, if its own are others. */
function inOtherLayout(context: CallContext, op: string, form: ConvolutionForm): Written {
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

function plain(context: CallContext, { opType, rank }: ConvolutionForm): Written {
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
    group: int(attrs.int('groups')),
  };
  const pads = paddingLists(attrs.ints('padding'), rank);
  if (opType === 'Conv')
    return context.node(opType, [x, kernel], { ...attributes, pads: ints(pads) });
  const ends = transposedEnds(context, pads);
  const own = {
    ...attributes,
    pads: ints([...pads.slice(0, rank), ...ends.map(({ cut }) => cut)]),
    output_padding: ints(ends.map(({ extra }) => extra)),
  };
  const zeros = ends.map(({ zeros }) => zeros);
  if (zeros.every((count) => count === 0)) return context.node(opType, [x, kernel], own);
  const [batch = 1, channels = 1, ...places] = resultDims(context);
  const before = places.map((dim, axis) => addDims(dim, -(zeros[axis] ?? 0)));
  const result = context.node(
    opType,
    [x, kernel],
    own,
    tensorType([batch, channels, ...before], dtype),
  );
  return around(context, result, [...zeros.map(() => 0), ...zeros], 0);
}

/** The end of an axis of a transposed convolution: what is cut, and what is added. */
interface TransposedEnd {
  readonly cut: number;
  /** Cells of the result that the output's padding adds. */
  readonly extra: number;
  /** Cells beyond all products. */
  readonly zeros: number;
}

/**
 * The ends of the axes. Runtimes refuse an output's padding that is as wide as the stride: it takes
 * back what the padding cuts, and what is left is zeros.
 */
const transposedEnds = (
  { attrs }: CallContext,
  pads: ReadonlyArray<number>,
): ReadonlyArray<TransposedEnd> =>
  attrs.ints('output_padding').map((extra, axis, all) => {
    const cut = pads[axis + all.length] ?? 0;
    if (extra < (attrs.ints('strides')[axis] ?? 1)) return { cut, extra, zeros: 0 };
    return { cut: Math.max(cut - extra, 0), extra: 0, zeros: Math.max(extra - cut, 0) };
  });

/**
 * The weight with a row for each channel of the result. Relay also takes a weight with a row for
 * each group, which holds the channels of the group.
 */
function oneRowEach(
  context: CallContext,
  weight: Operand,
  [rows = 1, columns = 1, ...window]: ReadonlyArray<number>,
): Operand {
  const channels = resultDims(context)[1];
  if (typeof channels !== 'number' || channels === rows) return weight;
  const newshape = [channels, (rows * columns) / channels, ...window];
  return context.call('reshape', [weight], { newshape });
}
