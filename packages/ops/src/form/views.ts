/** Forms of operators that return views of their first argument. */
import { type Dim, dimsEqual } from '@baton/ir';
import { broadcast, type Move, reshaped } from '../moves.ts';
import type { Reshaping, View, ViewForm } from './form.ts';

export const looksAt = (...moves: ReadonlyArray<Move<Dim>>): ReadonlyArray<View> => [
  { of: 0, moves },
];

/** The identity on a tensor, or on each field of a tuple. */
export const sameForm: ViewForm<unknown> = {
  _tag: 'View',
  views: ({ given }) => given.map((_, of) => ({ of, moves: [] })),
};

/** The identity if the result has the argument's shape; no form describes other calls. */
export const unchangedForm: ViewForm<unknown> = {
  _tag: 'View',
  views: ({ given: [shape = []], results: [result = []] }) =>
    shape.length === result.length && shape.every((dim, axis) => dimsEqual(dim, result[axis] ?? 0))
      ? looksAt()
      : undefined,
};

export const reshapeForm = (reshapes?: Reshaping): ViewForm<unknown> => ({
  _tag: 'View',
  views: ({ results: [result = []] }) => looksAt(reshaped(result)),
  ...(reshapes === undefined ? {} : { reshapes }),
});

export const broadcastForm: ViewForm<unknown> = {
  _tag: 'View',
  views: ({ results: [result = []] }) => looksAt(broadcast(result)),
  repeats: true,
};

export const knownSizes = (
  shape: ReadonlyArray<Dim> | undefined,
): ReadonlyArray<number> | undefined => {
  const known = shape?.filter((dim) => typeof dim === 'number');
  return known?.length === shape?.length ? known : undefined;
};
