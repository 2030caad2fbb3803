import type { Expr } from '../expr/expr.ts';
import { type Dependence, joinDependences, type TypeView } from '../module/type-table.ts';
import { typedPart } from './walk.ts';

/** The signatures on which the type of a node relies. */
export function dependenceOf(node: Expr, view: TypeView): Dependence | undefined {
  if (node._tag === 'GlobalVar') return view.signature(node.nameHint);
  let found: Dependence | undefined;
  for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
    found = joinDependences(found, view.dependence(part));
  }
  return found;
}
