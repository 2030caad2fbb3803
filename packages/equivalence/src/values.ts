/** Flattens values of programs into tensors. */
import type { Value } from '@baton/executor';
import { scalar, type Tensor } from '@baton/tensor';

/** The tensors of a value; a constructor counts as its tag, a reference as its content. */
export function tensorsOf(value: Value): ReadonlyArray<Tensor> | undefined {
  const found: Tensor[] = [];
  const cells = new Set<Value>();
  const pending: Value[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    switch (next._tag) {
      case 'Tensor':
        found.push(next);
        break;
      case 'Adt':
        found.push(scalar(next.ctor.tag, 'int32'));
        pending.push(...[...next.fields].reverse());
        break;
      case 'Tuple':
        pending.push(...[...next.fields].reverse());
        break;
      case 'Ref':
        if (cells.has(next)) break;
        cells.add(next);
        pending.push(next.value);
        break;
      case 'Closure':
        return undefined;
    }
  }
  return found;
}
