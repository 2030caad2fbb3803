/** Comparison of tensors in units in the last place. */
import {
  isBig,
  isFloat,
  printShape,
  readBigInt,
  readNumber,
  shapeSize,
  spacingOf,
  type Tensor,
} from '@baton/tensor';

/** What differs between two tensors; `undefined` if they agree. */
export function difference(
  found: Tensor,
  wanted: Tensor,
  ulps: number,
  scale: number,
): string | undefined {
  if (found.dtype !== wanted.dtype || printShape(found.shape) !== printShape(wanted.shape)) {
    const name = (t: Tensor): string => `${t.dtype}${printShape(t.shape)}`;
    return `${name(found)} in place of ${name(wanted)}`;
  }
  const count = shapeSize(wanted.shape);
  const unit = spacingOf(wanted.dtype)?.epsilon ?? 0;
  for (let i = 0; i < count; i++) {
    if (isBig(wanted.dtype)) {
      const [a, b] = [readBigInt(found, i), readBigInt(wanted, i)];
      if (a !== b) return `${a} in place of ${b} at ${i}`;
      continue;
    }
    const [a, b] = [readNumber(found, i), readNumber(wanted, i)];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    const size = Math.max(Math.abs(a), Math.abs(b), scale);
    const allowed = isFloat(wanted.dtype) ? ulps * unit * size : 0;
    // Infinities are equal or they are not.
    if (!Number.isFinite(size) || !(Math.abs(a - b) <= allowed)) {
      const apart = (Math.abs(a - b) / (unit * size)).toFixed(1);
      return `${a} in place of ${b} at ${i}, ${apart} ulps`;
    }
  }
  return undefined;
}
