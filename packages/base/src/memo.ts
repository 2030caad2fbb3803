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

/** The weak map of this name, shared by all copies of the packages in a process. */
export function sharedTable<K extends object, V>(name: string): WeakMap<K, V> {
  const key = Symbol.for(`baton ${name}`);
  const known: unknown = Reflect.get(globalThis, key) ?? unshared.get(name);
  // Only this function writes under the key, and a name has one type of values.
  if (known instanceof WeakMap) return known as WeakMap<K, V>;
  const made = new WeakMap<K, V>();
  // Where the global object is frozen, each copy has its own.
  if (!Reflect.defineProperty(globalThis, key, { value: made })) unshared.set(name, made);
  return made;
}

const unshared = new Map<string, WeakMap<object, unknown>>();

/** A function that makes its value when it is first asked, and keeps it. */
export function once<A>(make: () => A): () => A {
  let made: { readonly value: A } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
