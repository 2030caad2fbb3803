/** Nodes that undo each other, or say again what is known: casts, transposes, reshapes. */

import { mergeSpans } from '@baton/base';
import { typeEqual } from '@baton/ir';
import { ints } from '../../operator-api/attribute-values.ts';
import type { DraftNode } from '../graph-builder.ts';
import {
  numberAttribute,
  numbersOf,
  permOf,
  type Step,
  type Surroundings,
  sizesOf,
  sourceOfCast,
} from './steps.ts';
import { type Size, sizesOfList } from './targets.ts';

/** Operators whose int64 results are places or sizes, which int32 holds. */
const OF_PLACES: ReadonlySet<string> = new Set(['ArgMax', 'ArgMin', 'NonZero', 'Shape', 'Size']);

export const casts: Step = (node, { maker }) => {
  const narrow = sourceOfCast(node);
  const made = maker(narrow);
  const places = made && sourceOfCast(made);
  const [result] = node.outputs;
  if (narrow !== undefined && result?.type.dtype === narrow.type.dtype) return narrow;
  const isBack =
    places !== undefined &&
    result !== undefined &&
    narrow?.type.dtype === 'int32' &&
    typeEqual(places.type, result.type);
  return isBack && OF_PLACES.has(maker(places)?.opType ?? '') ? places : undefined;
};

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
