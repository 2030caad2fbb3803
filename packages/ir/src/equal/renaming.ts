/** A one-to-one map between the variables of two sides, grown while they are compared. */

export type Meeting = 'new' | 'known' | 'clash';

export interface Renaming<V extends object> {
  /** Pairs two variables, unless they are a pair already or one of them is paired with another. */
  readonly meet: (left: V, right: V) => Meeting;
  /** Pairs two variables of binders instead of earlier pairs, and returns the undo. */
  readonly bind: (left: V, right: V) => () => void;
  /** Whether the two are each other's partners; `undefined` if neither has one. */
  readonly arePaired: (left: V, right: V) => boolean | undefined;
}

export function makeRenaming<V extends object>(): Renaming<V> {
  const forwards = new Map<V, V>();
  const backwards = new Map<V, V>();
  const arePaired = (left: V, right: V): boolean | undefined => {
    const partner = forwards.get(left);
    const origin = backwards.get(right);
    if (partner === undefined && origin === undefined) return undefined;
    return partner === right && origin === left;
  };
  return {
    meet: (left, right) => {
      const known = arePaired(left, right);
      if (known !== undefined) return known ? 'known' : 'clash';
      forwards.set(left, right);
      backwards.set(right, left);
      return 'new';
    },
    bind: (left, right) => {
      const oldRight = forwards.get(left);
      const oldLeft = backwards.get(right);
      forwards.set(left, right);
      backwards.set(right, left);
      return () => {
        if (oldRight !== undefined) forwards.set(left, oldRight);
        if (oldLeft !== undefined) backwards.set(right, oldLeft);
      };
    },
    arePaired,
  };
}
