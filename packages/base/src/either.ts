/**
 * One of two things. By its shape it is fp-ts's `Either`, so `pipe`, `chain` and the rest of fp-ts
 * take it as it is. Baton needs only these makers and tests, and fp-ts is CommonJS to Node, which
 * no bundler can prune.
 */

/** The first of two: what went wrong. */
export interface Left<E> {
  readonly _tag: 'Left';
  readonly left: E;
}

/** The second of two: what came out. */
export interface Right<A> {
  readonly _tag: 'Right';
  readonly right: A;
}

/** One of two things. */
export type Either<E, A> = Left<E> | Right<A>;

/** The first of two. */
export const left = <E = never, A = never>(value: E): Either<E, A> => ({
  _tag: 'Left',
  left: value,
});

/** The second of two. */
export const right = <A = never, E = never>(value: A): Either<E, A> => ({
  _tag: 'Right',
  right: value,
});

/** Whether it is the first of two. */
export const isLeft = <E>(either: Either<E, unknown>): either is Left<E> => either._tag === 'Left';

/** Whether it is the second of two. */
export const isRight = <A>(either: Either<unknown, A>): either is Right<A> =>
  either._tag === 'Right';
