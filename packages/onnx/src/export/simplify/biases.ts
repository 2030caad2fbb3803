/** Constants that are added to products and normalizations are their biases. */
import { mergeSpans } from '@baton/base';
import { reshapeView, shapeSize, type Tensor } from '@baton/tensor';
import { float } from '../../operator-api/attribute-values.ts';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand } from '../graph-builder.ts';
import { knownSizes, numberAttribute, numbersOf, type Step, sizesOf } from './steps.ts';

export const biases: Step = (node, { maker, isUsedOnce }) => {
  if (node.opType !== 'Add') return undefined;
  const [a, b] = node.inputs;
  const [product, addend] = a?.constant === undefined ? [a, b] : [b, a];
  if (product === undefined || addend?.constant === undefined) return undefined;
  const made = maker(product);
  if (made === undefined || made.inputs.length > 2 || !isUsedOnce(product)) return undefined;
  const bias = BIAS_OF[made.opType]?.(addend.constant, sizesOf(product));
  if (bias === undefined) return undefined;
  const input = bias === addend.constant ? addend : constantOperand(bias, addend.hint);
  const span = mergeSpans(made.span, node.span);
  return [{ ...made, inputs: [...made.inputs, input], outputs: node.outputs, span }];
};

/** `Gemm` times a number, and a vector that is added to it, are its factor and its bias. */
export const gemms: Step = (node, { maker, isUsedOnce }) => {
  for (const [data, other] of [node.inputs, node.inputs.toReversed()]) {
    const made = data !== undefined && isUsedOnce(data) ? maker(data) : undefined;
    if (made?.opType !== 'Gemm' || made.inputs.length > 2 || other === undefined) continue;
    const span = mergeSpans(made.span, node.span);
    const whole = { ...made, outputs: node.outputs, span };
    const [factor, ...others] = numbersOf(other) ?? [];
    const alpha = numberAttribute(made, 'alpha') ?? 1;
    if (node.opType === 'Mul' && factor !== undefined && others.length === 0) {
      const isScalar = (knownSizes(other)?.length ?? 3) <= 2;
      if (!isScalar) continue;
      return [{ ...whole, attributes: { ...made.attributes, alpha: float(alpha * factor) } }];
    }
    const sizes = knownSizes(other);
    const columns = sizesOf(data as Operand)[1];
    // A matrix may be a residual, whose sum runtimes fuse with what follows.
    const isBias = sizes?.every((size) => size === 1 || size === columns) && sizes.length < 2;
    if (node.opType === 'Add' && isBias) {
      return [{ ...whole, inputs: [...made.inputs, other] }];
    }
  }
  return undefined;
};

/** The bias that a constant is for a product of these sizes, if it is one. */
type BiasOf = (addend: Tensor, sizes: ReadonlyArray<number | undefined>) => Tensor | undefined;

/** One value for each channel, which is axis 1. */
const perChannel: BiasOf = (addend, sizes) => {
  const channels = sizes[1];
  const [, ...behind] = sizes;
  const fits =
    channels === shapeSize(addend.shape) &&
    (addend.shape.length >= behind.length || channels === 1) &&
    addend.shape.at(-behind.length) === channels &&
    addend.shape.length <= sizes.length;
  return fits ? reshapeView(addend, [channels]) : undefined;
};

/** Anything that does not make the product larger. */
const broadcast: BiasOf = (addend, sizes) => {
  const offset = sizes.length - addend.shape.length;
  const fits =
    offset >= 0 && addend.shape.every((size, axis) => size === 1 || size === sizes[offset + axis]);
  return fits ? addend : undefined;
};

const BIAS_OF: Readonly<Partial<Record<string, BiasOf>>> = {
  Conv: perChannel,
  ConvTranspose: perChannel,
  Gemm: broadcast,
};

export const shifts: Step = (root, { maker, isUsedOnce }) => {
  if (root.opType !== 'Add') return undefined;
  for (const [normal, shift] of [root.inputs, root.inputs.toReversed()]) {
    const made = maker(normal);
    if (made?.opType !== 'LayerNormalization' || normal === undefined) continue;
    const [x, scale, ...others] = made.inputs;
    const isBare =
      others.every((other) => other === undefined) &&
      made.outputs.length === 1 &&
      isUsedOnce(normal);
    const sizes = knownSizes(scale);
    if (!isBare || sizes === undefined || String(knownSizes(shift)) !== String(sizes)) continue;
    const span = mergeSpans(made.span, root.span);
    return [{ ...made, inputs: [x, scale, shift], outputs: root.outputs, span }];
  }
  return undefined;
};
