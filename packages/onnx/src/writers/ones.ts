/** `ones`. */
import { filled } from '../forms/filled.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const ones: OnnxWriter = {
  op: 'ones',
  write: (context) => filled(context, 1),
};
