/** Values of programs taken apart into tensors. */
import type { Value } from '@baton/executor';
import type { Tensor } from '@baton/tensor';

/** The tensors of a value from left to right, or `undefined` if it holds anything else. */
export function tensorsOf(value: Value): ReadonlyArray<Tensor> | undefined {
  const found: Tensor[] = [];
  const pending: Value[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next._tag === 'Tensor') found.push(next);
    else if (next._tag === 'Tuple') pending.push(...[...next.fields].reverse());
    else return undefined;
  }
  return found;
}
