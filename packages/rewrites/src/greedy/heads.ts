/** Rules by what their left sides begin with. */

import { remember } from '@baton/base';
import type { Expr } from '@baton/ir';
import { isOpCall } from '@baton/ops';
import type { CompiledRule } from '../match/compile.ts';
import { partsOf } from '../match/parts.ts';
import { type Pattern, partsOf as patternParts } from '../rule/pattern.ts';

/** The rules whose left side may match a node. */
export type HeadIndex = (node: Expr) => ReadonlyArray<CompiledRule>;

/** The rules by the heads of their left side and of its parts, in order. */
export function headIndex(rules: ReadonlyArray<CompiledRule>): HeadIndex {
  const found = new Map<string, ReadonlyArray<CompiledRule>>();
  return (node) => {
    const heads = [node, ...partsOf(node)].map(headOf);
    return remember(found, heads.join(' '), () => rules.filter((rule) => mayMatch(rule, heads)));
  };
}

/** Whether a rule may match a node with these heads. */
const mayMatch = (rule: CompiledRule, [head, ...below]: ReadonlyArray<string>): boolean =>
  headOfPattern(rule.rule.equations[0].left) === head &&
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
