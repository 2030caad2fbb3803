/** `Upsample` by constant scales. */
import { constantNumbers, keepsSizes, resized, scaledAxes } from '../families/resizing.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const upsample: OnnxOperator = {
  opType: 'Upsample',
  versions: [7, 9, 10],
  inputs: [1, 2],
  attributes: { mode: 'string', scales: 'floats' },
  convert: (context) => {
    const x = context.input(0);
    const dims = context.shapeOf(x);
    if (dims === undefined) {
      return context.unknown('expected an image of known size');
    }
    const raw = context.attributes.raw('scales');
    const listed = raw?.kind === 'floats' ? raw.value : undefined;
    const scales = context.version < 9 ? listed : constantNumbers(context, 1);
    const mode = context.attributes.string('mode', 'nearest');
    if (context.hasFailed()) return undefined;
    if (mode !== 'nearest' && mode !== 'linear') {
      return context.fail('ONNX_ATTRIBUTE', 'expected mode nearest or linear');
    }
    const all = dims.map((_, i) => i);
    const axes = scaledAxes(context, dims, all, Array.from(scales ?? []));
    if (axes === undefined) return undefined;
    if (keepsSizes(axes)) return x;
    const how = {
      mode,
      coordinates: 'asymmetric',
      nearestMode: 'floor',
      cubicA: -0.75,
      excludeOutside: false,
      antialias: false,
    } as const;
    return resized(context, x, dims, axes, how, undefined);
  },
};
