/** Function types whose results state more of their sizes. */
import {
  dimsEqual,
  type FuncType,
  isAnyDim,
  replaceTypeVars,
  type Type,
  typeChildren,
  typeEqual,
  varArg,
} from '@baton/ir';

/**
 * Whether a type equals another one up to the sizes of its result: `?` in the first matches any
 * size in the second. Such programs take the same arguments, and their results are compared by
 * their actual sizes.
 *
 * **Complexity** linear in the pairs of distinct corresponding types.
 */
export function isRefinedBy(before: Type, now: Type): boolean {
  if (before._tag !== 'FuncType' || now._tag !== 'FuncType') return false;
  const named = underNamesOf(before, now);
  if (named === undefined) return false;
  const seen = new Map<Type, Set<Type>>();
  const pending: (readonly [Type, Type])[] = [[before.result, named]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    const others = seen.get(a) ?? new Set();
    if (others.has(b)) continue;
    seen.set(a, others.add(b));
    if (a._tag === 'TupleType' && b._tag === 'TupleType') {
      const [fields, found] = [typeChildren(a), typeChildren(b)];
      if (fields.length !== found.length) return false;
      for (const [i, field] of fields.entries()) pending.push([field, found[i] ?? field]);
    } else if (!tellsMore(a, b)) return false;
  }
  return true;
}

/** The result type of `now` with the size names of `before`, for the same argument types. */
function underNamesOf(before: FuncType, now: FuncType): Type | undefined {
  const { params, typeParams, constraints } = before;
  if (typeParams.length !== now.typeParams.length) return undefined;
  if (params.length !== now.params.length || constraints.length + now.constraints.length > 0) {
    return undefined;
  }
  const pairs = now.typeParams.map((v, i) => [v, varArg(typeParams[i] ?? v)] as const);
  const { type } = replaceTypeVars(new Map(pairs));
  return now.params.every((param, i) => typeEqual(params[i] ?? param, type(param)))
    ? type(now.result)
    : undefined;
}

function tellsMore(a: Type, b: Type): boolean {
  if (a._tag !== 'TensorType' || b._tag !== 'TensorType') return typeEqual(a, b);
  const [from, to] = [a.shape, b.shape];
  if (a.dtype !== b.dtype || '_tag' in from || '_tag' in to) return typeEqual(a, b);
  return (
    from.length === to.length &&
    from.every((dim, axis) => isAnyDim(dim) || dimsEqual(dim, to[axis] ?? dim))
  );
}
