/** A table with a row for each object; the same object has the same row. */
import { InvariantError } from '@baton/base';

export const FORMAT_VERSION = 2;

export interface RowTable<K extends object, R> {
  readonly rows: ReadonlyArray<R>;
  readonly has: (key: K) => boolean;
  readonly find: (key: K) => number | undefined;
  /** Adds the row of a new object, and returns its index. */
  readonly add: (key: K, row: R) => number;
  /** The row of an added object. */
  readonly at: (key: K) => number;
}

export function rowTable<K extends object, R>(): RowTable<K, R> {
  const rows: R[] = [];
  const indexes = new Map<K, number>();
  return {
    rows,
    has: (key) => indexes.has(key),
    find: (key) => indexes.get(key),
    add: (key, row) => {
      indexes.set(key, rows.length);
      return rows.push(row) - 1;
    },
    at: (key) => {
      const index = indexes.get(key);
      if (index === undefined) throw new InvariantError('what a row refers to has a row');
      return index;
    },
  };
}
