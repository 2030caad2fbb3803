/** Rules by what their left sides begin with. */

import { remember } from '@baton/base';
import type { Expr, OpTable } from '@baton/ir';
import { isOpCall, operatorHole, type Pattern, partsOf as patternParts } from '@baton/ops';
import { type CompiledRule, compiledFor } from '../match/compile.ts';
import { partsOf } from '../match/parts.ts';
import type { Rule } from '../rule/rule.ts';

/** The rules whose left side may match a node. */
export type HeadIndex = (node: Expr) => ReadonlyArray<CompiledRule>;

/**
 * Checked rules by the heads of their left side and of its parts, in order. Rules are compiled for the
 * heads that are asked for: most programs have few of the operators in a table.
 */
export function headIndex(rules: ReadonlyArray<Rule>, ops: OpTable): HeadIndex {
  const byHead = new Map<string, ReadonlyArray<CompiledRule>>();
  const found = new Map<string, ReadonlyArray<CompiledRule>>();
  return (node) => {
    const head = headOf(node);
    const below = partsOf(node).map(headOf);
    return remember(found, `${head} ${below.join(' ')}`, () =>
      remember(byHead, head, () => rules.flatMap((rule) => beginningWith(rule, head, ops))).filter(
        (rule) => mayMatch(rule, below),
      ),
    );
  };
}

/** The rule for an operator, or a kind of expression, as the head of its left side. */
function beginningWith(rule: Rule, head: string, ops: OpTable): ReadonlyArray<CompiledRule> {
  const { left } = rule.equations[0];
  const hole = left._tag === 'Call' ? operatorHole(left) : undefined;
  if (hole !== undefined) return compiledFor(rule, ops, new Map([[hole, head]]));
  return headOfPattern(left) === head ? compiledFor(rule, ops) : [];
}

/** Whether the left side of a rule may match a node with these heads below its own. */
const mayMatch = (rule: CompiledRule, below: ReadonlyArray<string>): boolean =>
  rule.orders.some(([left]) => {
    const wanted = left && patternParts(left).map(headOfPattern);
    return (
      wanted?.length === below.length && wanted.every((part, i) => (part ?? below[i]) === below[i])
    );
  });

/** The operator that an expression calls, or its kind; an operator's name has no capital letter. */
const headOf = (node: Expr): string => (isOpCall(node) ? node.op.name : node._tag);

/** The head of all expressions that a pattern matches; a hole matches any. */
const headOfPattern = (p: Pattern): string | undefined =>
  p._tag === 'Call' ? p.op : HEADS[p._tag];

const HEADS: Readonly<Record<string, string>> = {
  Tuple: 'Tuple',
  Field: 'TupleGetItem',
  Number: 'Constant',
};
