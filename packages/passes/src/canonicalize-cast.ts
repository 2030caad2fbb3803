/**
 * CanonicalizeCast: casts to wider types are repeated for each of their users.
 * [passes §20](https://batonjs.github.io/baton/spec/passes#20).
 */
import { remember } from '@baton/base';
import {
  childAt,
  type Expr,
  type IRModule,
  mapChildren,
  mapParts,
  rewriteExpr,
  typeOf,
} from '@baton/ir';
import { dtypeOf, fusionColumn, isCallOf, isOpCall, operandOf } from '@baton/ops';
import { type Count, inferType, type Pass, rewriteFunc, rewritingPass } from '@baton/pass-manager';
import { dtypeInfo, isDType } from '@baton/tensor';

/**
 * Gives each call that computes element by element a cast of its own:
 *
 * ```
 * %0 = cast(%x, int32); add(%0, %a); multiply(%0, %b)         (%x of int8)
 * =>
 * add(cast(%x, int32), %a); multiply(cast(%x, int32), %b)
 * ```
 *
 * Each is then computed in the kernel of its user, and what lies between kernels is narrow. The first
 * user keeps the cast that there was; so does every user that does not go through the elements.
 *
 * **Complexity** linear in the function.
 */
export const canonicalizeCast: Pass = rewritingPass({
  name: 'CanonicalizeCast',
  doc: 'Duplicates casts to wider types for each call that uses them.',
  level: 3,
  requires: [inferType],
  counters: ['cast repeated'],
  isIdempotent: true,
  run: (f, m, { count }) => {
    const firstUsers = new Map<Expr, Expr>();
    return rewriteFunc(f, m, (node, get) => {
      if (!isPointwise(m, node)) return undefined;
      const own = new Map<Expr, Expr>();
      return mapChildren(node, (child) => {
        const isShared = widens(m, child) && remember(firstUsers, child, () => node) !== node;
        return isShared ? remember(own, child, () => repeated(m, get(child), count)) : get(child);
      });
    });
  },
});

/** A cast of the same value; a wider one that it takes is repeated along with it. */
function repeated(m: IRModule, cast: Expr, count: Count<'cast repeated'>): Expr {
  const chain: Expr[] = [];
  for (let at = cast; widens(m, at); at = childAt(at, 0) as Expr) chain.unshift(at);
  count('cast repeated', chain.length);
  return rewriteExpr(cast, (node, get) => mapParts(node, { child: get, isCopy: true }), chain);
}

function isPointwise(m: IRModule, node: Expr): boolean {
  const fusion = isOpCall(node) ? m.ops.read(fusionColumn, node.op.name) : undefined;
  return fusion === 'elemwise' || fusion === 'broadcast';
}

/** Whether it is a cast to a type with more bits. */
function widens(m: IRModule, node: Expr): boolean {
  if (!isCallOf(node, 'cast')) return false;
  const [from, to] = [dtypeOf(typeOf(m, operandOf(node, 0))), node.attrs.dtype];
  return isDType(from) && isDType(to) && dtypeInfo(to).bits > dtypeInfo(from).bits;
}
