/** `nn.upsampling`: a resize with its own coordinates. */
import { type Resampling, resizing } from '../forms/resize.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const upsampling: OnnxExporter = resizing('nn.upsampling', 2, ({ attrs }) => {
  const corners = attrs.bool('align_corners');
  return {
    mode: MODES[attrs.text('method')] ?? 'nearest',
    coordinates: corners ? 'align_corners' : 'asymmetric',
    nearestMode: corners ? 'round_prefer_ceil' : 'floor',
    cubicA: -0.5,
    excludeOutside: false,
    scales: [attrs.float('scale_h'), attrs.float('scale_w')],
  };
});

const MODES: Readonly<Partial<Record<string, Resampling['mode']>>> = {
  nearest_neighbor: 'nearest',
  bilinear: 'linear',
  bicubic: 'cubic',
};
