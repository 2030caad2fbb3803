/** Functions of immutable objects, computed once for each object. */

/** A function that looks at each object once, and keeps what it found as long as the object lives. */
export interface Analysis<K extends object, A> {
  (of: K): A;
  readonly isKnown: (of: K) => boolean;
  /** The number of objects that were looked at, and of questions, since the program started. */
  readonly count: () => { readonly made: number; readonly asked: number };
}

/**
 * An analysis of objects by their identity, which never change. What it finds must depend on the
 * object alone.
 *
 * **Complexity** of `find` at the first question, and O(1) after it.
 */
export function analysis<K extends object, A>(find: (of: K) => A): Analysis<K, A> {
  const found = new WeakMap<K, { readonly value: A }>();
  let made = 0;
  let asked = 0;
  const ask = (of: K): A => {
    asked++;
    const known = found.get(of);
    if (known !== undefined) return known.value;
    made++;
    const value = find(of);
    found.set(of, { value });
    return value;
  };
  return Object.assign(ask, {
    isKnown: (of: K) => found.has(of),
    count: () => ({ made, asked }),
  });
}
