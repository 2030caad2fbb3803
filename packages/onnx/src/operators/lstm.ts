/** `LSTM`: long short-term memory. */
import { LSTM } from '../families/lstm.ts';
import { recurrence } from '../families/recurrence.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const lstm: OnnxImporter = recurrence({
  ...LSTM,
  opType: 'LSTM',
  versions: [7, 14, 22],
  kernelSince: 14,
  inputs: [3, 8],
  attributes: { input_forget: 'int', layout: 'int' },
});
