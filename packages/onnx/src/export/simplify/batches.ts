/**
 * Products of batches with several axes: Relay has one axis of batches, around which data are
 * reshaped, and `MatMul` has any number.
 */
import { mergeSpans } from '@baton/base';
import type { Operand } from '../../node/writer.ts';
import type { DraftNode } from '../draft.ts';
import { type Step, sizesOf } from './step.ts';

export const batches: Step = (node, { maker, isUsedOnce }) => {
  if (node.opType !== 'Reshape') return undefined;
  const [merged] = node.inputs;
  const product = merged && isUsedOnce(merged) ? maker(merged) : undefined;
  const [result] = node.outputs;
  if (product?.opType !== 'MatMul' || result === undefined) return undefined;
  const sides = product.inputs.map(maker);
  const [a, b] = sides.map((side) => (side?.opType === 'Reshape' ? side : undefined));
  const [left, right] = [a?.inputs[0], b?.inputs[0]];
  if (a === undefined || b === undefined || left === undefined || right === undefined) {
    return undefined;
  }
  const lead = sizesOf(result).slice(0, -2);
  const fits =
    mergesBatches(a, lead) && mergesBatches(b, lead) && isSame(ends(result), ends(merged));
  if (!fits) return undefined;
  const span = mergeSpans(a.span, b.span, product.span, node.span);
  return [{ ...product, inputs: [left, right], outputs: node.outputs, span }];
};

/** Whether a reshape merges just these axes, and leaves the matrices as they are. */
function mergesBatches(
  { inputs: [x], outputs: [y] }: DraftNode,
  lead: ReadonlyArray<number | undefined>,
): boolean {
  if (x === undefined || y === undefined || sizesOf(y).length !== 3) return false;
  return isSame(sizesOf(x).slice(0, -2), lead) && isSame(ends(x), ends(y));
}

/** The sizes of the matrices. */
const ends = (x: Operand | undefined): ReadonlyArray<number | undefined> =>
  x === undefined ? [] : sizesOf(x).slice(-2);

/** Whether sizes are known and the same. */
const isSame = (
  a: ReadonlyArray<number | undefined>,
  b: ReadonlyArray<number | undefined>,
): boolean => a.length === b.length && a.every((size, i) => size !== undefined && size === b[i]);
