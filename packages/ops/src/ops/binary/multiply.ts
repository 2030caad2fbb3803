import { broadcastBinary } from '../../families/binary.ts';
import { multiply as kernel } from '../../kernels/binary.ts';
import { multiplyScale } from '../../scale-axis/maps.ts';

/** `multiply`. */
export const multiply = broadcastBinary({
  name: 'multiply',
  doc: 'The product; on bool, and.',
  kernel,
  flops: 1,
  scaleAxis: multiplyScale,
});
