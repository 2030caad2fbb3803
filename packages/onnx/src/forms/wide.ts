/** Formulas of 16-bit floats, computed in float32 as the operators compute. */
import type { CallContext, OnnxExporter } from '../operator-api/exporter.ts';
import { castTo } from './types.ts';

/**
 * The writer of a formula of tensors with one result, which 16-bit floats pass in float32 between
 * casts: in float16 the square of 256 is infinite, and the square of 2^-13 is 0. `isFormula` tells whether
 * the operator is written as a formula; a node computes as it likes.
 */
export const inFloat32 = (
  { op, write }: OnnxExporter,
  isFormula: (context: CallContext) => boolean = () => true,
): OnnxExporter => ({
  op,
  write: (context) => {
    const dtype = context.dtype(context.input(0));
    if (!/float16$/.test(dtype) || !isFormula(context)) return write(context);
    const wide = context.inputs.map((x) => castTo(context, x, 'float32'));
    return castTo(context, context.call(op, wide, context.attrs.all), dtype);
  },
});
