/** `annotation.stop_fusion`: the value itself, since a file says nothing about fusion. */
import type { OnnxWriter } from '../node/writer.ts';

export const stopFusion: OnnxWriter = {
  op: 'annotation.stop_fusion',
  write: ({ arg }) => arg(0),
};
