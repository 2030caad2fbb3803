import { orThrow } from '@baton/base';
import { tensorType } from '@baton/ir';
import {
  cast,
  type DType,
  dense,
  dtypeInfo,
  fromBytes,
  hasRoom,
  isDType,
  narrow,
  storageOf,
  tensor,
  toBytes,
} from '@baton/tensor';
import { dtype } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { within } from '../../bounds/rules.ts';
import { noFlops } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32, i32 } from '../../example-types.ts';
import { report, tensorTypeArg } from '../../relation/known.ts';
import { likeFirst } from '../../relayout/rules.ts';

export const reinterpret = defineOp({
  name: 'reinterpret',
  doc: 'The same bits, as another dtype of the same width.',
  source: 'operators §1',
  inputs: ['x'],
  attrs: attrs({ dtype }),
  relation: (args, attrs, context) => {
    const x = tensorTypeArg(args, 0, context);
    if (x === undefined || typeof x.dtype !== 'string') return undefined;
    const { dtype: from } = x;
    if (isDType(from) && widthOf(from) !== widthOf(attrs.dtype)) {
      return report(context, badAttr('dtype', `${attrs.dtype} has not the width of ${from}`));
    }
    return tensorType(x.shape, attrs.dtype);
  },
  kernel: (args, { dtype: to }, out) => {
    const x = args.tensor(0);
    const bytes = toBytes(dense(x, out));
    if (hasRoom(to) && to !== 'bool') {
      const own = new (storageOf(to))(bytes.slice().buffer, 0, bytes.length);
      return tensor(narrow(own as Int8Array, to), x.shape, to);
    }
    if (to !== 'bool') return orThrow(fromBytes(bytes, x.shape, to));
    // Whether any bit is set.
    return cast(orThrow(fromBytes(bytes, x.shape, 'uint8')), 'bool', out);
  },
  cost: noFlops,
  kind: 'elementwise',
  relayout: likeFirst,
  numerics: 'discontinuous',
  precision: 'never',
  bounds: within(-1e30, 1e30),
  examples: [{ args: [f32(2, 3)], attrs: { dtype: 'int32' }, result: i32(2, 3) }],
});

/** The bits of an element; a bool takes a byte. */
const widthOf = (dtype: DType): number => (dtype === 'bool' ? 8 : dtypeInfo(dtype).bits);
