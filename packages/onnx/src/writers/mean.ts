/** `mean`; ONNX has none of integers of 8 and 16 bits, whose sum wraps before it is divided. */
import { reducedAxes, reduction, throughInt32 } from '../forms/reduction.ts';
import { castTo } from '../forms/types.ts';
import type { CallContext, OnnxExporter, Operand } from '../operator-api/exporter.ts';

const { op, write } = reduction('mean', { opType: 'ReduceMean', axesInputSince: 18 });

export const mean: OnnxExporter = {
  op,
  write: (context) =>
    throughInt32(context.dtype(context.input(0))) === undefined ? write(context) : small(context),
};

/** The quotient of the sum, in its own type, and the number of elements. */
function small(context: CallContext): Operand | undefined {
  const x = context.input(0);
  const dims = context.shape(x);
  if (dims === undefined) return undefined;
  const axes = reducedAxes(context, x) ?? dims.map((_, axis) => axis);
  const count = axes.reduce((product, axis) => product * (dims[axis] ?? 1), 1);
  if (count === 0) return context.fail('there is no mean of nothing');
  const sum = context.call('sum', [x], context.attrs.all);
  const quotient = context.call('divide', [castTo(context, sum, 'int32'), count]);
  return castTo(context, quotient, context.dtype(x));
}
