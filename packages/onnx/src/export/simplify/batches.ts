/**
 * Products of batches with several axes: Relay has one axis of batches, around which data are
 * reshaped, and `MatMul` has any number.
 */
import { mergeSpans } from '@baton/base';
import { anyDim, type Dim, dimsEqual, isAnyDim } from '@baton/ir';
import type { Operand } from '../../operator-api/exporter.ts';
import type { DraftNode } from '../graph-builder.ts';
import type { Step, Surroundings } from './steps.ts';

export const batches: Step = (node, graph) => {
  if (node.opType !== 'Reshape') return undefined;
  const { maker, uses } = graph;
  const [merged, shape] = node.inputs;
  const isOnlyHere = merged !== undefined && uses(merged) === 1 + sizesFrom(merged, shape, graph);
  const product = isOnlyHere ? maker(merged) : undefined;
  const [result] = node.outputs;
  if (product?.opType !== 'MatMul' || result === undefined) return undefined;
  const sides = product.inputs.map(maker);
  const [a, b] = sides.map((side) => (side?.opType === 'Reshape' ? side : undefined));
  const [left, right] = [a?.inputs[0], b?.inputs[0]];
  if (a === undefined || b === undefined || left === undefined || right === undefined) {
    return undefined;
  }
  const lead = dimsOf(result).slice(0, -2);
  const fits =
    mergesBatches(a, lead) && mergesBatches(b, lead) && areSame(ends(result), ends(merged));
  if (!fits) return undefined;
  const span = mergeSpans(a.span, b.span, product.span, node.span);
  return [{ ...product, inputs: [left, right], outputs: node.outputs, span }];
};

/** The number of uses of a tensor for sizes that only this list of sizes contains. */
export function sizesFrom(
  x: Operand,
  list: Operand | undefined,
  { maker, isUsedOnce }: Surroundings,
): number {
  let count = 0;
  const pending = [list];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const made = isUsedOnce(at) ? maker(at) : undefined;
    if (made?.opType === 'Shape' && made.inputs[0] === x) count++;
    else pending.push(...(made?.inputs.filter((input) => input !== undefined) ?? []));
  }
  return count;
}

/** Whether a reshape merges just these axes, and leaves the matrices as they are. */
function mergesBatches(
  { inputs: [x], outputs: [y] }: DraftNode,
  lead: ReadonlyArray<Dim>,
): boolean {
  if (x === undefined || y === undefined || dimsOf(y).length !== 3) return false;
  return areSame(dimsOf(x).slice(0, -2), lead) && areSame(ends(x), ends(y));
}

const dimsOf = ({ type }: Operand): ReadonlyArray<Dim> => ('_tag' in type.shape ? [] : type.shape);

/** The sizes of the matrices. */
const ends = (x: Operand | undefined): ReadonlyArray<Dim> =>
  x === undefined ? [] : dimsOf(x).slice(-2);

/** Whether sizes are the same, by their numbers or their names. */
const areSame = (a: ReadonlyArray<Dim>, b: ReadonlyArray<Dim>): boolean =>
  a.length === b.length && a.every((dim, i) => !isAnyDim(dim) && dimsEqual(dim, b[i] ?? anyDim));
