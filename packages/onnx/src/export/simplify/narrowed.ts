/**
 * A normalization of 16-bit floats, which ONNX defines by way of float32: the import writes the casts,
 * and the node has them inside.
 */
import { mergeSpans } from '@baton/base';
import { fromNumbers, isDType, toNumbers } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand } from '../graph-builder.ts';
import { isValid } from '../misfit.ts';
import { type Step, type Surroundings, sourceOfCast } from './steps.ts';

/** The normalizations that have float32 inside by default. */
const NORMALIZATIONS: ReadonlySet<string> = new Set(['LayerNormalization', 'RMSNormalization']);

export const narrowed: Step = (root, { maker, isUsedOnce, opset }) => {
  const wide = sourceOfCast(root);
  const [result] = root.outputs;
  const normal = wide && isUsedOnce(wide) ? maker(wide) : undefined;
  if (normal === undefined || result === undefined || wide?.type.dtype !== 'float32') {
    return undefined;
  }
  if (!NORMALIZATIONS.has(normal.opType) || normal.outputs.length > 1) return undefined;
  const present = normal.inputs.filter((input) => input !== undefined);
  const inputs = present.flatMap((input) => narrow(input, result, maker) ?? []);
  if (inputs.length < present.length || normal.inputs[present.length - 1] === undefined) {
    return undefined;
  }
  const span = mergeSpans(normal.span, root.span);
  const made = { ...normal, inputs, outputs: root.outputs, span };
  return isValid(made, opset) ? [made] : undefined;
};

/** What an operand is a cast of, or a constant of the same numbers, in the type of a result. */
function narrow(
  input: Operand,
  { type: { dtype } }: Operand,
  maker: Surroundings['maker'],
): Operand | undefined {
  if (input.constant === undefined) {
    const made = maker(input);
    const source = made && sourceOfCast(made);
    return source?.type.dtype === dtype ? source : undefined;
  }
  if (!isDType(dtype)) return undefined;
  const numbers = Float64Array.from(toNumbers(input.constant));
  const rounded = fromNumbers(numbers, input.constant.shape, dtype);
  const isExact = Array.from(toNumbers(rounded)).every((value, i) => value === numbers[i]);
  return isExact ? constantOperand(rounded, input.hint) : undefined;
}
