import { type RelationContext, type Type, tensorType, tupleType } from '@baton/ir';
import {
  fromNumbers,
  type Memory,
  type NumberData,
  readNumber,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { bool, int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32n, i32, i32n, i32s } from '../../example-types.ts';
import { choosesBoxes, floatsOfRank, hasColumns, isNumber } from '../../families/detection.ts';
import { type Suppressed, suppressed } from '../../kernels/boxes.ts';
import { finish } from '../../kernels/values.ts';
import { dimAt, hasShape, inDomain, tensorArg } from '../../relation/known.ts';

export const nonMaxSuppression = defineOp({
  name: 'vision.non_max_suppression',
  doc: 'Boxes sorted by score, with −1 for those that overlap a better one of their class: the indices of the kept ones and their number, or all rows.',
  source: 'operators §8; Relay v0.14 vision.non_max_suppression',
  inputs: ['data', 'valid_count', 'indices', 'max_output_size', 'iou_threshold'],
  attrs: attrs({
    force_suppress: withDefault(bool, false),
    top_k: withDefault(int, -1),
    coord_start: withDefault(int, 2),
    score_index: withDefault(int, 1),
    id_index: withDefault(int, 0),
    return_indices: withDefault(bool, true),
    invalid_to_bottom: withDefault(bool, false),
  }),
  relation: (args, given, context) => {
    const data = floatsOfRank(args, 0, 'data', 3, context);
    if (data === undefined) return undefined;
    const { score_index: score, id_index: id, coord_start: corner } = given;
    const columns = { score_index: score, id_index: id, coord_start: corner + 3 };
    if (!hasColumns(data, columns, context)) return undefined;
    const [batch, boxes] = [dimAt(data, 0), dimAt(data, 1)];
    if (!areIntegers(args, 1, 'valid_count', [batch], context)) return undefined;
    if (!areIntegers(args, 2, 'indices', [batch, boxes], context)) return undefined;
    if (!isNumber(args, 3, 'max_output_size', 'int', context)) return undefined;
    if (!isNumber(args, 4, 'iou_threshold', 'float', context)) return undefined;
    if (!given.return_indices) return context.resolve(data.type);
    return tupleType([tensorType([batch, boxes], 'int32'), tensorType([batch, 1], 'int32')]);
  },
  kernel: (args, given, out) => {
    const data = args.tensor(0);
    const options = {
      score: given.score_index,
      id: given.id_index,
      corner: given.coord_start,
      most: readNumber(args.tensor(3), 0),
      threshold: readNumber(args.tensor(4), 0),
      force: given.force_suppress,
      top: given.top_k,
    };
    const found = suppressed(data, args.tensor(1), options, out);
    if (given.return_indices) return placesFirst(found, args.tensor(2), out);
    const [batch = 0, boxes = 0, width = 0] = data.shape;
    if (given.invalid_to_bottom) validFirst(found.rows, batch, boxes, width);
    return finish(found.rows, data.shape, data.dtype, out);
  },
  ...choosesBoxes,
  examples: [
    {
      args: [f32(2, 5, 6), i32s(3, 5), i32(2, 5), i32n(-1), f32n(0.5)],
      result: [i32(2, 5), i32(2, 1)],
    },
    {
      args: [f32(1, 4, 5), i32s(4), i32(1, 4), i32n(2), f32n(0.25)],
      attrs: {
        id_index: -1,
        score_index: 0,
        coord_start: 1,
        top_k: 3,
        return_indices: false,
        invalid_to_bottom: true,
      },
      result: f32(1, 4, 5),
    },
  ],
});

function areIntegers(
  args: ReadonlyArray<Type>,
  index: number,
  what: string,
  shape: Parameters<typeof hasShape>[2],
  context: RelationContext,
): boolean {
  const found = tensorArg(args, index, context);
  if (found === undefined || !inDomain(found.dtype, 'int', context)) return false;
  return hasShape(found, `\`${what}\``, shape, context);
}

/** The given indices of the kept rows first, and their number. */
function placesFirst(
  { places }: Suppressed,
  indices: Tensor,
  memory: Memory,
): readonly [Tensor, Tensor] {
  const [batch = 0, boxes = 0] = indices.shape;
  const given = toNumbers(indices, memory);
  const counts: number[] = [];
  for (let b = 0; b < batch; b++) {
    const rows = places.subarray(b * boxes, (b + 1) * boxes);
    const kept = Array.from(rows)
      .filter((place) => place >= 0)
      .map((place) => given[b * boxes + place] as number)
      .filter((index) => index >= 0);
    rows.fill(-1);
    rows.set(kept);
    counts.push(kept.length);
  }
  return [
    finish(places, [batch, boxes], 'int32', memory),
    fromNumbers(counts, [batch, 1], 'int32', memory),
  ];
}

/** Moves the rows whose first number is not negative to the front, and fills the rest with −1. */
function validFirst(rows: NumberData, batch: number, boxes: number, width: number): void {
  for (let b = 0; b < batch; b++) {
    let to = b * boxes;
    for (let row = to; row < (b + 1) * boxes; row++) {
      if (!((rows[row * width] as number) >= 0)) continue;
      rows.copyWithin(to * width, row * width, (row + 1) * width);
      to++;
    }
    rows.fill(-1, to * width, (b + 1) * boxes * width);
  }
}
