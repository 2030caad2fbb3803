/** Names in scope: a look-up costs the same at any depth. */

/** The meanings of names; inner declarations hide outer ones. */
export interface Scope<V> {
  readonly get: (name: string) => V | undefined;
  readonly declare: (name: string, value: V) => void;
  /** A mark for `restore`. */
  readonly mark: () => number;
  /** Forgets the declarations since the mark. */
  readonly restore: (mark: number) => void;
  /** The visible names, the latest first. */
  readonly names: () => Iterable<string>;
}

/** Learns of the declarations of a scope, and that the latest one is forgotten. */
export interface ScopeFollower<V> {
  readonly declare: (name: string, value: V) => void;
  readonly forget: () => void;
}

export function makeScope<V>(follower?: ScopeFollower<V>): Scope<V> {
  const values = new Map<string, V>();
  // The hidden meanings, which `restore` brings back.
  const undo: { readonly name: string; readonly hidden: V | undefined }[] = [];
  return {
    get: (name) => values.get(name),
    declare: (name, value) => {
      undo.push({ name, hidden: values.get(name) });
      values.set(name, value);
      follower?.declare(name, value);
    },
    mark: () => undo.length,
    restore: (mark) => {
      while (undo.length > mark) {
        const last = undo.pop();
        if (last === undefined) return;
        follower?.forget();
        if (last.hidden === undefined) values.delete(last.name);
        else values.set(last.name, last.hidden);
      }
    },
    *names() {
      for (let i = undo.length - 1; i >= 0; i--) yield undo[i]?.name ?? '';
    },
  };
}
