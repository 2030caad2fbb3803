/** Values made once and found again by their keys. */

/** The part of a map that {@link remember} needs. */
interface Memory<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key, made on first use. */
export function remember<K, V>(memory: Memory<K, V>, key: K, make: () => V): V {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}

/** The number of a key: the count of distinct keys before it. */
export const numberIn = <K>(numbers: Map<K, number>, key: K): number =>
  remember(numbers, key, () => numbers.size);
