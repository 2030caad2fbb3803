/** A one-to-one map between the variables of two sides, grown while they are compared. */

/** A renaming of variables. */
export interface Renaming<V extends object> {
  /** Pairs two variables; `false` if one of them is paired with another already. */
  readonly pair: (left: V, right: V) => boolean;
  /** The partner of a variable of the left side. */
  readonly partner: (left: V) => V | undefined;
  /** Whether a variable of the right side has a partner. */
  readonly isPaired: (right: V) => boolean;
}

/** A renaming without pairs. */
export function makeRenaming<V extends object>(): Renaming<V> {
  const forwards = new Map<V, V>();
  const backwards = new Map<V, V>();
  return {
    pair: (left, right) => {
      const known = forwards.get(left);
      if (known !== undefined || backwards.has(right)) return known === right;
      forwards.set(left, right);
      backwards.set(right, left);
      return true;
    },
    partner: (left) => forwards.get(left),
    isPaired: (right) => backwards.has(right),
  };
}
