/** Forms of operators that look at their first argument in another way. */
import { type Dim, dimsEqual } from '@baton/ir';
import { broadcast, type Move, reshaped } from '../moves.ts';
import type { Reshaping, View, ViewForm } from './form.ts';

/** A view of the only tensor. */
export const looksAt = (...moves: ReadonlyArray<Move<Dim>>): ReadonlyArray<View> => [
  { of: 0, moves },
];

/** The argument itself: a tensor, or each of a tuple. */
export const sameForm: ViewForm<unknown> = {
  _tag: 'View',
  views: ({ given }) => given.map((_, of) => ({ of, moves: [] })),
};

/** The argument itself, where the result has its shape; no form says what else the operator does. */
export const unchangedForm: ViewForm<unknown> = {
  _tag: 'View',
  views: ({ given: [shape = []], results: [result = []] }) =>
    shape.length === result.length && shape.every((dim, axis) => dimsEqual(dim, result[axis] ?? 0))
      ? looksAt()
      : undefined,
};

/** The elements in row-major order, in the result's shape. */
export const reshapeForm = (reshapes?: Reshaping): ViewForm<unknown> => ({
  _tag: 'View',
  views: ({ results: [result = []] }) => looksAt(reshaped(result)),
  ...(reshapes === undefined ? {} : { reshapes }),
});

/** The argument repeated to the result's shape. */
export const broadcastForm: ViewForm<unknown> = {
  _tag: 'View',
  views: ({ results: [result = []] }) => looksAt(broadcast(result)),
};

/** The sizes of a shape, if all of them are known. */
export const knownSizes = (
  shape: ReadonlyArray<Dim> | undefined,
): ReadonlyArray<number> | undefined => {
  const known = shape?.filter((dim) => typeof dim === 'number');
  return known?.length === shape?.length ? known : undefined;
};
