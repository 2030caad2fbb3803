/**
 * Graphs that compute something ONNX does not define, or onnxruntime computes in another type: casts
 * and quantizations of numbers that the integer type does not hold, choices among NaNs, and float16
 * beyond its range, which onnxruntime computes in float32.
 */
import { elementNumber, type ModelProto, type NodeProto } from '@baton/onnx';
import { DTYPES, type DType, isFloat, toNumbers } from '@baton/tensor';
import { type Feeds, graphOf } from './model.ts';

/** Operators whose result is not defined for NaN. */
const CHOOSING = new Set(['ArgMax', 'ArgMin', 'TopK', 'DynamicQuantizeLinear', 'QuantizeLinear']);

/** Whether the values of a run are no evidence of a fault. */
export function isOutside(model: ModelProto, values: Feeds): boolean {
  const isBeyondHalf = [...values.values()].some(
    (t) => t.dtype === 'float16' && toNumbers(t).some((x) => !Number.isFinite(x)),
  );
  return isBeyondHalf || graphOf(model).nodes.some((node) => isUndefined(node, values));
}

function isUndefined(node: NodeProto, values: Feeds): boolean {
  const operand = values.get(node.inputs[0] ?? '');
  if (operand === undefined || !isFloat(operand.dtype)) return false;
  const numbers = toNumbers(operand);
  if (CHOOSING.has(node.opType)) return numbers.some((x) => !Number.isFinite(x));
  const range = node.opType === 'Cast' ? rangeOf(node) : undefined;
  return range !== undefined && numbers.some((x) => !(x > range[0] - 1 && x < range[1] + 1));
}

function rangeOf({ attributes }: NodeProto): readonly [number, number] | undefined {
  const to = attributes.find(({ name }) => name === 'to')?.value;
  const dtype = DTYPES.find((one) => to?.kind === 'int' && elementNumber(one) === Number(to.value));
  return dtype && RANGES[dtype];
}

const RANGES: Readonly<Partial<Record<DType, readonly [number, number]>>> = {
  uint8: [0, 255],
  int8: [-128, 127],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63 - 2048],
};
