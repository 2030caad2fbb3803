/** A broken promise of our own code. A user never sees one in a correct build. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';

  /** Whether a value is one, also of another copy of this package in the same process. */
  static override [Symbol.hasInstance](value: unknown): value is InvariantError {
    return isErrorNamed(value, 'InvariantError');
  }
}

/** Whether a value is an error of this name: copies of a package have different classes. */
export const isErrorNamed = (value: unknown, name: string): boolean =>
  value instanceof Error && value.name === name;

/** Throws an {@link InvariantError} unless `condition` holds. Never use it for a user's mistake. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** The value, which is there by construction: an {@link InvariantError} otherwise. */
export function present<A>(value: A | undefined): A {
  invariant(value !== undefined, 'a value is there');
  return value;
}

/** The `default` of an exhaustive `switch`: does not compile while a case is missing. */
export function absurd(value: never): never {
  throw new InvariantError(`a case is missing for ${JSON.stringify(value)}`);
}
