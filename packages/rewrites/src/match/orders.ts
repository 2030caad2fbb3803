/** The orders of the arguments of commutative operators in which a rule is matched. */
import { remember } from '@baton/base';
import type { OpTable } from '@baton/ir';
import {
  type AttrPattern,
  type CallPattern,
  commutes,
  headKey,
  type Pattern,
  partsOf,
  withParts,
} from '@baton/ops';
import type { Rule } from '../rule/rule.ts';

/** The most orders of arguments that one rule is matched in. */
const MAX_ORDERS = 64;

/**
 * The left sides in each order of the arguments of commutative operators, with the defaults of attributes
 * that their calls do not name. Of orders that say the same in other names there is one, unless the rule
 * has conditions, which know the names.
 */
export function ordersOf(
  { when, profitable, within, computed }: Rule,
  lefts: ReadonlyArray<Pattern>,
  rights: () => ReadonlyArray<Pattern>,
  ops: OpTable,
): ReadonlyArray<ReadonlyArray<Pattern>> {
  const all = choicesOf(lefts.map((left) => orders(left, ops)));
  const isBare = when.length + profitable.length + within.length + computed.size === 0;
  if (all.length === 1 || !isBare) return all.slice(0, MAX_ORDERS);
  const different = new Map<string, ReadonlyArray<Pattern>>();
  for (const order of all) remember(different, equationKey(order, rights(), ops), () => order);
  return [...different.values()].slice(0, MAX_ORDERS);
}

/** Each way to take one element of every list. */
const choicesOf = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<ReadonlyArray<A>> =>
  lists.reduce<ReadonlyArray<ReadonlyArray<A>>>(
    (made, choices) => made.flatMap((list) => choices.map((choice) => [...list, choice])),
    [[]],
  );

/** The pattern with each order of the arguments of its commutative operators. */
function orders(p: Pattern, ops: OpTable): ReadonlyArray<Pattern> {
  const chosen = choicesOf(partsOf(p).map((part) => orders(part, ops)));
  const turns = p._tag === 'Call' && commutes(ops, p.op);
  const all = turns ? chosen.flatMap((args) => [args, [...args].reverse()]) : chosen;
  const complete = p._tag === 'Call' ? { ...p, attrs: completeAttrs(p, ops) } : p;
  return all.map((args) => withParts(complete, args));
}

/** The attributes of a call, with the defaults of those that it does not name. */
export function completeAttrs(
  { op, attrs, rest }: CallPattern,
  ops: OpTable,
): CallPattern['attrs'] {
  if (rest !== undefined) return attrs;
  const complete = new Map<string, AttrPattern>();
  for (const { name, defaultValue } of ops.get(op)?.attrs.fields ?? []) {
    const value = attrs.get(name) ?? defaultValue;
    if (value !== undefined) complete.set(name, value);
  }
  return complete;
}

/** Equal for equations that differ in the names of holes, and on the right in the order of arguments. */
function equationKey(
  lefts: ReadonlyArray<Pattern>,
  rights: ReadonlyArray<Pattern>,
  ops: OpTable,
): string {
  const names = new Map<string, number>();
  const keyOf = (p: Pattern, isRight: boolean): string => {
    if (p._tag === 'Hole') return `?${remember(names, p.name, () => names.size)}`;
    const parts = partsOf(p).map((part) => keyOf(part, isRight));
    if (isRight && p._tag === 'Call' && commutes(ops, p.op)) parts.sort();
    return `${headKey(p)}(${parts.join()})`;
  };
  const left = lefts.map((p) => keyOf(p, false));
  return `${left.join()} = ${rights.map((p) => keyOf(p, true)).join()}`;
}
