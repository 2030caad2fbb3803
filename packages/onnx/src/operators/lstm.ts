/** `LSTM`: long short-term memory. */
import { LSTM } from '../families/lstm.ts';
import { recurrence } from '../families/recurrence.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const lstm: OnnxImporter = recurrence({
  ...LSTM,
  opType: 'LSTM',
  since: 7,
  kernelSince: 14,
});
