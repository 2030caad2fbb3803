/** Reductions with a step before or after the sum that ONNX has as one. */
import { mergeSpans } from '@baton/base';
import { int } from '../../operator-api/attribute-values.ts';
import type { DraftNode } from '../graph-builder.ts';
import { having, matchNode, node, number } from './match.ts';
import { type Made, numberAttribute, numbersOf, type Step, type Surroundings } from './steps.ts';

/** The first operator set in which all reductions have their axes as an input. */
const AXES_ARE_INPUTS = 18;

export const reductions: Step = (root, graph) => {
  const [inner] = root.inputs;
  const made = graph.maker(inner);
  if (graph.opset < AXES_ARE_INPUTS || inner === undefined || made === undefined) return undefined;
  const shifted = ofPowers(root, graph);
  if (shifted !== undefined) return shifted;
  if (!graph.isUsedOnce(inner)) return undefined;
  const dropping = squeezed(root, made);
  if (dropping !== undefined) return dropping;
  const span = mergeSpans(made.span, root.span);
  const [x, y] = made.inputs;
  if (root.opType === 'ReduceSum') {
    const opType =
      made.opType === 'Abs' ? 'ReduceL1' : isSquare(made) ? 'ReduceSumSquare' : undefined;
    return opType === undefined
      ? undefined
      : [{ ...root, opType, inputs: [x, ...root.inputs.slice(1)], span }];
  }
  const opType = AFTER[root.opType]?.[made.opType];
  return opType === undefined
    ? undefined
    : [{ ...made, opType, inputs: [x, y], outputs: root.outputs, span }];
};

/** The reduction that an operator after another makes of both. */
const AFTER: Readonly<Partial<Record<string, Readonly<Partial<Record<string, string>>>>>> = {
  Sqrt: { ReduceSumSquare: 'ReduceL2' },
  Log: { ReduceSum: 'ReduceLogSum' },
};

const isSquare = ({ opType, inputs: [x, y, ...others] }: DraftNode): boolean =>
  opType === 'Mul' && x !== undefined && x === y && others.length === 0;

const peak = node(
  'Clip',
  having({ keepdims: 1 }, node('ReduceMax', 'data', 'again')),
  number('least'),
  number('most'),
);

/** log Σ eˣ with the greatest element factored out. */
const POWERS = node(
  'Add',
  having({ keepdims: 1 }, node('ReduceLogSum', node('Exp', node('Sub', 'data', peak)), 'axes')),
  peak,
);

function ofPowers(root: DraftNode, graph: Surroundings): Made | undefined {
  const { data, axes, again } = matchNode(POWERS, root, graph)?.tensors ?? {};
  const isOnSame = String(numbersOf(axes)) === String(numbersOf(again));
  if (data === undefined || !isOnSame) return undefined;
  const attributes = { keepdims: int(1) };
  return [{ ...root, opType: 'ReduceLogSumExp', inputs: [data, axes], attributes }];
}

/** A reduction whose axes are dropped afterwards drops them itself. */
function squeezed(root: DraftNode, made: DraftNode): Made | undefined {
  const isReduction = made.opType.startsWith('Reduce') && numberAttribute(made, 'keepdims') === 1;
  const [dropped, reduced] = [root, made].map(({ inputs: [, axes] }) => numbersOf(axes));
  if (root.opType !== 'Squeeze' || !isReduction || dropped === undefined) return undefined;
  if (String(dropped.toSorted()) !== String(reduced?.toSorted())) return undefined;
  const span = mergeSpans(made.span, root.span);
  const attributes = { ...made.attributes, keepdims: int(0) };
  return [{ ...made, outputs: root.outputs, attributes, span }];
}
