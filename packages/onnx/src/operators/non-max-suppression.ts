/** `NonMaxSuppression`: the best boxes of each class that do not overlap better ones. */
import type { Expr } from '@baton/ir';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const nonMaxSuppression: OnnxImporter = {
  opType: 'NonMaxSuppression',
  kernelSince: 10,
  convert: (context) => {
    const { call } = context;
    const [boxes, scores] = [context.input(0), context.input(1)];
    const order = call('argsort', [scores], { axis: -1, is_ascend: false, dtype: 'int64' });
    const kept = withinLimits(
      context,
      call('gather', [scores, order], { axis: 2 }),
      notOverlapped(context, boxes, scores, order),
    );
    // The rows of batch, class and place in the order; the last becomes the box at that place.
    const rows = call('cast', [call('argwhere', [kept])], { dtype: 'int64' });
    const chosen = call('gather_nd', [order, call('transpose', [rows], { axes: [1, 0] })]);
    const names = call('strided_slice', [rows], { begin: [0], end: [2], axes: [1] });
    const last = call('expand_dims', [chosen], { axis: 1 });
    return call('concatenate', [context.tuple([names, last])], { axis: 1 });
  },
};

/** An optional number of the node as a scalar, which files also write with one element. */
function scalarInput(context: NodeContext, index: number): Expr | undefined {
  const given = context.optional(index);
  return given && context.call('reshape', [given], { newshape: [] });
}

/** The boxes that are kept and good enough, up to the number asked for: 0 by default. */
function withinLimits(context: NodeContext, scores: Expr, kept: Expr): Expr {
  const { call } = context;
  const least = scalarInput(context, 4);
  const good = least ? call('logical_and', [kept, call('greater', [scores, least])]) : kept;
  const most = scalarInput(context, 2) ?? context.scalar(0, 'int64');
  const before = call('cumsum', [call('cast', [good], { dtype: 'int64' })], { axis: 2 });
  return call('logical_and', [good, call('less_equal', [before, most])]);
}

/** Whether each box, in the order of scores, overlaps no better box that is kept. */
function notOverlapped(context: NodeContext, boxes: Expr, scores: Expr, order: Expr): Expr {
  const { call } = context;
  const threshold = scalarInput(context, 3) ?? context.scalar(0, 'float32');
  const [low, high] = corners(context, boxes, order);
  const all = call('cast', [call('ones_like', [scores])], { dtype: 'bool' });
  const places = call('cumsum', [call('cast', [all], { dtype: 'int32' })], { axis: 2 });
  const [, result] = context.loop({
    fixed: [...low, ...high, areaOf(context, low, high), places, boxCount(context, scores)],
    start: [context.scalar(0, 'int32'), all],
    goesOn: ([, , , , , , count], [place]) => call('less', [place, count]),
    next: ([top, left, bottom, right, areas, own], [place, alive]) => {
      const here = (x: Expr): Expr =>
        call('expand_dims', [call('take', [x, place], { axis: 2 })], { axis: 2 });
      const inner = areaOf(
        context,
        [call('maximum', [top, here(top)]), call('maximum', [left, here(left)])],
        [call('minimum', [bottom, here(bottom)]), call('minimum', [right, here(right)])],
      );
      const union = call('subtract', [call('add', [areas, here(areas)]), inner]);
      const overlaps = call('greater', [inner, call('multiply', [union, threshold])]);
      const isLater = call('greater', [own, here(own)]);
      const isBeaten = call('logical_and', [call('logical_and', [overlaps, isLater]), here(alive)]);
      const still = call('logical_and', [alive, call('logical_not', [isBeaten])]);
      return [call('add', [place, 1]), still];
    },
  });
  return result;
}

type Corner = readonly [Expr, Expr];

/** The area between two corners; 0 if the first is not below the second. */
function areaOf({ call }: NodeContext, low: Corner, high: Corner): Expr {
  const side = (axis: 0 | 1): Expr => call('nn.relu', [call('subtract', [high[axis], low[axis]])]);
  return call('multiply', [side(0), side(1)]);
}

/** The number of boxes. */
function boxCount(context: NodeContext, scores: Expr): Expr {
  const count = context.dimsOf(scores)[2];
  if (typeof count === 'number') return context.scalar(count, 'int32');
  const shape = context.call('shape_of', [scores], { dtype: 'int32' });
  return context.call('take', [shape, context.scalar(2, 'int32')], { axis: 0 });
}

/** The lower and the upper corners of the boxes in their order, of each class. */
function corners(context: NodeContext, boxes: Expr, order: Expr): readonly [Corner, Corner] {
  const { call } = context;
  const column = (index: number): Expr => {
    const all = call('take', [boxes, context.scalar(index, 'int32')], { axis: 2 });
    const spread = call('broadcast_to_like', [call('expand_dims', [all], { axis: 1 }), order]);
    return call('gather', [spread, order], { axis: 2 });
  };
  const [a, b, c, d] = [column(0), column(1), column(2), column(3)];
  if (context.attributes.int('center_point_box') !== 0) {
    const [width, height] = [call('multiply', [c, 0.5]), call('multiply', [d, 0.5])];
    const at = (op: string): Corner => [call(op, [b, height]), call(op, [a, width])];
    return [at('subtract'), at('add')];
  }
  // Any two opposite corners are given.
  const both = (op: string): Corner => [call(op, [a, c]), call(op, [b, d])];
  return [both('minimum'), both('maximum')];
}
