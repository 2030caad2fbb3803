/** Pairs of objects. Most objects have one partner, which costs one entry of a map and no set. */

export interface PairSet<A extends object> {
  /** Adds a pair; `false` if it was there already. */
  readonly add: (left: A, right: A) => boolean;
  readonly forEach: (see: (left: A, right: A) => void) => void;
}

export function makePairSet<A extends object>(): PairSet<A> {
  const firsts = new Map<A, A>();
  const others = new Map<A, Set<A>>();
  return {
    add: (left, right) => {
      const first = firsts.get(left);
      if (first === right) return false;
      if (first === undefined) {
        firsts.set(left, right);
        return true;
      }
      const rest = others.get(left);
      if (rest?.has(right)) return false;
      if (rest === undefined) others.set(left, new Set([right]));
      else rest.add(right);
      return true;
    },
    forEach: (see) => {
      for (const [left, right] of firsts) see(left, right);
      for (const [left, rights] of others) for (const right of rights) see(left, right);
    },
  };
}
