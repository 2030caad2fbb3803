/** Casts to the type of their data, and there and back: Relay has places as int32, and ONNX as int64. */
import { typeEqual } from '@baton/ir';
import { type Step, sourceOfCast } from './step.ts';

/** Operators whose int64 results are places or sizes, which int32 holds. */
const OF_PLACES: ReadonlySet<string> = new Set(['ArgMax', 'ArgMin', 'NonZero', 'Shape', 'Size']);

export const casts: Step = (node, { maker }) => {
  const narrow = sourceOfCast(node);
  const made = maker(narrow);
  const places = made && sourceOfCast(made);
  const [result] = node.outputs;
  if (narrow !== undefined && result?.type.dtype === narrow.type.dtype) return narrow;
  const isBack =
    places !== undefined &&
    result !== undefined &&
    narrow?.type.dtype === 'int32' &&
    typeEqual(places.type, result.type);
  return isBack && OF_PLACES.has(maker(places)?.opType ?? '') ? places : undefined;
};
