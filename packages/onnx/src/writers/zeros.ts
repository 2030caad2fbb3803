/** `zeros`. */
import { filled } from '../forms/filled.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const zeros: OnnxWriter = {
  op: 'zeros',
  write: (context) => filled(context, 0),
};
