import { type Dim, tensorType } from '@baton/ir';
import { type AttrCodec, codec } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { magnitude } from '../../bounds/bounds.ts';
import { symmetric } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent, shapeMismatch } from '../../diagnostics.ts';
import { f32, f32n, u8 } from '../../example-types.ts';
import { contractionOf, matrixLabels } from '../../form/contraction.ts';
import { dimAgrees } from '../../relation/dims.ts';
import {
  dimAt,
  hasRank,
  inDomain,
  type KnownTensor,
  report,
  sameDType,
  tensorArg,
} from '../../relation/known.ts';

const bits: AttrCodec<2 | 4 | 8> = codec(
  '2, 4 or 8',
  (u): u is 2 | 4 | 8 => u === 2 || u === 4 || u === 8,
  { typeText: '2 | 4 | 8' },
);

export const denseNbits = defineOp({
  name: 'nn.dense_nbits',
  doc: 'The data (..., K) times the transpose of a weight (units, K) of integers of few bits, packed in bytes (units, blocks, bytes of a block), the lowest bits first: `(q - zero_point) * scale`, with a scale and a zero point, or one zero point for all, in each block of neighbours along K.',
  source: 'operators §5; ONNX Runtime, ContribOperators.md, com.microsoft.MatMulNBits',
  inputs: ['data', 'weight', 'scale', 'zero_point'],
  attrs: attrs({ bits: withDefault(bits, 4) }),
  relation: (args, attrs, context) => {
    const [data, weight, scale, zero] = [0, 1, 2, 3].map((index) =>
      tensorArg(args, index, context),
    );
    if (!data || !weight || !scale || !zero) return undefined;
    const areRanked =
      (data.shape.length > 0 || hasRank(data, '`data`', [1], context)) &&
      hasRank(weight, '`weight`', [3], context) &&
      hasRank(scale, '`scale`', [2], context) &&
      hasRank(zero, '`zero_point`', [0, 2], context);
    if (!areRanked || sameDType('uint8', weight.dtype, '`weight`', context) === undefined) {
      return undefined;
    }
    const dtype = sameDType(data.dtype, scale.dtype, '`scale`', context);
    if (dtype === undefined || !sameDType(dtype, zero.dtype, '`zero_point`', context)) {
      return undefined;
    }
    if (!inDomain(dtype, 'float', context)) return undefined;
    const [units, blocks, bytes] = weight.shape as readonly [Dim, Dim, Dim];
    for (const [name, { shape }] of [
      ['`scale`', scale],
      ['`zero_point`', zero],
    ] as ReadonlyArray<readonly [string, KnownTensor]>) {
      const fits = shape.every((dim, i) => dimAgrees(dim, [units, blocks][i] as Dim));
      if (!fits) {
        return report(context, shapeMismatch(name, [units, blocks], shape, 'blocks of `weight`'));
      }
    }
    const depth = dimAt(data, data.shape.length - 1);
    if (typeof depth === 'number' && typeof blocks === 'number' && typeof bytes === 'number') {
      const size = bytes * (8 / attrs.bits);
      if (depth > blocks * size || depth <= (blocks - 1) * size) {
        const what = `the last axis of \`data\` of ${depth}`;
        return report(context, badExtent(what, `expected ${blocks} blocks of ${size}`));
      }
    }
    return tensorType([...data.shape.slice(0, -1), units], dtype);
  },
  form: {
    _tag: 'Contract',
    blocks: ({ bits }) => ({ bits }),
    contraction: (_attrs, [data = [], weight = []]) =>
      contractionOf(matrixLabels(data.length, false, true), [
        data,
        [weight[0] as number, data.at(-1) as number],
      ]),
  },
  definition: ({ args: [data, weight, scale, zero], attrs: { bits }, sizes, ...words }) => {
    const { op, reshape, crop, withAxes, times, minus, scalar, integers, rank, sizeOf } = words;
    const [units, blocks, bytes] = sizes(1) as readonly [number, number, number];
    const depth = sizeOf(0, -1);
    const size = bytes * (8 / bits);
    const shifts = op('cast', [integers(Array.from({ length: 8 / bits }, (_, i) => bits * i))], {
      dtype: 'uint8',
    });
    const shifted = op('right_shift', [withAxes(weight, [3]), shifts]);
    const all = op('bitwise_and', [shifted, scalar(2 ** bits - 1, 'uint8')]);
    const whole = reshape(all, [units, blocks, size]);
    const along = withAxes(scale, [2]);
    const point = rank(3) === 0 ? zero : withAxes(zero, [2]);
    const scaled = times(minus(op('cast_like', [whole, along]), point), along);
    const rows = crop(reshape(scaled, [units, blocks * size]), [0, 0], [units, depth]);
    return op('nn.dense', [data, rows]);
  },
  bounds: ([data, weight, scale, zero], { products }) => {
    if (!data || !weight || !scale || !zero) return symmetric(0);
    const most = (magnitude(weight) + magnitude(zero)) * magnitude(scale);
    return symmetric(magnitude(data) * most * Math.max(products, 1));
  },
  precision: 'follow',
  examples: [
    { args: [f32(2, 6), u8(5, 2, 2), f32(5, 2), f32n(8)], result: f32(2, 5) },
    { args: [f32(1, 3, 5), u8(2, 3, 1), f32(2, 3), f32(2, 3)], result: f32(1, 3, 2) },
    {
      args: [f32(3, 7), u8(4, 2, 4), f32(4, 2), f32(4, 2)],
      attrs: { bits: 8 },
      result: f32(3, 4),
    },
    {
      args: [f32(1, 9), u8(2, 2, 2), f32(2, 2), f32n(2)],
      attrs: { bits: 2 },
      result: f32(1, 2),
    },
  ],
});
