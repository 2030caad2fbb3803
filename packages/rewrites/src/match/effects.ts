/** What a step does that another evaluation can notice. */
import { type Expr, type IRModule, isStateful, postOrderExprs } from '@baton/ir';
import { isOpCall } from '@baton/ops';

/**
 * Whether the results do what the matched expressions do that others notice, in the same order. A
 * hole may stand for such an expression; what the rule itself matches or makes may be none.
 */
export function keepsEffects(
  m: IRModule,
  roots: ReadonlyArray<Expr>,
  results: ReadonlyArray<Expr>,
  holes: ReadonlyArray<Expr>,
): boolean {
  const known = new Set(holes.filter((hole) => isStateful(m, hole)));
  const [before, after] = [effectsIn(m, roots, known), effectsIn(m, results, known)];
  if (before === undefined || after === undefined) return false;
  return before.length === after.length && before.every((node, i) => node === after[i]);
}

/** The expressions of holes in the order of their evaluation; `undefined` if others have effects. */
function effectsIn(
  m: IRModule,
  roots: ReadonlyArray<Expr>,
  known: ReadonlySet<Expr>,
): ReadonlyArray<Expr> | undefined {
  const found = new Set<Expr>();
  const others = postOrderExprs(roots, (node) => {
    if (known.has(node)) found.add(node);
    return known.has(node) || node._tag === 'Function';
  });
  return others.some((node) => isStateful(m, node) && doesItself(m, node)) ? undefined : [...found];
}

/** Whether an expression is stateful itself, and not only through its parts. */
function doesItself(m: IRModule, node: Expr): boolean {
  if (isOpCall(node)) return m.ops.get(node.op.name)?.effect === 'stateful';
  if (node._tag === 'Call') return node.op._tag !== 'Function' || isStateful(m, node.op.body);
  return node._tag !== 'Tuple' && node._tag !== 'TupleGetItem';
}
