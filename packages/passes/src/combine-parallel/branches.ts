/** Branches: calls of one operator on the same data, and the elementwise calls after each. */
import { remember } from '@baton/base';
import { attrsEqual, type Expr, isTotal, type Scope } from '@baton/ir';
import { fusionColumn, isCallOf, isOpCall, type OpCall, operandOf } from '@baton/ops';
import { isDecidedByCallers } from '@baton/pass-manager';
import type { Combination, Joined } from './joined.ts';
import type { Surroundings } from './surroundings.ts';

/** A call, and the calls after it, each the only user of the one before. */
export interface Branch {
  readonly head: OpCall;
  /** The head, then its followers. */
  readonly calls: ReadonlyArray<OpCall>;
}

/** Groups of at least `least` branches whose heads are alike, on one data, and in one block. */
export function branchesOf(
  s: Surroundings,
  op: string,
  combination: Combination,
  least: number,
): ReadonlyArray<ReadonlyArray<Branch>> {
  const claimed = new Set<Expr>();
  return headsOf(s, op, combination, least).map((heads) => {
    const home = s.homeOf(heads);
    return heads
      .filter((head) => s.isKnownIn(operandOf(head, 1), home))
      .map((head) => ({ head, calls: chainFrom(s, head, claimed) }));
  });
}

/** The calls of all branches at a level, if they are the same call of other arguments. */
export function followersOf(
  s: Surroundings,
  group: ReadonlyArray<Branch>,
  level: number,
  { members }: Joined,
  ranks: ReadonlyMap<Expr, number>,
  home: Scope,
): ReadonlyArray<OpCall> | undefined {
  const calls = group.map((branch) => branch.calls[level]);
  const [first] = calls;
  const isLike = (call: OpCall | undefined, i: number): call is OpCall =>
    call !== undefined &&
    first !== undefined &&
    call.op.name === first.op.name &&
    attrsEqual(call.attrs, first.attrs) &&
    ranks.get(call) === ranks.get(first) &&
    call.args.every((arg, at) => {
      const isMember = arg === members[i];
      if (isMember !== (first.args[at] === members[0])) return false;
      return isMember || (isTotal(s.m, arg) && s.isKnownIn(arg, home));
    });
  return calls.every(isLike) ? calls : undefined;
}

function headsOf(
  s: Surroundings,
  op: string,
  combination: Combination,
  least: number,
): ReadonlyArray<ReadonlyArray<OpCall>> {
  const { m } = s;
  const groups: OpCall[][] = [];
  const byData = new Map<Expr, Map<Scope, OpCall[][]>>();
  for (const node of s.visible) {
    if (!isCallOf(node, op) || isDecidedByCallers(m, node)) continue;
    if (!combination.isHead(m, node) || !isTotal(m, operandOf(node, 1))) continue;
    const byBlock = remember(byData, operandOf(node, 0), () => new Map<Scope, OpCall[][]>());
    const known = remember(byBlock, s.blockOf(node), (): OpCall[][] => []);
    const alike = known.find(
      ([first]) => first !== undefined && combination.areAlike(m, first, node),
    );
    if (alike !== undefined) alike.push(node);
    else {
      const group = [node];
      known.push(group);
      groups.push(group);
    }
  }
  return groups.filter((group) => group.length >= least);
}

/** The chain of elementwise calls from a head, as far as no other branch has them. */
function chainFrom(s: Surroundings, head: OpCall, claimed: Set<Expr>): ReadonlyArray<OpCall> {
  const calls = [head];
  claimed.add(head);
  let next = s.onlyUser(head);
  while (next !== undefined && isFollower(s, next) && !claimed.has(next)) {
    claimed.add(next);
    calls.push(next);
    next = s.onlyUser(next);
  }
  return calls;
}

function isFollower({ m, visible }: Surroundings, node: Expr): node is OpCall {
  if (!isOpCall(node) || !visible.has(node) || isDecidedByCallers(m, node)) return false;
  const fusion = m.ops.read(fusionColumn, node.op.name);
  const isPointwise = fusion === 'elemwise' || fusion === 'broadcast';
  return isPointwise && m.ops.get(node.op.name)?.effect === 'total';
}
