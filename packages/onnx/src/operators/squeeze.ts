/** `Squeeze`: drops the named axes, or all of size 1. */
import { dimsEqual, isAnyDim, isStaticDim } from '@baton/ir';
import { shapeSize } from '@baton/tensor';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const squeeze: OnnxImporter = {
  opType: 'Squeeze',
  // The file does at any size what the original does: without axes, the run decides.
  kernelSince: 1,
  kernelReads: [1],
  kernelWhen: (context) =>
    listsNoAxes(context) && !context.dimsOf(context.input(0)).every(isStaticDim),
  convert: (context) => {
    const given = context.version < 13 ? context.attributes.ints('axes') : context.ints(1);
    if (context.hasFailed()) return undefined;
    const axes = listsNoAxes(context) ? axesOfSizeOne(context) : (given ?? null);
    return context.call('squeeze', [context.input(0)], { axis: axes });
  },
};

/** Whether a node states no axes. An empty list means the same as none, as in onnxruntime. */
function listsNoAxes(context: NodeContext): boolean {
  if (context.version < 13) return (context.attributes.ints('axes') ?? []).length === 0;
  const given = context.optional(1);
  const value = given && context.valueOf(given);
  return given === undefined || (value !== undefined && shapeSize(value.shape) === 0);
}

/**
 * The axes of size 1, `null` if all sizes are known. Of axes without a known size, those are dropped
 * that the stated shape of the result does not have. If nothing states its rank they stay, unless no run
 * gets past a later node with them.
 */
function axesOfSizeOne(context: NodeContext): ReadonlyArray<number> | null {
  const dims = context.dimsOf(context.input(0));
  const ones = dims.flatMap((dim, axis) => (dim === 1 ? [axis] : []));
  const open = dims.flatMap((dim, axis) => (isStaticDim(dim) ? [] : [axis]));
  if (open.length === 0) return null;
  const kept = context.stated(0);
  const dropped = dims.length - ones.length - (kept?.length ?? -1);
  const others = open.filter((axis) => {
    const dim = dims[axis];
    const isNamed = dim !== undefined && !isAnyDim(dim);
    return !isNamed || kept?.some((other) => dimsEqual(dim, other)) !== true;
  });
  const fitting = [[], open, others].find((axes) => axes.length === dropped);
  const shown = (axes: ReadonlyArray<number>): string => axes.join(', ');
  const chosen = fitting ?? (context.reading(`axis ${shown(open)} stays`) === 'first' ? [] : open);
  const stays = open.filter((axis) => !chosen.includes(axis));
  if (stays.length > 0) {
    const what =
      fitting === undefined
        ? 'no rank of the result is stated: it is taken to keep'
        : 'the stated rank of the result keeps';
    context.warn('ONNX_SQUEEZE', `${what} axis ${shown(stays)}, also of size 1`);
  }
  return [...ones, ...chosen].sort((a, b) => a - b);
}
