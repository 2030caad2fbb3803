/** The size up to which a compiler stores a computed value in the program. */
import type { Type } from '@baton/ir';
import { byteCount } from './cost.ts';
import { staticTensor } from './value.ts';

/** A result up to this size is stored, even from small constants. */
export const MAX_INFLATED_BYTES = 1_048_576;

/** A result that is larger than each of its arguments is stored up to this size: 256 MiB. */
export const MAX_GROWN_BYTES: number = 2 ** 28;

/**
 * Whether a result of this type is small enough to replace its arguments: a tensor or a tuple of
 * tensors of known sizes, and not much larger than they are.
 */
export function isWorthStoring(
  type: Type | undefined,
  args: ReadonlyArray<Type | undefined>,
): boolean {
  const fields = type?._tag === 'TupleType' ? type.fields : [type];
  if (type === undefined || fields.some((field) => field && !staticTensor(field))) return false;
  const size = byteCount(type);
  if (size <= MAX_INFLATED_BYTES) return true;
  const known = args.filter((arg) => arg !== undefined);
  const sizes = known
    .flatMap((arg): ReadonlyArray<Type> => (arg._tag === 'TupleType' ? arg.fields : [arg]))
    .map((arg): number => byteCount(arg));
  // If every part is built from two equal ones, a few lines produce terabytes.
  const most = sizes.reduce((a, b) => Math.max(a, b), MAX_GROWN_BYTES);
  const sum = sizes.reduce((a, b) => a + b, 0);
  return size <= Math.min(most, sum);
}
