/**
 * Axes that are merged and split again around a transpose of the others: one transpose of all. PyTorch
 * writes the keys of an attention so, with a factor between.
 */
import { mergeSpans } from '@baton/base';
import { dimsEqual, tensorType } from '@baton/ir';
import { shapeSize } from '@baton/tensor';
import { ints } from '../../operator-api/attribute-values.ts';
import type { Operand } from '../../operator-api/exporter.ts';
import { type DraftNode, operand } from '../graph-builder.ts';
import { sizesFrom } from './batches.ts';
import { numberAttribute, permOf, type Step, type Surroundings } from './steps.ts';
import { type Size, sizesOfList } from './targets.ts';

export const regrouped: Step = (node, graph) => {
  const [data, list] = node.inputs;
  const [result] = node.outputs;
  if (node.opType !== 'Reshape' || result === undefined) return undefined;
  const scaled = ownMaker(data, list, graph);
  const factor = scaled?.opType === 'Mul' ? scaled.inputs.find(isFactor) : undefined;
  const turned = factor === undefined ? data : scaled?.inputs.find((input) => input !== factor);
  const turn = factor === undefined ? scaled : ownMaker(turned, list, graph);
  const perm = turn?.opType === 'Transpose' ? permOf(turn) : undefined;
  const merge = graph.maker(turn?.inputs[0]);
  const x = merge?.opType === 'Reshape' ? merge.inputs[0] : undefined;
  if (perm?.[0] !== 0 || merge === undefined || x === undefined) return undefined;
  const axes = axesAfter(perm, x);
  const isMerged = axes !== undefined && makes(merge, merged(axes, perm), x, graph);
  if (!isMerged || !makes(node, axes, x, graph)) return undefined;
  const span = mergeSpans(merge.span, turn?.span, node.span);
  const whole = {
    ...node,
    opType: 'Transpose',
    inputs: [x],
    attributes: { perm: ints(axes) },
    span,
  };
  if (factor === undefined || scaled === undefined) return [whole];
  const own = operand(tensorType(result.type.shape, result.type.dtype));
  return [
    { ...whole, outputs: [own] },
    { ...scaled, inputs: [own, factor], outputs: node.outputs },
  ];
};

const isFactor = (input: Operand | undefined): input is Operand =>
  input?.constant !== undefined && shapeSize(input.constant.shape) === 1 && isFlat(input);

const isFlat = ({ type: { shape } }: Operand): boolean => '_tag' in shape || shape.length <= 1;

/** The node that makes a tensor, which is used once, besides for sizes in a list. */
function ownMaker(
  x: Operand | undefined,
  list: Operand | undefined,
  graph: Surroundings,
): DraftNode | undefined {
  const isOwn = x !== undefined && graph.uses(x) === 1 + sizesFrom(x, list, graph);
  return isOwn ? graph.maker(x) : undefined;
}

/** The axes of a tensor in their order after a transpose for which the first ones are merged. */
function axesAfter(
  perm: ReadonlyArray<number>,
  { type: { shape } }: Operand,
): ReadonlyArray<number> | undefined {
  const count = '_tag' in shape ? 0 : shape.length - perm.length + 1;
  if (count < 2) return undefined;
  const group = Array.from({ length: count }, (_, axis) => axis);
  return [...group, ...perm.slice(1).map((axis) => axis - 1 + count)];
}

/** The axes before the transpose; the first is of several. */
function merged(
  axes: ReadonlyArray<number>,
  perm: ReadonlyArray<number>,
): ReadonlyArray<number | undefined> {
  const others = axes.slice(axes.length - perm.length + 1);
  return [undefined, ...others.toSorted((a, b) => a - b)];
}

/** Whether a reshape makes these axes of a tensor. One may be any: it is what the others leave. */
function makes(
  node: DraftNode,
  axes: ReadonlyArray<number | undefined>,
  x: Operand,
  { maker }: Surroundings,
): boolean {
  const [data, list] = node.inputs;
  if (data === undefined || list === undefined) return false;
  const copies = (numberAttribute(node, 'allowzero') ?? 0) === 0;
  const sizes = sizesOfList(list, maker);
  const others = axes.filter((axis, place) => {
    const size = sizes[place];
    const copied = size === 0 && copies ? { of: data, axis: place } : size;
    return axis === undefined || !isSizeOf(copied, x, axis);
  });
  return sizes.length === axes.length && others.length <= 1;
}

/** Whether a size is the one of this axis of a tensor. */
function isSizeOf(size: Size, x: Operand, axis: number): boolean {
  const { shape } = x.type;
  const wanted = '_tag' in shape ? undefined : shape[axis];
  if (size === undefined || wanted === undefined) return false;
  if (typeof size === 'number') return size > 0 && size === wanted;
  if (size.of === x && size.axis === axis) return true;
  const from = size.of.type.shape;
  const found = '_tag' in from ? undefined : from[size.axis];
  return found !== undefined && dimsEqual(found, wanted);
}
