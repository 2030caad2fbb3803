/**
 * Views: nodes that only name the same elements by other sizes. Relay has an operator for each way to
 * say so, and ONNX says a chain of them with one `Reshape`, or a transpose and a view with one
 * `Transpose`.
 */
import { mergeSpans } from '@baton/base';
import { isAnyDim, isStaticDim, typeEqual } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import { ints } from '../../node/attribute-values.ts';
import type { Operand } from '../../node/writer.ts';
import { constantOperand, type DraftNode } from '../draft.ts';
import { knownSizes, permOf, type Step, type Surroundings } from './step.ts';

export const views: Step = (node, graph) => {
  const [result] = node.outputs;
  const source = sourceOf(node);
  if (result === undefined || source === undefined) return undefined;
  const before = graph.maker(source);
  const inner = before && sourceOf(before);
  const from = inner ?? source;
  if (isSameType(from, result)) return from;
  const span = mergeSpans(before?.span, node.span);
  const first = graph.maker(from);
  const isOnlyUse = inner === undefined || graph.isUsedOnce(source);
  const moved = first && isOnlyUse ? transposed(first, result, graph) : undefined;
  if (moved !== undefined) return [{ ...moved, span: mergeSpans(first?.span, span) }];
  const shape = inner && shapeOf(result);
  return shape && [{ ...node, opType: 'Reshape', inputs: [from, shape], attributes: {}, span }];
};

/** Nodes whose result has the elements of the first input in their order. */
const VIEWS: ReadonlySet<string> = new Set([
  'Identity',
  'Reshape',
  'Squeeze',
  'Unsqueeze',
  'Flatten',
]);

/** The nodes that are views where each axis that they reduce has one place. */
const REDUCTIONS: ReadonlySet<string> = new Set([
  'ReduceMax',
  'ReduceMean',
  'ReduceMin',
  'ReduceProd',
  'ReduceSum',
]);

/** The tensor that a node is a view of. */
export function sourceOf(node: DraftNode): Operand | undefined {
  const [x] = node.inputs;
  const [result] = node.outputs;
  if (x === undefined || result === undefined || (node.domain ?? '') !== '') return undefined;
  if (VIEWS.has(node.opType)) return x;
  const [from, to] = [knownSizes(x), knownSizes(result)];
  if (from === undefined || to === undefined) return undefined;
  if (REDUCTIONS.has(node.opType)) return count(from) === count(to) ? x : undefined;
  const perm = node.opType === 'Transpose' ? permOf(node) : undefined;
  const moved = perm?.filter((axis) => from[axis] !== 1);
  return moved?.every((axis, i) => i === 0 || axis > (moved[i - 1] ?? 0)) ? x : undefined;
}

const count = (sizes: ReadonlyArray<number>): number => sizes.reduce((a, b) => a * b, 1);

/** Whether two tensors have the same sizes: two that are not known may differ. */
const isSameType = (a: Operand, b: Operand): boolean =>
  typeEqual(a.type, b.type) && !('_tag' in a.type.shape) && !a.type.shape.some(isAnyDim);

/** The sizes as the input of a `Reshape`, which finds one that is not known. */
export function shapeOf({ type: { shape } }: Operand): Operand | undefined {
  if ('_tag' in shape) return undefined;
  const sizes = shape.map((dim) => (isStaticDim(dim) ? dim : -1));
  const open = sizes.filter((size) => size === -1).length;
  if (open > 1 || sizes.includes(0)) return undefined;
  return constantOperand(fromNumbers(Float64Array.from(sizes), [sizes.length], 'int64'));
}

/** The view of a transpose as a transpose alone, where only axes of one place make the difference. */
function transposed(
  before: DraftNode,
  result: Operand,
  { isUsedOnce }: Surroundings,
): DraftNode | undefined {
  const [x] = before.inputs;
  const [middle] = before.outputs;
  const [from, to] = [knownSizes(x), knownSizes(result)];
  const perm = before.opType === 'Transpose' ? permOf(before) : undefined;
  if (x === undefined || middle === undefined || !isUsedOnce(middle)) return undefined;
  if (from === undefined || to === undefined || perm === undefined) return undefined;
  if (from.length !== to.length) return undefined;
  const units = from.flatMap((size, axis) => (size === 1 ? [axis] : []));
  const others = perm.filter((axis) => from[axis] !== 1);
  const order = to.map((size) => (size === 1 ? units : others).shift() ?? -1);
  if (order.some((axis, i) => axis < 0 || from[axis] !== to[i])) return undefined;
  return { ...before, inputs: [x], outputs: [result], attributes: { perm: ints(order) } };
}
