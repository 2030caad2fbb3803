/** Names in scope: a look-up costs the same at any depth. */

/** What names stand for, with inner declarations hiding outer ones. */
export interface Scope<V> {
  readonly get: (name: string) => V | undefined;
  readonly declare: (name: string, value: V) => void;
  /** A mark to come back to. */
  readonly mark: () => number;
  /** Forgets what was declared since the mark. */
  readonly restore: (mark: number) => void;
  /** The names that are visible, the latest first. */
  readonly names: () => Iterable<string>;
}

/** An empty scope. */
export function makeScope<V>(): Scope<V> {
  const values = new Map<string, V>();
  // What each declaration hid, so that it can be undone.
  const undo: { readonly name: string; readonly hidden: V | undefined }[] = [];
  return {
    get: (name) => values.get(name),
    declare: (name, value) => {
      undo.push({ name, hidden: values.get(name) });
      values.set(name, value);
    },
    mark: () => undo.length,
    restore: (mark) => {
      while (undo.length > mark) {
        const last = undo.pop();
        if (last === undefined) return;
        if (last.hidden === undefined) values.delete(last.name);
        else values.set(last.name, last.hidden);
      }
    },
    *names() {
      for (let i = undo.length - 1; i >= 0; i--) yield undo[i]?.name ?? '';
    },
  };
}
