/** `MaxPool`, with the places of the maxima if they are used. */
import { maxPlaces } from '../families/max-places.ts';
import { pooledMaximum } from '../families/pooling.ts';
import { WINDOW_ATTRIBUTES, windows } from '../families/spatial.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const maxPool: OnnxOperator = {
  opType: 'MaxPool',
  versions: [1, 8, 10, 11, 12, 22],
  inputs: [1, 1],
  attributes: { ...WINDOW_ATTRIBUTES, ceil_mode: 'int', storage_order: 'int' },
  convert: (context) => {
    const x = context.input(0);
    const w = windows(context, context.dimsOf(x));
    if (w === undefined) return undefined;
    const pooled = pooledMaximum(context, w, context.attributes.int('ceil_mode', 0) !== 0);
    if (!context.isUsed(1) || context.hasFailed()) return pooled;
    const columnMajor = context.attributes.int('storage_order', 0) !== 0;
    const places = maxPlaces(context, x, pooled, w, columnMajor);
    return places === undefined ? undefined : [pooled, places];
  },
};
