/** `GridSample` of images and volumes. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const gridSample: OnnxImporter = {
  opType: 'GridSample',
  convert: (context) => {
    const rank = context.dimsOf(context.input(0)).length;
    if (rank !== 4 && rank !== 5) {
      return context.fail('ONNX_RANK', `expected two or three spatial axes, found rank ${rank}`);
    }
    const mode = context.attributes.string('mode', 'linear');
    const method = METHODS.get(mode);
    if (method === undefined) {
      return context.fail('ONNX_ATTRIBUTE', 'expected mode linear, nearest or cubic');
    }
    // ONNX has the coordinates along the last axis.
    const axes = [0, rank - 1, ...Array.from({ length: rank - 2 }, (_, i) => i + 1)];
    const grid = context.call('transpose', [context.input(1)], { axes });
    return context.call('image.grid_sample', [context.input(0), grid], {
      method,
      layout: rank === 4 ? 'NCHW' : 'NCDHW',
      padding_mode: context.attributes.string('padding_mode'),
      align_corners: context.attributes.int('align_corners') !== 0,
    });
  },
};

/** The methods by name, including the names before operator set 20. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['linear', 'bilinear'],
  ['bilinear', 'bilinear'],
  ['nearest', 'nearest'],
  ['cubic', 'bicubic'],
  ['bicubic', 'bicubic'],
]);
