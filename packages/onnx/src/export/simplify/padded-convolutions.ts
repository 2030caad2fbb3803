/**
 * A batch normalization after a convolution whose padding the run decides, which passes see as one kernel:
 * its scale goes into the weight, and the rest into the bias, as FoldScaleAxis does it to others.
 */
import { mergeSpans } from '@baton/base';
import { fromNumbers, type Tensor, toNumbers } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand } from '../graph-builder.ts';
import { numberAttribute, type Step } from './steps.ts';

export const paddedConvolutions: Step = (root, { maker, isUsedOnce }) => {
  const [data, ...statistics] = root.inputs;
  if (root.opType !== 'BatchNormalization' || root.outputs.length > 1) return undefined;
  if ((numberAttribute(root, 'training_mode') ?? 0) !== 0 || data === undefined) return undefined;
  const made = isUsedOnce(data) ? maker(data) : undefined;
  if (made?.opType !== 'Conv' || made.attributes.auto_pad === undefined) return undefined;
  const [x, weight, bias] = made.inputs;
  const own = bias === undefined ? [] : numbersIn(bias);
  const [scale, shift, mean, variance] = statistics.map(numbersIn);
  const weights = numbersIn(weight);
  if (weights === undefined || own === undefined || weight?.constant === undefined) {
    return undefined;
  }
  // Another convolution may read the same weight.
  if (!isUsedOnce(weight)) return undefined;
  if (!scale || !shift || !mean || !variance || scale.length === 0) return undefined;
  const epsilon = numberAttribute(root, 'epsilon') ?? Math.fround(1e-5);
  const factors = scale.map((one, i) => one / Math.sqrt((variance[i] ?? 0) + epsilon));
  const each = weights.length / factors.length;
  const scaled = weights.map((one, i) => one * (factors[Math.floor(i / each)] ?? 0));
  const shifted = factors.map((one, i) => ((own[i] ?? 0) - (mean[i] ?? 0)) * one + (shift[i] ?? 0));
  if (![...scaled, ...shifted].every(isPlain)) return undefined;
  const { constant, hint } = weight;
  const inputs = [x, likeIn(constant, scaled, hint), biasOf(constant, shifted, bias?.hint)];
  const span = mergeSpans(made.span, root.span);
  return [{ ...made, inputs, outputs: root.outputs, span }];
};

/** The numbers of a constant of float32. */
const numbersIn = (operand: Operand | undefined): ReadonlyArray<number> | undefined =>
  operand?.constant?.dtype === 'float32' ? Array.from(toNumbers(operand.constant)) : undefined;

/** Whether a number is one of float32 without loss of digits: not too large, and not too small. */
const isPlain = (value: number): boolean =>
  value === 0 || (Math.abs(value) >= 2 ** -126 && Number.isFinite(Math.fround(value)));

const likeIn = (
  { shape, dtype }: Tensor,
  values: ReadonlyArray<number>,
  hint: string | undefined,
): Operand => constantOperand(fromNumbers(Float64Array.from(values), shape, dtype), hint);

const biasOf = (
  { dtype }: Tensor,
  values: ReadonlyArray<number>,
  hint: string | undefined,
): Operand => constantOperand(fromNumbers(Float64Array.from(values), [values.length], dtype), hint);
