/** `DynamicQuantizeLSTM`: `LSTM` with quantized weights; data and states are quantized as they come. */
import type { Expr } from '@baton/ir';
import { LSTM } from '../../families/lstm.ts';
import { centred, dynamicallyQuantized } from '../../families/quantization.ts';
import { type Factors, recurrence } from '../../families/recurrence.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { NodeContext, OnnxImporter } from '../../operator-api/importer.ts';

export const dynamicQuantizeLstm: OnnxImporter = recurrence({
  ...LSTM,
  domain: MICROSOFT,
  opType: 'DynamicQuantizeLSTM',
  kernelSince: 1,
  factors: quantizedFactors(),
});

/** Factors in the places of bytes: what the bytes stand for. */
function quantizedFactors(): Factors {
  const floats = (context: NodeContext, bytes: Expr, point: Expr, scale: Expr): Expr => {
    const whole = centred(context, bytes, point);
    return context.call('multiply', [context.call('cast_like', [whole, scale]), scale]);
  };
  return {
    weights: (context, place) => {
      // Scale and zero point: of each direction, or of each of its results.
      const scale = eachColumn(context, 2 * place + 6);
      const point = eachColumn(context, 2 * place + 7);
      const columns = floats(context, context.input(place), point, scale);
      return context.call('transpose', [columns], { axes: [0, 2, 1] });
    },
    rounded: (context, x) => {
      const found = dynamicallyQuantized(context, x);
      return found === undefined ? x : floats(context, found.bytes, found.point, found.scale);
    },
  };
}

/** A parameter of the weights, in a shape that broadcasts against them. */
function eachColumn(context: NodeContext, place: number): Expr {
  const given = context.input(place);
  const isEach = context.dimsOf(given).length === 2;
  return context.call('expand_dims', [given], isEach ? { axis: 1 } : { axis: 1, num_newaxis: 2 });
}
