/**
 * Storage without elements. A tensor on it has a shape, strides and an offset, so that type relations
 * and view operators work on it as on any tensor; reading an element, or taking storage for a result,
 * says that more than the shape is needed.
 */
import { type DType, type Memory, storageOf, type TensorData } from '@baton/tensor';

/** Thrown where elements are needed; never leaves {@link withoutElements}. */
class ElementsNeeded extends Error {}

/** One for all: the stack of each would take longer than what is asked. */
const NEEDED = new ElementsNeeded();

/** Storage for `count` elements that cannot be read or written. */
export function blankStorage(dtype: DType, count: number): TensorData {
  return new Proxy(new (storageOf(dtype))(0), {
    get: (target, key) => {
      if (key === 'length') return count;
      if (key === 'BYTES_PER_ELEMENT' || key === Symbol.toStringTag) {
        return Reflect.get(target, key, target);
      }
      throw NEEDED;
    },
  });
}

/** The memory of a kernel that may compute nothing. */
export const noMemory: Memory = {
  take: () => {
    throw NEEDED;
  },
};

/** The result of a computation on shapes alone; `undefined` if it needs elements. */
export function withoutElements<A>(compute: () => A): A | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof ElementsNeeded) return undefined;
    throw error;
  }
}
