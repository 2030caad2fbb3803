/**
 * A `Reshape` that only says again what the sizes before are. The import states known sizes beside a list
 * that is found when the model runs, so that types have them; a file needs no types.
 */
import { mergeSpans } from '@baton/base';
import type { DraftNode } from '../graph-builder.ts';
import { numberAttribute, numbersOf, type Step, type Surroundings, sizesOf } from './step.ts';
import { type Size, sizesOfList } from './targets.ts';

export const stated: Step = (node, graph) => {
  const [data, target] = node.inputs;
  if (node.opType !== 'Reshape' || data === undefined || !graph.isUsedOnce(data)) return undefined;
  const before = graph.maker(data);
  const codes = numbersOf(target);
  const sizes = before && sizesMade(before, graph);
  if (before === undefined || sizes === undefined || codes === undefined) return undefined;
  const copies = (numberAttribute(node, 'allowzero') ?? 0) === 0;
  // A size that the node finds is what the others leave.
  const isFound = codes.filter((code) => code === -1).length <= 1;
  const isSame =
    codes.length === sizes.length &&
    codes.every((code, axis) =>
      code === -1 ? isFound : code === 0 ? copies : code === sizes[axis],
    );
  const span = mergeSpans(before.span, node.span);
  return isSame ? [{ ...before, outputs: node.outputs, span }] : undefined;
};

/** The sizes that a node makes, as far as its lists say. */
function sizesMade(node: DraftNode, { maker }: Surroundings): ReadonlyArray<Size> | undefined {
  const [data, list, , axes] = node.inputs;
  if (list === undefined || data === undefined) return undefined;
  const given = sizesOfList(list, maker);
  if (node.opType === 'Reshape') return given;
  const before = sizesOf(data);
  const isPadded = node.opType === 'Pad' && axes === undefined;
  if (!isPadded || given.length !== 2 * before.length) return undefined;
  return before.map((size, axis) => {
    const [first, last] = [given[axis], given[axis + before.length]];
    const isKnown = typeof first === 'number' && typeof last === 'number';
    return size !== undefined && isKnown ? size + first + last : undefined;
  });
}
