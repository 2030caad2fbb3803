/** `relay.op.annotation.simulated_quantize`: multiples of a scale, or the data if it is 0. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const simulatedQuantize: OnnxExporter = formula(
  'relay.op.annotation.simulated_quantize',
  ({ attrs, call, node }, x, scale, least, most) => {
    if (attrs.int('kind') === 0) return node('Identity', [x]);
    const bounded = call('minimum', [call('maximum', [call('divide', [x, scale]), least]), most]);
    const multiple = call('multiply', [call('round', [bounded]), scale]);
    return call('where', [call('equal', [scale, 0]), x, multiple]);
  },
);
