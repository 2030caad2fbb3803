/** Slices of slices along other axes: one `Slice` has any number of axes. */
import { mergeSpans } from '@baton/base';
import { fromNumbers } from '@baton/tensor';
import { constantOperand, type DraftNode } from '../graph-builder.ts';
import { numbersOf, type Step } from './step.ts';

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
export interface Range {
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
