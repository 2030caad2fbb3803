/** Rules by what their left sides begin with. */

import { remember } from '@baton/base';
import type { Expr } from '@baton/ir';
import { isOpCall } from '@baton/ops';
import type { CompiledRule } from '../match/compile.ts';

/** The rules whose left side may match a node. */
export type HeadIndex = (node: Expr) => ReadonlyArray<CompiledRule>;

/** The rules by the operator or kind at the top of their left side, in order. */
export function headIndex(rules: ReadonlyArray<CompiledRule>): HeadIndex {
  const byHead = new Map<string, CompiledRule[]>();
  for (const compiled of rules) {
    const { left } = compiled.rule.equations[0];
    const head = left._tag === 'Call' ? left.op : HEADS[left._tag];
    if (head !== undefined) remember(byHead, head, () => [] as CompiledRule[]).push(compiled);
  }
  return (node) => byHead.get(isOpCall(node) ? node.op.name : node._tag) ?? NONE;
}

/** The kind of expression that a pattern matches; an operator's name has no capital letter. */
const HEADS: Readonly<Record<string, string>> = { Tuple: 'Tuple', Field: 'TupleGetItem' };

const NONE: ReadonlyArray<CompiledRule> = [];
