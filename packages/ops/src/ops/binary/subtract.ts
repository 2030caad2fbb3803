import { broadcastBinary } from '../../families/binary.ts';
import { subtract as kernel } from '../../kernels/binary.ts';
import { sumScale } from '../../scale-axis/maps.ts';

/** `subtract`. */
export const subtract = broadcastBinary({
  name: 'subtract',
  doc: 'The difference.',
  kernel,
  flops: 1,
  scaleAxis: sumScale,
});
