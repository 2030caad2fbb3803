/** A weak map that stays fast with millions of keys. */

/** The operations that memoization needs of a weak map. */
export interface WeakMemory<K extends object, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => void;
}

/** The new keys that each part gets in turns: V8 probes long chains beyond a million keys. */
const TURN = 1 << 19;

/** The most parts. With more live keys than `PARTS * TURN` the parts grow. */
const PARTS = 8;

/**
 * A weak map of several smaller ones, filled round-robin so that none of them has many keys: V8 hashes
 * objects to 21 bits, and a large weak map degrades.
 *
 * **Complexity** `get` and `set` look into at most `PARTS` weak maps; into one up to `TURN` keys.
 */
export function largeWeakMap<K extends object, V>(turn: number = TURN): WeakMemory<K, V> {
  // The part that is being filled is the first one: what was entered last is asked for most.
  const parts: WeakMap<K, V>[] = [new WeakMap()];
  let filled = 0;
  return {
    get: (key) => {
      for (const part of parts) {
        const value = part.get(key);
        if (value !== undefined) return value;
      }
      return undefined;
    },
    set: (key, value) => {
      for (const part of parts) {
        if (!part.has(key)) continue;
        part.set(key, value);
        return;
      }
      if (filled === turn) {
        const next = parts.length < PARTS ? new WeakMap<K, V>() : (parts.pop() as WeakMap<K, V>);
        parts.unshift(next);
        filled = 0;
      }
      filled += 1;
      (parts[0] as WeakMap<K, V>).set(key, value);
    },
  };
}
