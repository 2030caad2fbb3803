/** `vision.yolo_reorg`: blocks of places in another order. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const yoloReorg: OnnxExporter = formula('vision.yolo_reorg', (context, x) => {
  const stride = context.attrs.int('stride');
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [batch = 1, channels = 1, height = 1, width = 1] = shape;
  const square = stride * stride;
  const blocks = [batch, channels / square, height, stride, width, stride];
  const parted = context.call('reshape', [x], { newshape: blocks });
  const moved = context.call('transpose', [parted], { axes: [0, 3, 5, 1, 2, 4] });
  const newshape = [batch, channels * square, height / stride, width / stride];
  return context.call('reshape', [moved], { newshape });
});
