/** `Pad` by constants, by edges, by mirror images or by wrapping. */
import type { Dim, Expr } from '@baton/ir';
import { tensor } from '@baton/tensor';
import type { NodeContext, OnnxOperator } from '../node/operator.ts';

export const pad: OnnxOperator = {
  opType: 'Pad',
  versions: [2, 11, 13, 18, 19, 21, 23, 24, 25],
  inputs: [1, 4],
  attributes: { mode: 'string', pads: 'ints', value: 'float' },
  convert: (context) => {
    const x = context.input(0);
    const dims = context.dimsOf(x);
    const widths = padWidths(context, dims.length);
    if (widths === undefined) return undefined;
    const mode = context.attributes.string('mode', 'constant');
    if (mode === 'wrap') return wrapped(context, x, dims, widths);
    if (mode !== 'constant' && mode !== 'edge' && mode !== 'reflect') {
      return context.fail('ONNX_UNSUPPORTED', `padding in mode ${mode} is not imported`);
    }
    return context.call('nn.pad', [x, padValue(context, x)], { pad_width: widths, pad_mode: mode });
  },
};

type Widths = ReadonlyArray<readonly [number, number]>;

/** The padding before and after each axis. */
function padWidths(context: NodeContext, rank: number): Widths | undefined {
  const fromInputs = context.version >= 11;
  const pads = fromInputs ? context.ints(1) : context.attributes.ints('pads');
  const listed = fromInputs ? context.ints(3) : undefined;
  if (context.hasFailed()) return undefined;
  const axes = listed?.map((axis) => context.axis(axis, rank));
  const count = axes?.length ?? rank;
  if (pads === undefined || pads.length !== 2 * count) {
    return context.fail('ONNX_INPUTS', `expected ${2 * count} widths of padding`);
  }
  return Array.from({ length: rank }, (_, axis) => {
    const at = axes === undefined ? axis : axes.indexOf(axis);
    return at < 0 ? [0, 0] : [pads[at] ?? 0, pads[at + count] ?? 0];
  });
}

function padValue(context: NodeContext, x: Expr): Expr {
  const zero = context.attributes.float('value', 0);
  const given = context.version >= 11 ? context.optional(2) : undefined;
  if (given === undefined) return context.scalar(zero, context.dtypeOf(x));
  if (context.dimsOf(given).length === 0) return given;
  return context.call('reshape', [given], { newshape: [] });
}

/** The longest wrapped axis, which is written into the module as a list of places. */
const MAX_WRAPPED: number = 2 ** 20;

/** Each axis wrapped: the padding comes from its other end. */
function wrapped(
  context: NodeContext,
  x: Expr,
  dims: ReadonlyArray<Dim>,
  widths: Widths,
): Expr | undefined {
  let result = x;
  for (const [axis, [before, after]] of widths.entries()) {
    if (before === 0 && after === 0) continue;
    const dim = dims[axis];
    if (typeof dim !== 'number' || dim === 0 || dim + before + after < 0) {
      return context.unknown(`expected a known size of axis ${axis} to wrap`);
    }
    if (dim + before + after > MAX_WRAPPED) {
      return context.fail('ONNX_LIMIT', `wrapping axis ${axis} takes too many places`);
    }
    const places = Array.from(
      { length: dim + before + after },
      (_, i) => (((i - before) % dim) + dim) % dim,
    );
    const indices = context.constant(tensor(places, [places.length], 'int64'));
    result = context.call('take', [result, indices], { axis });
  }
  return result;
}
