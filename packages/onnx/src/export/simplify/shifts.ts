/** A sum after a layer normalization without a shift is its shift. */
import { mergeSpans } from '@baton/base';
import { knownSizes, type Step } from './step.ts';

export const shifts: Step = (root, { maker, isUsedOnce }) => {
  if (root.opType !== 'Add') return undefined;
  for (const [normal, shift] of [root.inputs, root.inputs.toReversed()]) {
    const made = maker(normal);
    if (made?.opType !== 'LayerNormalization' || normal === undefined) continue;
    const [x, scale, ...others] = made.inputs;
    const isBare =
      others.every((other) => other === undefined) &&
      made.outputs.length === 1 &&
      isUsedOnce(normal);
    const sizes = knownSizes(scale);
    if (!isBare || sizes === undefined || String(knownSizes(shift)) !== String(sizes)) continue;
    const span = mergeSpans(made.span, root.span);
    return [{ ...made, inputs: [x, scale, shift], outputs: root.outputs, span }];
  }
  return undefined;
};
