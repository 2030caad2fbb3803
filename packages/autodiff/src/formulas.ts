/** Calls whose gradients are gradients of formulas, spelled out before differentiation. */
import { type Diagnostic, fail, isLeft, type Result, right } from '@baton/base';
import { type Func, type IRModule, mapChildren, rewriteExpr, typeOf } from '@baton/ir';
import { formulaOf, isOpCall } from '@baton/ops';

/**
 * The function with such calls as expressions of other operators.
 *
 * **Errors** `GRADIENT_UNKNOWN_SIZE`.
 */
export function spelledOut(m: IRModule, f: Func): Result<Func> {
  const problems: Diagnostic[] = [];
  const body = rewriteExpr(f.body, (node, get) => {
    if (!isOpCall(node)) return undefined;
    const types = [node, ...node.args].map((each) => typeOf(m, each));
    const known = types.filter((type) => type !== undefined);
    const [type, ...args] = known;
    if (type === undefined || known.length < types.length) return undefined;
    const { op, attrs, span } = node;
    const called = { name: op.name, attrs, args: node.args.map(get), types: args, type, span };
    const formula = formulaOf(m.ops, called);
    if (formula === undefined) return undefined;
    if (!isLeft(formula)) return formula.right;
    problems.push(...formula.left);
    return node;
  });
  const [first, ...rest] = problems;
  return first === undefined ? right(mapChildren(f, () => body) as Func) : fail(first, ...rest);
}
