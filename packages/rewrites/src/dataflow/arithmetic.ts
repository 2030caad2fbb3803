/** The other order of a product and a quotient: `(x / y) * z` is `(x * z) / y`. */
import type { ApplyPattern, GraphPattern } from './pattern.ts';

/**
 * The patterns that match a call of `name` where the pattern is of the other operator: a product of
 * a quotient for a quotient of a product, and the other way round.
 */
export function associated(p: ApplyPattern, name: string): ReadonlyArray<ApplyPattern> {
  const { callee, args: [left, right] = [] } = p;
  if (left === undefined || right === undefined) return [];
  if (name === 'multiply' && isCallOf(p, 'divide') && isCallOf(left, 'multiply')) {
    const [x, y] = left.args ?? [];
    if (x === undefined || y === undefined) return [];
    const product = (a: GraphPattern, b: GraphPattern) =>
      applied(left.callee, b, applied(callee, a, right));
    return [product(x, y), product(y, x)];
  }
  if (name !== 'divide' || !isCallOf(p, 'multiply')) return [];
  const quotient = (inner: GraphPattern, other: GraphPattern): ReadonlyArray<ApplyPattern> => {
    if (!isCallOf(inner, 'divide')) return [];
    const [x, y] = inner.args ?? [];
    if (x === undefined || y === undefined) return [];
    return [applied(inner.callee, applied(callee, x, other), y)];
  };
  return [...quotient(left, right), ...quotient(right, left)];
}

const isCallOf = (p: GraphPattern, name: string): p is ApplyPattern =>
  p._tag === 'Apply' && p.callee._tag === 'Operator' && p.callee.name === name;

const applied = (callee: GraphPattern, ...args: ReadonlyArray<GraphPattern>): ApplyPattern => ({
  _tag: 'Apply',
  callee,
  args,
});
