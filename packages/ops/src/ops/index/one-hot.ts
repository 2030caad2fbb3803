import type { Expr } from '@baton/ir';
import { tensorType } from '@baton/ir';
import { cast, expandDims, fromNumbers, reshapeView } from '@baton/tensor';
import { dtype, int, naturalInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { discrete } from '../../bounds/rules.ts';
import { perResultElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { exact } from '../../definition/column.ts';
import { f32, i32s } from '../../example-types.ts';
import { mapScalar, select } from '../../kernels/elementwise.ts';
import { hasRank, inDomain, normalAxis, takesDType, tensorArg } from '../../relation/known.ts';
import { math, x, y } from '../../scalar/expr.ts';

const IS_HERE = math.equal(x, y);

export const oneHot = defineOp({
  name: 'one_hot',
  doc: 'A new axis of size `depth` with `on_value` at each index and `off_value` elsewhere.',
  source: 'operators §4; ONNX OneHot-11',
  inputs: ['indices', 'on_value', 'off_value'],
  attrs: attrs({ depth: naturalInt, axis: withDefault(int, -1), dtype }),
  relation: (args, attrs, context) => {
    const indices = tensorArg(args, 0, context);
    if (indices === undefined || !inDomain(indices.dtype, 'int', context)) return undefined;
    for (const [at, name] of [
      [1, '`on_value`'],
      [2, '`off_value`'],
    ] as const) {
      const value = tensorArg(args, at, context);
      if (value === undefined || !hasRank(value, name, [0], context)) return undefined;
      if (!takesDType(value.dtype, attrs.dtype, name, context)) return undefined;
    }
    const axis = normalAxis(attrs.axis, indices.shape.length + 1, context);
    if (axis === undefined) return undefined;
    const { shape } = indices;
    return tensorType([...shape.slice(0, axis), attrs.depth, ...shape.slice(axis)], attrs.dtype);
  },
  kernel: (args, attrs, out) => {
    const indices = args.tensor(0);
    const rank = indices.shape.length;
    const axis = attrs.axis < 0 ? attrs.axis + rank + 1 : attrs.axis;
    const places = Array.from({ length: attrs.depth }, (_, i) => i);
    const along = [attrs.depth, ...new Array<number>(rank - axis).fill(1)];
    const range = reshapeView(fromNumbers(places, [attrs.depth], indices.dtype, out), along, out);
    const hot = mapScalar(IS_HERE, [expandDims(indices, axis), range], out);
    return select(
      hot,
      cast(args.tensor(1), attrs.dtype, out),
      cast(args.tensor(2), attrs.dtype, out),
      out,
    );
  },
  definition: exact(({ args: [indices, on, off], attrs: given, rank, numbers, op }) => {
    const { depth, axis, dtype: type } = given;
    const at = axis < 0 ? axis + rank(0) + 1 : axis;
    const along = [depth, ...Array(rank(0) - at).fill(1)];
    const places = numbers(
      Array.from({ length: depth }, (_, i) => i),
      along,
    );
    const isHere = op('equal', [op('expand_dims', [indices], { axis: at }), places]);
    const typed = (value: Expr): Expr => op('cast', [value], { dtype: type });
    return op('where', [isHere, typed(on), typed(off)]);
  }),
  kind: 'movement',
  cost: perResultElement,
  // As in TVM: it fuses what follows.
  fusion: 'out_elemwise_fusable',
  bounds: discrete,
  gradient: ({ args: [indices, on, off], g, attrs, op, times, minus, scalar }) => {
    const hot = op('one_hot', [indices, scalar(1, attrs.dtype), scalar(0, attrs.dtype)], attrs);
    const cold = minus(scalar(1, attrs.dtype), hot);
    const total = (where: Expr, like: Expr) =>
      op('cast_like', [op('sum', [times(g, where)]), like]);
    return [undefined, total(hot, on), total(cold, off)];
  },
  examples: [
    {
      args: [i32s(0, 2, 5), f32(), f32()],
      attrs: { depth: 4, dtype: 'float32' },
      result: f32(3, 4),
    },
    {
      args: [fromNumbers([0, 2], [1, 2], 'int64'), f32(), f32()],
      attrs: { depth: 3, axis: 1, dtype: 'float32' },
      result: f32(1, 3, 2),
    },
  ],
});
