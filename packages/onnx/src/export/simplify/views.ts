/**
 * Views: nodes that only name the same elements by other sizes. Relay has an operator for each way to
 * say so, and ONNX says a chain of them with one `Reshape`, or a transpose and a view with one
 * `Transpose`.
 */
import { mergeSpans } from '@baton/base';
import { anyDim, dimsEqual, isAnyDim, isStaticDim } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import { ints } from '../../operator-api/attribute-values.ts';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand, type DraftNode } from '../graph-builder.ts';
import { knownSizes, numbersOf, permOf, type Step, type Surroundings } from './steps.ts';

export const views: Step = (node, graph) => {
  const [result] = node.outputs;
  const source = sourceOf(node);
  if (result === undefined || source === undefined) return undefined;
  const before = graph.maker(source);
  const inner = before && sourceOf(before);
  const from = inner ?? source;
  if (hasSameSizes(from, result) || takesBack(before, node)) return from;
  const span = mergeSpans(before?.span, node.span);
  const first = graph.maker(from);
  const isOnlyUse = inner === undefined || graph.isUsedOnce(source);
  const moved = first && isOnlyUse ? transposed(first, result, graph) : undefined;
  if (moved !== undefined) return [{ ...moved, span: mergeSpans(first?.span, span) }];
  const shape = inner && shapeOf(result);
  if (inner !== undefined && shape === undefined) return before && joined(before, node);
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

/** Whether two tensors of as many elements have the same sizes. Two that are not known may differ. */
function hasSameSizes(a: Operand, b: Operand): boolean {
  const [from, to] = [a.type.shape, b.type.shape];
  if ('_tag' in from || '_tag' in to || from.length !== to.length) return false;
  const others = from.filter((dim, axis) => isAnyDim(dim) || !dimsEqual(dim, to[axis] ?? anyDim));
  // What all others leave of the elements is the last one.
  const isOnly =
    others.length === 1 && from.every((dim) => (isStaticDim(dim) ? dim > 0 : dim === others[0]));
  return others.length === 0 || isOnly;
}

/** Whether a node takes back what the one before it did: the same axes are dropped and made. */
function takesBack(before: DraftNode | undefined, node: DraftNode): boolean {
  const pair = [before?.opType, node.opType];
  const [dropped, made] = [before?.inputs[1], node.inputs[1]].map(numbersOf);
  const isPair = ['Squeeze', 'Unsqueeze'].every((one) => pair.includes(one));
  return isPair && dropped !== undefined && String(dropped) === String(made);
}

/** Two nodes that drop axes, or two that make some, as one. */
function joined(before: DraftNode, node: DraftNode): ReadonlyArray<DraftNode> | undefined {
  const isDropping = node.opType === 'Squeeze';
  const [first, second] = [numbersOf(before.inputs[1]), numbersOf(node.inputs[1])];
  if (before.opType !== node.opType || !(isDropping || node.opType === 'Unsqueeze'))
    return undefined;
  if (first === undefined || second === undefined) return undefined;
  // The axes of the larger tensor that one node names, and those of the tensor between them that the other does.
  const [outer, inner] = isDropping ? [first, second] : [second, first];
  const larger = (isDropping ? before.inputs : node.outputs)[0]?.type.shape;
  if (larger === undefined || '_tag' in larger || [...outer, ...inner].some((axis) => axis < 0)) {
    return undefined;
  }
  const between = larger.flatMap((_, axis) => (outer.includes(axis) ? [] : [axis]));
  const axes = [...outer, ...inner.map((axis) => between[axis] ?? 0)].sort((a, b) => a - b);
  const list = constantOperand(fromNumbers(Float64Array.from(axes), [axes.length], 'int64'));
  const span = mergeSpans(before.span, node.span);
  return [{ ...node, inputs: [before.inputs[0], list], span }];
}

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
