/** Sequences: tuples, whose lengths are known at import. */

import type { Expr } from '@baton/ir';
import { readNumber, shapeSize } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import { range } from './words.ts';

/** The elements of the sequence at an input; `undefined` after a failure. */
export function elementsOf(context: NodeContext, index: number): ReadonlyArray<Expr> | undefined {
  const value = context.input(index);
  if (value._tag === 'Tuple') return value.fields;
  const type = context.typeOf(value);
  if (type?._tag === 'TupleType') return type.fields.map((_, i) => context.field(value, i));
  return context.fail('ONNX_TYPE', `expected a sequence as input ${index}`);
}

/**
 * The place that an input states in a sequence of `count` elements, counted from the front: at most
 * `last`, which an absent input means. `undefined` after a failure.
 */
export function placeIn(
  context: NodeContext,
  index: number,
  count: number,
  last: number,
): number | undefined {
  const given = context.optional(index);
  if (given === undefined) return last;
  const place = loneNumber(context, given);
  if (place === undefined) {
    return context.unknown('expected a known place in a sequence', given);
  }
  const fromFront = place < 0 ? place + count : place;
  if (fromFront >= 0 && fromFront <= last) return fromFront;
  return context.fail('ONNX_VALUE', `expected a place from ${-count} to ${last}, found ${place}`);
}

/** The number of a constant with one element, of any rank; `undefined` for all others. */
export function loneNumber(context: NodeContext, expr: Expr): number | undefined {
  const value = context.valueOf(expr);
  return value !== undefined && shapeSize(value.shape) === 1 ? readNumber(value, 0) : undefined;
}

export const inputsOf = (context: NodeContext): ReadonlyArray<Expr> =>
  range(0, context.inputCount).flatMap((index) => context.optional(index) ?? []);
