/**
 * `Expand` to the sizes of the data where a list has 1: the node itself takes 1 so. Relay broadcasts to
 * the sizes of the result, which the import finds when the model runs.
 */
import type { Operand } from '../../operator-api/exporter.ts';
import type { DraftNode } from '../graph-builder.ts';
import { numbersOf, type Step, type Surroundings } from './steps.ts';
import { sizesOfList } from './targets.ts';

export const expansions: Step = (node, graph) => {
  const [data, list] = node.inputs;
  if (node.opType !== 'Expand' || data === undefined) return undefined;
  const chosen = graph.maker(list);
  const [, own, to] = chosen?.inputs ?? [];
  if (chosen?.opType !== 'Where' || own === undefined || to === undefined) return undefined;
  const isChosen = isOneWhere(chosen, to, graph) && areSizesOf(data, own, graph);
  return isChosen ? [{ ...node, inputs: [data, to] }] : undefined;
};

/** Whether a list has 1 just where a choice takes other sizes in its place, or there at least. */
function isOneWhere({ inputs: [where] }: DraftNode, to: Operand, { maker }: Surroundings): boolean {
  const compared = maker(where);
  if (compared?.opType === 'Equal') {
    const [a, b] = compared.inputs;
    const one = a === to ? b : b === to ? a : undefined;
    return String(numbersOf(one)) === '1';
  }
  const places = numbersOf(where);
  const sizes = sizesOfList(to, maker);
  return (
    places !== undefined &&
    places.length === sizes.length &&
    places.every((isTaken, axis) => isTaken === 0 || sizes[axis] === 1)
  );
}

/** Whether a list has the sizes of a tensor, after 1 for each axis that the tensor lacks. */
function areSizesOf(data: Operand, list: Operand, { maker }: Surroundings): boolean {
  const { shape } = data.type;
  const sizes = sizesOfList(list, maker);
  const lacking = '_tag' in shape ? -1 : sizes.length - shape.length;
  return (
    lacking >= 0 &&
    sizes.every((size, place) =>
      place < lacking
        ? size === 1
        : typeof size === 'object' && size.of === data && size.axis === place - lacking,
    )
  );
}
