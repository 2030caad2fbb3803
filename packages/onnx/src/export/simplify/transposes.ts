/** Transposes of transposes: one `Transpose`, or the data itself where the axes come back in order. */
import { mergeSpans } from '@baton/base';
import { typeEqual } from '@baton/ir';
import { ints } from '../../operator-api/attribute-values.ts';
import { permOf, type Step } from './step.ts';

export const transposes: Step = (node, graph) => {
  const before = graph.maker(node.inputs[0]);
  if (node.opType !== 'Transpose' || before?.opType !== 'Transpose') return undefined;
  const [outer, inner] = [permOf(node), permOf(before)];
  const [[source], [result]] = [before.inputs, node.outputs];
  if (outer === undefined || inner === undefined || source === undefined) return undefined;
  const perm = outer.map((axis) => inner[axis] ?? 0);
  const isSame = perm.every((axis, i) => axis === i);
  if (isSame && result !== undefined && typeEqual(source.type, result.type)) return source;
  const span = mergeSpans(before.span, node.span);
  return [{ ...node, inputs: [source], attributes: { perm: ints(perm) }, span }];
};
