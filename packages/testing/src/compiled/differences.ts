/** Comparison of results element by element, for programs whose results are exact. */
import type { Value } from '@baton/executor';
import { dense, type Tensor } from '@baton/tensor';

export function leavesOf(value: Value): ReadonlyArray<Tensor> {
  const found: Tensor[] = [];
  const pending: Value[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next._tag === 'Tensor') found.push(next);
    else if (next._tag === 'Tuple') pending.push(...next.fields.toReversed());
  }
  return found;
}

/** The first element that differs. Zeros of either sign are equal, and all NaNs are. */
export function elementDifference(a: Tensor, b: Tensor): string | undefined {
  if (a.dtype !== b.dtype || a.shape.join() !== b.shape.join()) return `${b.dtype} (${b.shape})`;
  const [wanted, found] = [dense(a).data, dense(b).data];
  const isSame = (x: unknown, y: unknown): boolean =>
    x === y || (Number.isNaN(x) && Number.isNaN(y));
  const at = wanted.findIndex((x, i) => !isSame(x, found[i]));
  return at < 0 ? undefined : `element ${at} is ${found[at]}, not ${wanted[at]}`;
}
