/** Parts of shapes: `Shape` takes the first and the last axis itself from operator set 15 on. */
import { mergeSpans } from '@baton/base';
import { int } from '../../operator-api/attribute-values.ts';
import { rangesOf } from './slices.ts';
import { numberAttribute, type Step } from './step.ts';

/** The operator set in which `Shape` got its attributes. */
const SINCE = 15;

export const shapes: Step = (node, { opset, maker }) => {
  const before = maker(node.inputs[0]);
  const [range, ...others] = rangesOf(node) ?? [];
  if (before?.opType !== 'Shape' || range === undefined || others.length > 0) return undefined;
  const isPart = ['start', 'end'].some((name) => numberAttribute(before, name) !== undefined);
  if (opset < SINCE || isPart || range.step !== 1 || range.start < 0 || range.end < 0) {
    return undefined;
  }
  const attributes = { start: int(range.start), end: int(range.end) };
  const span = mergeSpans(before.span, node.span);
  return [{ ...before, outputs: node.outputs, attributes, span }];
};
