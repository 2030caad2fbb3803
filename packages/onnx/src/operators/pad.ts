/** `Pad` by constants, by edges, by mirror images or by wrapping. */
import { type Dim, type Expr, isStaticDim } from '@baton/ir';
import { tensor } from '@baton/tensor';
import { listOf, sizesOfInput } from '../families/sized.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const pad: OnnxImporter = {
  opType: 'Pad',
  since: 2,
  convert: (context) => {
    const x = context.input(0);
    const dims = context.dimsOf(x);
    const mode = context.attributes.string('mode');
    if (isOfRun(context) && mode !== 'wrap') return paddedInRun(context, x, mode);
    const widths = padWidths(context, dims.length);
    if (widths === undefined) return undefined;
    if (mode === 'wrap') return wrapped(context, x, dims, widths);
    if (!isMode(context, mode)) return undefined;
    return context.call('nn.pad', [x, padValue(context, x)], { pad_width: widths, pad_mode: mode });
  },
};

/** Whether a mode is one of those of Relay; otherwise a failure. */
function isMode(context: NodeContext, mode: string): boolean {
  const isKnown = mode === 'constant' || mode === 'edge' || mode === 'reflect';
  if (!isKnown) context.fail('ONNX_UNSUPPORTED', `padding in mode ${mode} is not imported`);
  return isKnown;
}

/** Whether the run computes the widths. */
const isOfRun = (context: NodeContext): boolean => {
  const pads = context.version >= 11 ? context.optional(1) : undefined;
  return pads !== undefined && context.valueOf(pads) === undefined;
};

/** The data padded by widths that the run computes; axes without padding keep their sizes. */
function paddedInRun(context: NodeContext, x: Expr, mode: string): Expr | undefined {
  const dims = context.dimsOf(x);
  const rank = dims.length;
  const sizes = sizesOfInput(context, 1);
  const axes = context.ints(3)?.map((axis) => context.axis(axis, rank));
  if (!isMode(context, mode) || context.hasFailed()) return undefined;
  const count = axes?.length ?? rank;
  if (sizes?.length !== 2 * count) {
    return context.fail('ONNX_INPUTS', `expected ${2 * count} widths of padding`);
  }
  const pads = context.call('cast', [context.input(1)], { dtype: 'int64' });
  const full = axes === undefined ? pads : ofAxes(context, pads, axes, rank);
  const rows = context.call('reshape', [full], { newshape: [2, rank] });
  const widths = context.call('transpose', [rows], { axes: [1, 0] });
  const made = context.call('dyn.nn.pad', [x, widths, padValue(context, x)], { pad_mode: mode });
  const kept = dims.map((dim, axis) => {
    const at = axes === undefined ? axis : axes.indexOf(axis);
    const isPadded = at >= 0 && (sizes[at] !== 0 || sizes[at + count] !== 0);
    return isStaticDim(dim) && dim > 0 && !isPadded ? dim : 0;
  });
  return kept.some((dim) => dim > 0) ? context.call('reshape', [made], { newshape: kept }) : made;
}

/** The widths before all axes, then after all, from those of some axes. */
function ofAxes(context: NodeContext, pads: Expr, axes: ReadonlyArray<number>, rank: number): Expr {
  const count = axes.length;
  const none = listOf(context, [0]);
  const all = context.call('concatenate', [context.tuple([pads, none])], { axis: 0 });
  const places = Array.from({ length: 2 * rank }, (_, i) => {
    const at = axes.indexOf(i % rank);
    return at < 0 ? 2 * count : i < rank ? at : at + count;
  });
  return context.call('take', [all, listOf(context, places)], { axis: 0 });
}

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
  const zero = context.attributes.float('value');
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
