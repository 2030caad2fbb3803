/** `MaxPool`, with the places of the maxima if they are used. */
import { maxPlaces } from '../families/max-places.ts';
import { leastOf, pooledMaximum } from '../families/pooling.ts';
import { padsAtRun, windowed } from '../families/spatial.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const maxPool: OnnxImporter = {
  opType: 'MaxPool',
  kernelSince: 1,
  kernelWhen: (context) => padsAtRun(context, context.dimsOf(context.input(0))),
  convert: (context) => {
    const given = context.input(0);
    const over = windowed(context, given, leastOf(context.dtypeOf(given)));
    if (over === undefined) return undefined;
    const { x, w, isPadded } = over;
    const roundsUp = !isPadded && context.attributes.int('ceil_mode') !== 0;
    const pooled = pooledMaximum(context, x, w, roundsUp);
    if (!context.isUsed(1) || context.hasFailed()) return pooled;
    const columnMajor = context.attributes.int('storage_order') !== 0;
    const places = maxPlaces(context, x, pooled, w, columnMajor);
    return places === undefined ? undefined : [pooled, places];
  },
};
