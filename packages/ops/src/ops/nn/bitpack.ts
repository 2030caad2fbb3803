import { type Dim, divideDims, tensorType } from '@baton/ir';
import { bigsToStorage, rowMajorStrides, tensor, toBigInts } from '@baton/tensor';
import { int, oneOf, positiveInt, text } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { within } from '../../bounds/rules.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, dimMismatch } from '../../diagnostics.ts';
import { i32, u8 } from '../../example-types.ts';
import { forEachIndex } from '../../kernels/index-map.ts';
import { inDomain, normalAxis, ofTensor, report } from '../../relation/known.ts';

const WIDTHS = { uint8: 8, uint16: 16, uint32: 32, uint64: 64 } as const;

export const bitpack = defineOp({
  name: 'nn.bitpack',
  doc: 'The lowest bits of integers, packed along `pack_axis` into words; a new axis has one word per bit.',
  source: 'operators §7; Relay v0.14 nn.bitpack',
  attrs: attrs({
    bits: withDefault(positiveInt, 1),
    pack_axis: withDefault(int, 1),
    bit_axis: withDefault(int, -1),
    pack_type: withDefault(oneOf('uint8', 'uint16', 'uint32', 'uint64'), 'uint32'),
    name: withDefault(text, 'BitPack'),
  }),
  relation: ofTensor((data, { bits, pack_axis: packed, bit_axis: added, ...given }, context) => {
    const rank = data.shape.length;
    if (!inDomain(data.dtype, 'int', context)) return undefined;
    if (bits > 8) return report(context, badAttr('bits', 'expected 8 at most'));
    const along = normalAxis(packed, rank, context);
    const place = normalAxis(added, rank + 1, context);
    if (along === undefined || place === undefined) return undefined;
    const width = WIDTHS[given.pack_type];
    const dim = data.shape[along] as Dim;
    const words = typeof dim === 'number' && dim % width !== 0 ? undefined : divideDims(dim, width);
    if (words === undefined) {
      return report(context, dimMismatch(`axis ${along}`, `a multiple of ${width}`, dim));
    }
    const shape = data.shape.map((own, i) => (i === along ? words : own));
    const wide = [...shape.slice(0, place), bits, ...shape.slice(place)];
    return tensorType(wide, given.pack_type);
  }),
  kernel: (args, { pack_axis: packed, bit_axis: added, pack_type: dtype }, out) => {
    const data = args.tensor(0);
    const along = args.axis(0, packed);
    const place = added < 0 ? added + data.shape.length + 1 : added;
    const numbers = toBigInts(data);
    const strides = rowMajorStrides(data.shape);
    const step = strides[along] ?? 1;
    const width = WIDTHS[dtype];
    const words: bigint[] = [];
    forEachIndex(out.shape, (index) => {
      const bit = BigInt(index[place] ?? 0);
      const own = index.filter((_, i) => i !== place);
      const start = own.reduce(
        (sum, at, i) => sum + at * (strides[i] ?? 1) * (i === along ? width : 1),
        0,
      );
      let word = 0n;
      for (let k = 0; k < width; k++) {
        word = (word << 1n) | (((numbers[start + k * step] as bigint) >> bit) & 1n);
      }
      words.push(word);
    });
    return tensor(bigsToStorage(words, dtype, out), out.shape, dtype);
  },
  cost: ([data], _result, { bits }) => (data === undefined ? 0 : 3 * bits * elementCount(data)),
  kind: 'movement',
  numerics: 'discontinuous',
  bounds: within(0, 2 ** 64, 0),
  examples: [
    {
      args: [i32(2, 16, 3)],
      attrs: { bits: 2, bit_axis: 2, pack_type: 'uint8' },
      result: u8(2, 2, 2, 3),
    },
    { args: [i32(3, 8)], attrs: { pack_type: 'uint8' }, result: u8(3, 1, 1) },
  ],
});
