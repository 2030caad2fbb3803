/** Reference counts of storage: what happens to a slot after its last read, by the type of its values. */
import type { Type } from '@baton/ir';

/**
 * - `none`: the value is small and stays in the slot;
 * - `emptied`: the slot is emptied, so that the value can become garbage;
 * - `counted`: the slot is emptied, and the storage of the tensors loses a holder.
 */
export type Refcounting = 'none' | 'emptied' | 'counted';

/** Data, references and functions hold their tensors for good, so their slots are not counted. */
export function refcountingOf(type: Type | undefined): Refcounting {
  switch (type?._tag) {
    case 'TensorType':
      return !('_tag' in type.shape) && type.shape.length === 0 ? 'none' : 'counted';
    case 'FuncType':
    case 'RefType':
    case 'GlobalTypeVar':
    case 'TypeCall':
      return 'emptied';
    default:
      return 'counted';
  }
}
