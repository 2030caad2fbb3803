/** The work on a slot at the end of its value, by the type of its values. */
import type { Type } from '@baton/ir';

/**
 * The end of a value after the last read of its slot:
 * - `none`: it stays where it is, for it is small;
 * - `emptied`: the slot is emptied, so that the value can become garbage;
 * - `counted`: the slot is emptied, and is one holder less of the storage of tensors.
 */
export type Upkeep = 'none' | 'emptied' | 'counted';

/**
 * The upkeep of a slot with values of a type. Data, references and functions hold their tensors for
 * good, so nothing counts the slots that hold them.
 */
export function upkeepOf(type: Type | undefined): Upkeep {
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
