/**
 * fp-ts's `Either`, made and tested without loading fp-ts. The type is fp-ts's own, so `pipe`,
 * `map` and `chain` of fp-ts accept a result. Node loads fp-ts as CommonJS, which no bundler can
 * prune, so a package that only makes results does not import it.
 */
import type { Either, Left, Right } from 'fp-ts/lib/Either.js';

export type { Either, Left, Right };

export const left = <E = never, A = never>(value: E): Either<E, A> => ({
  _tag: 'Left',
  left: value,
});

export const right = <A = never, E = never>(value: A): Either<E, A> => ({
  _tag: 'Right',
  right: value,
});

export const isLeft = <E>(either: Either<E, unknown>): either is Left<E> => either._tag === 'Left';

export const isRight = <A>(either: Either<unknown, A>): either is Right<A> =>
  either._tag === 'Right';
