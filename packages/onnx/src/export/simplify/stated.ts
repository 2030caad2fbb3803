/**
 * A `Reshape` that only says again what the list of the one before says. The import states known sizes
 * beside a list that is found when the model runs, so that types have them; a file needs no types.
 */
import { mergeSpans } from '@baton/base';
import { numberAttribute, numbersOf, type Step } from './step.ts';
import { sizesOfList } from './targets.ts';

export const stated: Step = (node, { maker, isUsedOnce }) => {
  const [data, target] = node.inputs;
  if (node.opType !== 'Reshape' || data === undefined || !isUsedOnce(data)) return undefined;
  const before = maker(data);
  const list = before?.opType === 'Reshape' ? before.inputs[1] : undefined;
  const codes = numbersOf(target);
  if (before === undefined || list === undefined || codes === undefined) return undefined;
  const copies = (numberAttribute(node, 'allowzero') ?? 0) === 0;
  const sizes = sizesOfList(list, maker);
  const isSame =
    codes.length === sizes.length &&
    codes.every((code, axis) => (code === 0 ? copies : code > 0 && code === sizes[axis]));
  const span = mergeSpans(before.span, node.span);
  return isSame ? [{ ...before, outputs: node.outputs, span }] : undefined;
};
