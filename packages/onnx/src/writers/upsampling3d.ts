/** `nn.upsampling3d`: a resize of volumes. */
import { resizing } from '../forms/resize.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const upsampling3d: OnnxExporter = resizing('nn.upsampling3d', 3, ({ attrs }) => ({
  mode: attrs.text('method') === 'trilinear' ? 'linear' : 'nearest',
  coordinates: attrs.text('coordinate_transformation_mode'),
  nearestMode: 'round_prefer_ceil',
  cubicA: -0.5,
  excludeOutside: false,
  scales: ['scale_d', 'scale_h', 'scale_w'].map((name) => attrs.float(name)),
}));
