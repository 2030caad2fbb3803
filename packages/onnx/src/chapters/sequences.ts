/** Sequences of tensors, and tensors that may be absent. */

import { scalar } from '@baton/tensor';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { type Chapter, reads } from '../shared/rows.ts';
import { elementsOf, placeIn } from '../shared/sequences.ts';
import { range, rangesOf, slice } from '../shared/words.ts';

export const sequenceOperators: Chapter = [
  reads('ConcatFromSequence', readConcatFromSequence),
  reads(
    'Optional',
    (context) =>
      context.optional(0) ??
      context.fail('ONNX_UNSUPPORTED', 'an optional value that is absent is not imported'),
  ),
  reads('OptionalGetElement', (context) => context.input(0)),
  // `OptionalHasElement`: whether there is a value.
  reads('OptionalHasElement', (context) =>
    context.constant(scalar(context.optional(0) === undefined ? 0 : 1, 'bool')),
  ),
  reads('SequenceAt', readSequenceAt),
  reads('SequenceConstruct', (context) =>
    context.tuple(
      Array.from({ length: context.inputCount }, (_, i) => context.optional(i) ?? []).flat(),
    ),
  ),
  reads('SequenceEmpty', (context) => context.tuple([])),
  reads('SequenceErase', readSequenceErase),
  reads('SequenceInsert', readSequenceInsert),
  reads('SequenceLength', readSequenceLength),
  reads('SplitToSequence', readSplitToSequence),
];

function readConcatFromSequence(context: NodeContext): Converted {
  const { attributes, call } = context;
  const elements = elementsOf(context, 0);
  if (elements === undefined) return undefined;
  if (!attributes.has('axis')) return context.fail('ONNX_ATTRIBUTE', 'expected attribute axis');
  const name = attributes.int('new_axis') === 0 ? 'concatenate' : 'stack';
  return call(name, [context.tuple(elements)], { axis: attributes.int('axis', 0) });
}

function readSequenceAt(context: NodeContext): Converted {
  const elements = elementsOf(context, 0);
  const place = elements && placeIn(context, 1, elements.length, elements.length - 1);
  return place === undefined ? undefined : elements?.[place];
}

function readSequenceErase(context: NodeContext): Converted {
  const elements = elementsOf(context, 0);
  const place = elements && placeIn(context, 1, elements.length, elements.length - 1);
  return place === undefined ? undefined : context.tuple(elements?.toSpliced(place, 1) ?? []);
}

function readSequenceInsert(context: NodeContext): Converted {
  const elements = elementsOf(context, 0);
  const count = elements?.length ?? 0;
  const place = elements && placeIn(context, 2, count, count);
  if (place === undefined) return undefined;
  return context.tuple(elements?.toSpliced(place, 0, context.input(1)) ?? []);
}

function readSequenceLength(context: NodeContext): Converted {
  const elements = elementsOf(context, 0);
  return elements && context.scalar(elements.length, 'int64');
}

function readSplitToSequence(context: NodeContext): Converted {
  const { attributes, call } = context;
  const x = context.input(0);
  const dims = context.dimsOf(x);
  const axis = context.axis(attributes.int('axis'), dims.length);
  const size = dims[axis];
  if (context.hasFailed()) return undefined;
  if (typeof size !== 'number')
    return context.unknown('expected a known size of the axis to split');
  const sizes = sizesOf(context, size);
  if (sizes === undefined) return undefined;
  const isSqueezed = context.optional(1) === undefined && attributes.int('keepdims') === 0;
  const parts = rangesOf(sizes).map(([from, to]) => {
    const kept = slice(context, x, axis, from, to);
    return isSqueezed ? call('squeeze', [kept], { axis: [axis] }) : kept;
  });
  return context.tuple(parts);
}

const MAX_PARTS = 2 ** 12;

/** The sizes of the parts: one for all but the last, or one for each. */
function sizesOf(context: NodeContext, size: number): ReadonlyArray<number> | undefined {
  const split = context.optional(1);
  const given = split === undefined ? [1] : context.ints(1);
  if (given === undefined) return undefined;
  const isList = split !== undefined && context.dimsOf(split).length > 0;
  const [each = 1] = given;
  if ((isList ? given.length : size / each) > MAX_PARTS) {
    return context.fail('ONNX_UNSUPPORTED', `expected at most ${MAX_PARTS} parts`);
  }
  const equal = range(0, Math.ceil(size / each)).map((i) => Math.min(each, size - i * each));
  const sizes = isList ? given : equal;
  const sum = sizes.reduce((all, one) => all + one, 0);
  if ((isList || each > 0) && sum === size && sizes.every((one) => one >= 0)) return sizes;
  return context.fail('ONNX_INPUTS', `expected sizes that make up an axis of ${size}`);
}
