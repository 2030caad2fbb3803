import { type Dim, multiplyDims, tensorType, tupleType } from '@baton/ir';
import { type Memory, readNumber, type Tensor, tensor, toNumbers } from '@baton/tensor';
import { oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32n, i32n, i64 } from '../../example-types.ts';
import { choosesBoxes, floatsOfRank, isNumber } from '../../families/detection.ts';
import { keptOfClasses } from '../../kernels/boxes.ts';
import { finish, numberBuffer } from '../../kernels/values.ts';
import { dimAt, hasShape, sameDType } from '../../relation/known.ts';

export const allClassNonMaxSuppression = defineOp({
  name: 'vision.all_class_non_max_suppression',
  doc: 'The best boxes of each class that do not overlap better ones, as rows of batch, class and box, and their number; or for each batch, rows of class and box, the scores, and the numbers. The rest is zeros.',
  source: 'operators §8; Relay v0.14 vision.all_class_non_max_suppression',
  inputs: ['boxes', 'scores', 'max_output_boxes_per_class', 'iou_threshold', 'score_threshold'],
  attrs: attrs({ output_format: withDefault(oneOf('onnx', 'tensorflow'), 'onnx') }),
  relation: (args, { output_format: format }, context) => {
    const boxes = floatsOfRank(args, 0, 'boxes', 3, context);
    const scores = floatsOfRank(args, 1, 'scores', 3, context);
    if (boxes === undefined || scores === undefined) return undefined;
    if (sameDType(boxes.dtype, scores.dtype, '`scores`', context) === undefined) return undefined;
    const [batch, classes, count] = [0, 1, 2].map((axis) => dimAt(scores, axis)) as [Dim, Dim, Dim];
    if (!hasShape(boxes, '`boxes`', [batch, count, 4], context, '`scores`')) return undefined;
    if (!isNumber(args, 2, 'max_output_boxes_per_class', 'int', context)) return undefined;
    if (!isNumber(args, 3, 'iou_threshold', 'float', context)) return undefined;
    if (!isNumber(args, 4, 'score_threshold', 'float', context)) return undefined;
    const each = multiplyDims(classes, count);
    if (format === 'onnx') {
      const rows = tensorType([multiplyDims(batch, each), 3], 'int64');
      return tupleType([rows, tensorType([1], 'int64')]);
    }
    return tupleType([
      tensorType([batch, each, 2], 'int64'),
      tensorType([batch, each], scores.dtype),
      tensorType([batch], 'int64'),
    ]);
  },
  kernel: (args, { output_format: format }, out) => {
    const [boxes, scores] = [args.tensor(0), args.tensor(1)];
    const [most, threshold, score] = [2, 3, 4].map((i) => readNumber(args.tensor(i), 0)) as [
      number,
      number,
      number,
    ];
    const kept = keptOfClasses(boxes, scores, { most, threshold, score }, out);
    return format === 'onnx' ? asRows(kept, scores, out) : byBatch(kept, scores, out);
  },
  ...choosesBoxes,
  examples: [
    {
      args: [f32(2, 5, 4), f32(2, 3, 5), i32n(2), f32n(0.5), f32n(0)],
      result: [i64(30, 3), i64(1)],
    },
    {
      args: [f32(2, 4, 4), f32(2, 2, 4), i32n(-1), f32n(0.25), f32n(-0.5)],
      attrs: { output_format: 'tensorflow' },
      result: [i64(2, 8, 2), f32(2, 8), i64(2)],
    },
  ],
});

type Kept = ReadonlyArray<ReadonlyArray<number>>;

function asRows(kept: Kept, { shape }: Tensor, memory: Memory): ReadonlyArray<Tensor> {
  const [batch = 0, classes = 0, count = 0] = shape;
  const rows = kept.flatMap((list, i) =>
    list.map((box) => [Math.floor(i / classes), i % classes, box]),
  );
  const total = batch * classes * count;
  return [integers(rows.flat(), [total, 3], memory), integers([rows.length], [1], memory)];
}

function byBatch(kept: Kept, scores: Tensor, memory: Memory): ReadonlyArray<Tensor> {
  const [batch = 0, classes = 0, count = 0] = scores.shape;
  const each = classes * count;
  const numbers = toNumbers(scores, memory);
  const found = numberBuffer(scores.dtype, batch * each, memory).fill(0);
  const pairs = new Array<number>(batch * each * 2).fill(0);
  const totals = new Array<number>(batch).fill(0);
  kept.forEach((list, i) => {
    const b = Math.floor(i / classes);
    for (const box of list) {
      const at = b * each + (totals[b] as number);
      pairs[2 * at] = i % classes;
      pairs[2 * at + 1] = box;
      found[at] = numbers[i * count + box] as number;
      totals[b] = (totals[b] as number) + 1;
    }
  });
  return [
    integers(pairs, [batch, each, 2], memory),
    finish(found, [batch, each], scores.dtype, memory),
    integers(totals, [batch], memory),
  ];
}

function integers(
  values: ReadonlyArray<number>,
  shape: ReadonlyArray<number>,
  memory: Memory,
): Tensor {
  const data = memory
    .take(
      'int64',
      shape.reduce((a, b) => a * b, 1),
    )
    .fill(0n);
  values.forEach((value, i) => {
    data[i] = BigInt(value);
  });
  return tensor(data, shape, 'int64');
}
