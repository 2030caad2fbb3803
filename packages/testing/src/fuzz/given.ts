/** What passes are given that do nothing by themselves: patterns and rules for programs of any kind. */

import type { passes } from '@baton/passes';
import { arithmetic, dataflow, type RuleInput, rule } from '@baton/rewrites';

const { isConstant, isIf, isLet, isOp, isTuple, isTupleGetItem, isVar, wildcard } = dataflow;

const elementwise = wildcard().hasAttr({ TOpPattern: 'elemwise' });
const broadcast = wildcard().hasAttr({ TOpPattern: 'broadcast' });
const source = wildcard().hasAttr({ TOpPattern: 'broadcast' })(wildcard(), wildcard());

/** Patterns of calls, diamonds, constants, tuples, branches and bindings. */
export const composites: Parameters<typeof passes.mergeComposite>[0] = [
  {
    name: 'diamond',
    pattern: source.dominates(
      broadcast(wildcard(), wildcard()),
      elementwise(wildcard()).or(isConstant()),
    ),
  },
  { name: 'chain', pattern: elementwise(elementwise(wildcard())) },
  { name: 'sum', pattern: isOp('add')(isConstant(), wildcard()) },
  { name: 'field', pattern: isTupleGetItem(wildcard()(null)) },
  { name: 'tuple', pattern: isTuple() },
  { name: 'choice', pattern: isIf(wildcard(), wildcard()(null), wildcard()(null)) },
  { name: 'binding', pattern: isLet(isVar(), wildcard()(null), wildcard()) },
  { name: 'call', pattern: wildcard()(null) },
];

/** A set, and a rule of its own. */
export const rules: RuleInput = [
  arithmetic,
  rule('relu of relu', 'nn.relu(nn.relu(?x))', 'nn.relu(?x)'),
];
