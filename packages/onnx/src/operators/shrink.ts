/** `Shrink`: x moved by `bias` toward 0 beyond ±λ, 0 between. */
import { formula } from '../families/formula.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const shrink: OnnxImporter = formula(
  'Shrink',
  { bias: 0, lambd: 0.5 },
  ({ call, bias, lambd }, x) => {
    const above = call('where', [call('greater', [x, lambd]), call('subtract', [x, bias]), 0]);
    return call('where', [call('less', [x, -lambd]), call('add', [x, bias]), above]);
  },
);
