/** Slices of slices along other axes, and parts of shapes: one node each. */
import { mergeSpans } from '@baton/base';
import { fromNumbers } from '@baton/tensor';
import { int } from '../../operator-api/attribute-values.ts';
import { constantOperand, type DraftNode } from '../graph-builder.ts';
import { numberAttribute, numbersOf, type Step } from './steps.ts';

export const slices: Step = (node, { maker }) => {
  const inner = maker(node.inputs[0]);
  const [own, other] = [rangesOf(node), inner && rangesOf(inner)];
  if (inner === undefined || own === undefined || other === undefined) return undefined;
  const both = [...other, ...own];
  if (new Set(both.map(({ axis }) => axis)).size < both.length) return undefined;
  const list = (of: (range: Range) => number) =>
    constantOperand(fromNumbers(Float64Array.from(both, of), [both.length], 'int64'));
  const inputs = [
    inner.inputs[0],
    list(({ start }) => start),
    list(({ end }) => end),
    list(({ axis }) => axis),
    list(({ step }) => step),
  ];
  return [{ ...node, inputs, span: mergeSpans(inner.span, node.span) }];
};

/** What a slice takes of an axis. */
interface Range {
  readonly axis: number;
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** The ranges of a slice if they are known. */
export function rangesOf({ opType, inputs }: DraftNode): ReadonlyArray<Range> | undefined {
  if (opType !== 'Slice') return undefined;
  const [starts, ends, axes, steps] = inputs.slice(1).map(numbersOf);
  if (starts === undefined || ends === undefined || axes === undefined) return undefined;
  if (axes.some((axis) => axis < 0)) return undefined;
  if (inputs[4] !== undefined && steps === undefined) return undefined;
  return axes.map((axis, i) => ({
    axis,
    start: starts[i] ?? 0,
    end: ends[i] ?? 0,
    step: steps?.[i] ?? 1,
  }));
}

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
