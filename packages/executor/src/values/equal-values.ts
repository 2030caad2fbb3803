/** Equality of values. */
import { type Tensor, tensorsEqual } from '@baton/tensor';
import { partsOf, type Value } from './value.ts';

/**
 * Whether two values are equal: tensors as `agree` says (by default: same dtype, shape and
 * elements), tuples and data types part by part, references if they correspond one to one and
 * their contents are equal. A function is equal only to itself.
 *
 * **Complexity** linear in the distinct pairs of values that meet.
 */
export function valuesAgree(
  left: Value,
  right: Value,
  agree: (a: Tensor, b: Tensor) => boolean = tensorsEqual,
): boolean {
  const met = new Map<Value, Set<Value>>();
  const cells = new Map<Value, Value>();
  const pending: Array<readonly [Value, Value]> = [[left, right]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [a, b] = next;
    if (a._tag === 'Tensor' && b._tag === 'Tensor') {
      if (!agree(a, b)) return false;
      continue;
    }
    if (!sameOutside(a, b)) return false;
    if (a._tag === 'Ref') {
      const paired = cells.get(a) ?? b;
      const pairedBack = cells.get(b) ?? a;
      if (paired !== b || pairedBack !== a) return false;
      cells.set(a, b);
      cells.set(b, a);
    }
    const seen = met.get(a);
    if (seen?.has(b)) continue;
    if (seen === undefined) met.set(a, new Set([b]));
    else seen.add(b);
    const others = partsOf(b);
    partsOf(a).forEach((part, i) => {
      pending.push([part, others[i] as Value]);
    });
  }
  return true;
}

function sameOutside(a: Value, b: Value): boolean {
  switch (a._tag) {
    case 'Tensor':
      return false;
    case 'Closure':
      return a === b;
    case 'Tuple':
      return b._tag === 'Tuple' && a.fields.length === b.fields.length;
    case 'Adt':
      return b._tag === 'Adt' && a.ctor.tag === b.ctor.tag && a.fields.length === b.fields.length;
    case 'Ref':
      return b._tag === 'Ref';
  }
}
