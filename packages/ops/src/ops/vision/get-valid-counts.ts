import { tensorType, tupleType } from '@baton/ir';
import { readNumber } from '@baton/tensor';
import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32n, i32 } from '../../example-types.ts';
import { choosesBoxes, floatsOfRank, hasColumns, isNumber } from '../../families/detection.ts';
import { validRows } from '../../kernels/boxes.ts';
import { dimAt } from '../../relation/known.ts';

export const getValidCounts = defineOp({
  name: 'vision.get_valid_counts',
  doc: 'The number of boxes whose score is above a threshold and whose class is not negative; those boxes first, then rows of −1; and their indices.',
  source: 'operators §8; Relay v0.14 vision.get_valid_counts',
  inputs: ['data', 'score_threshold'],
  attrs: attrs({ id_index: withDefault(int, 0), score_index: withDefault(int, 1) }),
  relation: (args, { id_index: id, score_index: score }, context) => {
    const data = floatsOfRank(args, 0, 'data', 3, context);
    if (data === undefined) return undefined;
    if (!hasColumns(data, { id_index: id, score_index: score }, context)) return undefined;
    if (!isNumber(args, 1, 'score_threshold', 'float', context)) return undefined;
    const [batch, boxes] = [dimAt(data, 0), dimAt(data, 1)];
    return tupleType([
      tensorType([batch], 'int32'),
      context.resolve(data.type),
      tensorType([batch, boxes], 'int32'),
    ]);
  },
  kernel: (args, { id_index: id, score_index: score }, out) =>
    validRows(args.tensor(0), readNumber(args.tensor(1), 0), { id, score }, out),
  ...choosesBoxes,
  examples: [
    { args: [f32(2, 5, 6), f32n(0.5)], result: [i32(2), f32(2, 5, 6), i32(2, 5)] },
    {
      args: [f32(1, 4, 5), f32n(0)],
      attrs: { id_index: -1, score_index: 0 },
      result: [i32(1), f32(1, 4, 5), i32(1, 4)],
    },
  ],
});
