/** A transpose of a transpose is one, or none. */
import { mergeSpans } from '@baton/base';
import { ints } from '../../node/attribute-values.ts';
import { permOf, type Step } from './step.ts';

export const transposes: Step = (node, { maker }) => {
  const [middle] = node.inputs;
  const before = maker(middle);
  const [x] = before?.inputs ?? [];
  if (node.opType !== 'Transpose' || before?.opType !== 'Transpose') return undefined;
  const [inner, outer] = [permOf(before), permOf(node)];
  const perm = outer?.map((axis) => inner?.[axis] ?? -1);
  if (x === undefined || perm === undefined || perm.includes(-1)) return undefined;
  if (perm.every((axis, i) => axis === i)) return x;
  const span = mergeSpans(before.span, node.span);
  return [{ ...node, inputs: [x], attributes: { perm: ints(perm) }, span }];
};
