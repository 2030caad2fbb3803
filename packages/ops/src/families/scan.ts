/** Running sums and products. */
import { type OpInfo, tensorType } from '@baton/ir';
import type { DType } from '@baton/tensor';
import { bool, dtype, int, orNone } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import type { BoundsRule } from '../bounds/bounds.ts';
import { defineOp, type Facts } from '../define-op.ts';
import type { Definition } from '../definition/column.ts';
import { f32, f64, i32, i64 } from '../example-types.ts';
import type { Gradient } from '../gradient/column.ts';
import { productOfDims } from '../relation/dims.ts';
import { inDomain, normalAxis, ofTensor } from '../relation/known.ts';

export interface ScanAttrs {
  readonly axis: number | null;
  readonly dtype: DType | null;
  readonly exclusive: boolean;
}

export interface Scan extends Facts<'name' | 'doc' | 'numerics' | 'domain'> {
  readonly combine: 'add' | 'mul';
  readonly bounds: BoundsRule<unknown>;
  readonly gradient?: Gradient<ScanAttrs>;
  readonly definition?: Definition<ScanAttrs, never>;
}

/** Without an axis, of the flattened data. */
export const scanning = ({ combine, ...facts }: Scan): OpInfo =>
  defineOp({
    ...facts,
    signature: {
      source: `operators §4; NumPy ${facts.name}`,
      attrs: attrs({
        axis: withDefault(orNone(int), null),
        dtype: withDefault(orNone(dtype), null),
        exclusive: withDefault(bool, false),
      }),
      relation: ofTensor((data, attrs, context) => {
        const result = attrs.dtype ?? data.dtype;
        if (!inDomain(result, 'number', context)) return undefined;
        if (attrs.axis === null) return tensorType([productOfDims(data.shape)], result);
        if (normalAxis(attrs.axis, data.shape.length, context) === undefined) return undefined;
        return tensorType(data.shape, result);
      }),
      relayText: { record: 'relay.attrs.ScanopAttrs' },
      examples: [
        { args: [f32(2, 3)], result: f32(6) },
        { args: [f32()], result: f32(1) },
        { args: [i64(2, 3)], attrs: { axis: -1, exclusive: true }, result: i64(2, 3) },
        { args: [i32(4)], attrs: { axis: 0, dtype: 'float64' }, result: f64(4) },
      ],
    },
    form: {
      _tag: 'Scan',
      scanning: ({ axis, exclusive }) => ({ axis: axis ?? undefined, combine, exclusive }),
    },
  });
