/** Equality of values. */
import { type Tensor, tensorsEqual } from '@baton/tensor';
import { STRIDE } from './fold.ts';
import { Scalar } from './scalar.ts';
import { hasParts, partsOf, type Value } from './value.ts';

/**
 * Whether two values are equal: tensors by `agree` (by default: same dtype, shape and elements),
 * tuples and data types part by part, references if they correspond one to one and their contents
 * are equal. A function is equal only to itself.
 *
 * **Complexity** linear in the distinct pairs of corresponding values.
 */
export function valuesAgree(
  left: Value,
  right: Value,
  agree: (a: Tensor, b: Tensor) => boolean = sameTensor,
): boolean {
  const met = new Map<Value, Set<Value>>();
  const cells = new Map<Value, Value>();
  const pending: Pending[] = [{ a: left, b: right, steps: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { a, b, steps } = next;
    if (a._tag === 'Tensor' && b._tag === 'Tensor') {
      if (!agree(a, b)) return false;
      continue;
    }
    if (!sameOutside(a, b)) return false;
    if (a._tag === 'Ref' && !pair(cells, a, b)) return false;
    // Only some pairs along a chain, such as a list, are remembered.
    if (steps % STRIDE === 0 && !remember(met, a, b)) continue;
    const [parts, others] = [partsOf(a), partsOf(b)];
    let onward = steps + 1;
    for (let i = parts.length - 1; i >= 0; i--) {
      const part = parts[i] as Value;
      pending.push({ a: part, b: others[i] as Value, steps: onward });
      if (hasParts(part)) onward = 0;
    }
  }
  return true;
}

function sameTensor(a: Tensor, b: Tensor): boolean {
  if (!(a instanceof Scalar) || !(b instanceof Scalar)) return tensorsEqual(a, b);
  return a.dtype === b.dtype && Object.is(a.element, b.element);
}

interface Pending {
  readonly a: Value;
  readonly b: Value;
  readonly steps: number;
}

/** Records a pair of corresponding values; false if it is known. */
function remember(met: Map<Value, Set<Value>>, a: Value, b: Value): boolean {
  const seen = met.get(a);
  if (seen === undefined) met.set(a, new Set([b]));
  else if (seen.has(b)) return false;
  else seen.add(b);
  return true;
}

/** Cells correspond one to one. */
function pair(cells: Map<Value, Value>, a: Value, b: Value): boolean {
  if ((cells.get(a) ?? b) !== b || (cells.get(b) ?? a) !== a) return false;
  cells.set(a, b);
  cells.set(b, a);
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
