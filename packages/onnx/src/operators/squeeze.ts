/** `Squeeze`: drops the named axes, or all of size 1. */
import { describeDim, dimsEqual, isAnyDim, isStaticDim } from '@baton/ir';
import type { NodeContext, OnnxOperator } from '../node/operator.ts';

export const squeeze: OnnxOperator = {
  opType: 'Squeeze',
  versions: [1, 11, 13, 21, 23, 24, 25],
  inputs: [1, 2],
  attributes: { axes: 'ints' },
  convert: (context) => {
    const given = context.version < 13 ? context.attributes.ints('axes') : context.ints(1);
    if (context.hasFailed()) return undefined;
    // An empty list means the same as none, as in onnxruntime.
    const axes = given === undefined || given.length === 0 ? axesOfSizeOne(context) : given;
    if (context.hasFailed() || axes === undefined) return undefined;
    return context.call('squeeze', [context.input(0)], { axis: axes });
  },
};

/**
 * The axes of size 1, `null` if all sizes are known. Of axes without a known size, those are dropped that the stated shape of the result
 * does not have.
 */
function axesOfSizeOne(context: NodeContext): ReadonlyArray<number> | null | undefined {
  const dims = context.dimsOf(context.input(0));
  const ones = dims.flatMap((dim, axis) => (dim === 1 ? [axis] : []));
  const open = dims.flatMap((dim, axis) => (isStaticDim(dim) ? [] : [axis]));
  const [first] = open;
  const kept = context.stated(0);
  if (first === undefined) return null;
  const dropped = dims.length - ones.length - (kept?.length ?? -1);
  const others = open.filter((axis) => {
    const dim = dims[axis];
    const isNamed = dim !== undefined && !isAnyDim(dim);
    return !isNamed || kept?.some((other) => dimsEqual(dim, other)) !== true;
  });
  const fitting = [[], open, others].find((axes) => axes.length === dropped);
  if (fitting === undefined) {
    const name = describeDim(dims[first] ?? 1);
    return context.unknown(`expected axes, or a result of stated rank: ${name} may be 1`);
  }
  const stays = open.filter((axis) => !fitting.includes(axis));
  if (stays.length > 0) {
    const list = stays.map((axis) => `${axis}`).join(', ');
    context.warn(
      'ONNX_SQUEEZE',
      `the stated rank of the result keeps axis ${list}, also of size 1`,
    );
  }
  return [...ones, ...fitting].sort((a, b) => a - b);
}
