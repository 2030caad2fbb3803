/** Operators on quantized tensors that mean: dequantized, computed as floats, quantized again. */
import type { Expr } from '@baton/ir';
import { MICROSOFT } from '../operator-api/domains.ts';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { centred, saturated } from './quantization.ts';

/** The particulars of a quantized operator. */
export interface QuantizedParts {
  readonly opType: string;
  /** The places of the quantized inputs; after each stand its scale and its zero point. */
  readonly data: ReadonlyArray<number>;
  /** The place of the result's scale, before its zero point. */
  readonly result: number;
  /** The operator on floats, whose inputs are the quantized ones of the node. */
  readonly of: (context: NodeContext) => Converted;
}

/** An operator of ONNX Runtime on quantized tensors. */
export const throughFloats = (parts: QuantizedParts): OnnxImporter => ({
  domain: MICROSOFT,
  opType: parts.opType,
  kernelSince: 1,
  convert: (context) => {
    const floats = parts.data.map((place) => dequantized(context, place));
    const found = parts.of(withInputs(context, floats));
    const value = found === undefined || '_tag' in found ? found : found[0];
    return value && quantizedAs(context, value, parts.result, context.input(parts.data[0] ?? 0));
  },
});

/** The floats of a quantized input, whose scale and zero point follow it. */
export function dequantized(context: NodeContext, place: number): Expr {
  const scale = context.input(place + 1);
  const whole = centred(context, context.input(place), context.optional(place + 2));
  return context.call('multiply', [context.call('cast_like', [whole, scale]), scale]);
}

/** Floats quantized by the scale at a place and the zero point after it; `like` has their type. */
export function quantizedAs(
  context: NodeContext,
  value: Expr,
  place: number,
  like: Expr,
): Expr | undefined {
  const point = context.optional(place + 1);
  const steps = context.call('divide', [value, context.input(place)]);
  return saturated(context, steps, point, context.dtypeOf(point ?? like));
}

/** The context of a node with other inputs. */
export const withInputs = (
  context: NodeContext,
  inputs: ReadonlyArray<Expr | undefined>,
): NodeContext => ({
  ...context,
  version: Number.POSITIVE_INFINITY,
  inputCount: inputs.length,
  input: (index) => inputs[index] ?? context.input(index),
  optional: (index) => inputs[index],
  isUsed: (index) => index === 0,
});
