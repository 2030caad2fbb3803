/** Joined tensors that are joined again, and joined transposes. */
import { mergeSpans } from '@baton/base';
import { tensorType } from '@baton/ir';
import { int } from '../../operator-api/attribute-values.ts';
import { type DraftNode, operand } from '../graph-builder.ts';
import { numberAttribute, permOf, type Step, type Surroundings } from './steps.ts';

export const concats: Step = (node, graph) => {
  if (node.opType !== 'Concat') return undefined;
  const axis = numberAttribute(node, 'axis') ?? 0;
  const flat = joinedAgain(node, axis, graph);
  const moved = joinedTransposes(flat ?? node, axis, graph);
  return moved ?? (flat && [flat]);
};

/** The inputs of inner nodes in place of these. */
function joinedAgain(
  node: DraftNode,
  axis: number,
  { maker, isUsedOnce }: Surroundings,
): DraftNode | undefined {
  const inner = node.inputs.map((input) => {
    const made = maker(input);
    const isSame = made?.opType === 'Concat' && numberAttribute(made, 'axis') === axis;
    return isSame && input !== undefined && isUsedOnce(input) ? made : undefined;
  });
  if (inner.every((made) => made === undefined)) return undefined;
  const inputs = node.inputs.flatMap((input, i) => inner[i]?.inputs ?? [input]);
  return { ...node, inputs, span: mergeSpans(...inner.map((made) => made?.span), node.span) };
}

/** One transpose of what was joined, in place of one of each part. */
function joinedTransposes(
  node: DraftNode,
  axis: number,
  { maker, isUsedOnce }: Surroundings,
): ReadonlyArray<DraftNode> | undefined {
  const [result] = node.outputs;
  const parts = node.inputs.flatMap((input) => {
    const made = maker(input);
    return made && input && isUsedOnce(input) ? [made] : [];
  });
  const perm = parts[0] && permOf(parts[0]);
  const areAlike =
    parts.length > 1 &&
    parts.length === node.inputs.length &&
    parts.every((part) => part.opType === 'Transpose' && String(permOf(part)) === String(perm));
  if (result === undefined || perm === undefined || !areAlike) return undefined;
  if ('_tag' in result.type.shape || axis < 0) return undefined;
  const { shape, dtype } = result.type;
  const sizes = perm.flatMap((_, from) => shape[perm.indexOf(from)] ?? []);
  const joined = operand(tensorType(sizes, dtype));
  const inputs = parts.map((part) => part.inputs[0]);
  const attributes = { axis: int(perm[axis] ?? axis) };
  const [first] = parts;
  const span = mergeSpans(...parts.map((part) => part.span), node.span);
  return [
    { ...node, inputs, outputs: [joined], attributes, span },
    ...(first ? [{ ...first, inputs: [joined], outputs: node.outputs, span }] : []),
  ];
}
