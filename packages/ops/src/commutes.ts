/** Whether an elementwise operator commutes, derived from its scalar expression. */
import type { OpTable } from '@baton/ir';
import { formOf } from './form/form.ts';
import type { Scalar } from './scalar/expr.ts';
import { NODES, type NodeKind } from './scalar/nodes.ts';

/**
 * Whether the operator's two arguments can be swapped without changing a bit of the result (all
 * NaNs count as equal). False if the table has no scalar expression for it.
 */
export function commutes(ops: OpTable, name: string): boolean {
  const form = formOf(ops, name, 'Map');
  const isPlain = form?.numbers === undefined && form?.vectorAlong === undefined;
  return form !== undefined && isPlain && isMirrored(form.expr, form.expr);
}

/** Whether swapping `x` and `y` in `a` yields `b`. */
function isMirrored(a: Scalar, b: Scalar): boolean {
  if (a._tag === 'Argument') return b._tag === 'Argument' && MIRROR[a.name] === b.name;
  if (a._tag === 'Constant') return b._tag === 'Constant' && a.value === b.value;
  if (a._tag === 'Width' || b._tag !== 'Operation') return a._tag === b._tag;
  if (a.name !== b.name || a.args.length !== b.args.length) return false;
  const { commutes: turns }: NodeKind = NODES[a.name];
  const areMirrored = (others: ReadonlyArray<Scalar>): boolean =>
    a.args.every((arg, i) => isMirrored(arg, others[i] as Scalar));
  return areMirrored(b.args) || (turns === true && areMirrored([...b.args].reverse()));
}

const MIRROR = { x: 'y', y: 'x', z: 'z' } as const;
